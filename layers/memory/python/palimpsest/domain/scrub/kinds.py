"""What scrub looks for, and what is done about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What may have to go, in the order in which a piece is claimed: the first that fits has it."""

    SECRET = "secret"  # noqa: S105 - a kind, not a secret
    IBAN = "iban"
    CARD = "card"
    ID = "id"
    EMAIL = "email"
    PHONE = "phone"
    WORD = "word"


class Treatment(StrEnum):
    """What is done with a kind: put a mark in its place, only tell of it, or nothing."""

    REDACT = "redact"
    FLAG = "flag"
    OFF = "off"


MARKS: Mapping[Kind, str] = {
    Kind.SECRET: "[REDACTED]",
    Kind.IBAN: "[IBAN]",
    Kind.CARD: "[CARD]",
    Kind.ID: "[ID]",
    Kind.EMAIL: "[EMAIL]",
    Kind.PHONE: "[PHONE]",
    Kind.WORD: "[REDACTED]",
}
"""What stands in the text afterwards."""

CHOOSABLE = tuple(kind for kind in Kind if kind is not Kind.SECRET)
"""The kinds whose treatment a setting decides; secrets always go."""


class Found(NamedTuple):
    """A piece of a text, in code points."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds in a space.

    Attributes:
        treatments: By kind; `redact` where a kind is not named.
        regions: Countries (ISO 3166, two letters) whose phone numbers are known without their prefix.
        words: What is taken out besides, by word.
    """

    treatments: Mapping[Kind, Treatment] = field(default_factory=dict)
    regions: tuple[str, ...] = ("PL",)
    words: tuple[str, ...] = ()

    def treatment(self, kind: Kind) -> Treatment:
        """What is done with a kind; secrets are redacted whatever was chosen."""
        return Treatment.REDACT if kind is Kind.SECRET else self.treatments.get(kind, Treatment.REDACT)
