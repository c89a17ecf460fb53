"""Capitalised Polish words that nobody knows: their base form where their ending tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from palimpsest.domain.naming.tokens import Token

_OBLIQUE: Final = (
    "ich", "ych", "ach", "ami", "imi", "ymi", "om", "ów", "iej", "ej", "owi", "ego", "emu", "im", "ym", "em", "ie",
    "rze", "ce",
)  # fmt: skip
"""Endings that few names have in their base form."""

_CONSONANTS: Final = frozenset("bcdfghklmnprstwxz")


def base_form(run: Sequence[Token]) -> str | None:
    """The words as they would be filed; None when they stand in a case that hides their base form."""
    words = [token.text for token in run]
    lower = [token.lower for token in run]
    if all(word.endswith(("ę", "ą")) for word in lower):
        return " ".join(word[:-1] + "a" for word in words)
    is_hidden = any(
        word.endswith(_OBLIQUE) and len(word) > 3 and not token.text.isupper()
        for word, token in zip(lower, run, strict=True)
    )
    return None if is_hidden or lower[-1].endswith(("ę", "ą")) else " ".join(words)


def from_genitive(name: str) -> str:
    """The base form of a product behind używać: Syncthinga, Figmy."""
    if " " in name or len(name) < 5:
        return name
    if name.endswith("a") and name[-2].casefold() in _CONSONANTS:
        return name[:-1]
    return name[:-1] + "a" if name.endswith("y") else name
