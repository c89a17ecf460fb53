"""The base form of Polish names that begin with a noun for the kind of institution: w Szpitalu Bielańskim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from palimpsest.domain.naming.inflecting import bases
from palimpsest.domain.naming.tokens import Token
from palimpsest.domain.restating.wordlists import words

_NOUNS: Final = words(
    """
    szpital lecznica klinika przychodnia bank fundacja szkoła uniwersytet politechnika akademia liceum muzeum teatr klub
    biblioteka firma zakład urząd instytut wydawnictwo spółka stowarzyszenie kancelaria piekarnia kawiarnia restauracja
    księgarnia drukarnia apteka galeria agencja studio browar huta kopalnia stocznia fabryka tartak hotel ośrodek
    centrum
    chór zespół orkiestra filharmonia opera parafia gmina straż poczta telewizja radio gazeta spółdzielnia pracownia
    maraton festiwal bieg rajd turniej zlot
    """
)
_ENDINGS: Final = {
    True: (("skiej", "ska"), ("iej", "a"), ("ej", "a"), ("ą", "a")),
    False: (("kiego", "ki"), ("iego", "i"), ("ego", "y"), ("iemu", "i"), ("emu", "y"), ("kim", "ki"), ("im", "i"),
            ("ym", "y")),
}  # fmt: skip
"""Adjectives beside a feminine noun, and beside another one."""


def institution(run: Sequence[Token]) -> str | None:
    """The base form of the run; None when it names no institution."""
    head = next((form for form in bases(run[0].lower) if form in _NOUNS), None)
    if head is None or len(run) < 2:
        return None
    if head == run[0].lower:
        return " ".join(token.text for token in run)
    endings = _ENDINGS[head.endswith("a")]
    return " ".join([head.capitalize(), *(_adjective(token.text, endings) for token in run[1:])])


def _adjective(word: str, endings: Sequence[tuple[str, str]]) -> str:
    for ending, base in endings:
        if word.endswith(ending):
            return word.removesuffix(ending) + base
    return word
