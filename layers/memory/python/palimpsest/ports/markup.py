"""Reads HTML."""

from __future__ import annotations

from typing import Protocol


class Markup(Protocol):
    """A parser that takes whatever people paste."""

    def to_text(self, html: str) -> str:
        """What a reader sees of `html`: no tags, comments, scripts and styles; entities as their characters.

        Blocks stand on lines of their own; cells of a row are apart by a space. White space inside of a block is one
        space, outside of all blocks and in preformatted text it stays. Broken HTML is read as browsers read it; nothing
        is raised.
        """
        ...
