"""A section of a document: what is embedded, searched and shown as one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

BETWEEN_HEADINGS = " > "
BETWEEN_BLOCKS = "\n\n"


def under(breadcrumb: tuple[str, ...], text: str) -> str:
    """`text` with its breadcrumb over it."""
    return BETWEEN_HEADINGS.join(breadcrumb) + BETWEEN_BLOCKS + text if breadcrumb else text


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document that fits the embedder's window together with its breadcrumb.

    Attributes:
        text: As it stands in the document, without the headings above it.
        breadcrumb: Those headings, the highest first.
        page: Where it lies, from 1, in a format that has pages; no section lies on two.
        position: Its place in the document, from 0.
        ordinal: How many equal ones stand before it; with the digest it says which of them this is.
    """

    text: str
    breadcrumb: tuple[str, ...]
    page: int | None
    position: int
    ordinal: int = 0

    @property
    def headed(self) -> str:
        """The text under its breadcrumb: what is embedded and searched."""
        return under(self.breadcrumb, self.text)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of text, breadcrumb and page: equal in two readings when nothing of the section changed."""
        return hashlib.sha256(json.dumps([self.text, self.breadcrumb, self.page]).encode()).hexdigest()
