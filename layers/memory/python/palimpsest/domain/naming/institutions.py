"""The base form of Polish names that begin with a noun for the kind of institution: w Szpitalu Bielańskim."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
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
_NEUTER: Final = (("iego", "ie"), ("ego", "e"), ("iemu", "ie"), ("emu", "e"), ("im", "ie"), ("ym", "e"))
_ENDINGS: Final = {
    True: (("skiej", "ska"), ("iej", "a"), ("ej", "a"), ("ą", "a")),
    False: (("kiego", "ki"), ("iego", "i"), ("ego", "y"), ("iemu", "i"), ("emu", "y"), ("kim", "ki"), ("im", "i"),
            ("ym", "y")),
}  # fmt: skip
"""Adjectives beside a feminine noun, and beside another one."""


def institution(run: Sequence[Token]) -> str | None:
    """The base form of the run; None when it names no institution."""
    head = next((form for form in bases(run[0].lower) if form in _NOUNS), None)
    if head is None or len(run) < 2 or run[0].lower.endswith(("ów", "om", "ach", "ami")):
        return None
    if head == run[0].lower and not head.endswith("um"):
        return " ".join(token.text for token in run)
    endings = _NEUTER if head.endswith(("um", "o", "e")) else _ENDINGS[head.endswith("a")]
    words = [token.text for token in run[1:]]
    agreeing = list(takewhile(lambda pair: pair[1] is not None, ((word, _adjective(word, endings)) for word in words)))
    return " ".join([head.capitalize(), *(base or "" for _, base in agreeing), *words[len(agreeing) :]])


def _adjective(word: str, endings: Sequence[tuple[str, str]]) -> str | None:
    """The base form of an adjective beside the noun; None when the word is none, and what follows it belongs to it."""
    return next((word.removesuffix(ending) + base for ending, base in endings if word.endswith(ending)), None)
