"""Polish numbers of people and companies: PESEL, NIP, REGON. Where a check digit proves little, a word has to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palimpsest.domain.scrub.checksums import is_nip, is_pesel, is_regon
from palimpsest.domain.scrub.kinds import Found, Kind

_APART = (
    r"(?<![\w.,-])|(?<=[Pp][Ee][Ss][Ee][Ll])|(?<=[Rr][Ee][Gg][Oo][Nn])|(?<=[Nn][Ii][Pp])|(?<!\d)(?<=[.,-])(?<!\d[.,-])"
)
_AFTER = r"(?![\w-])(?![.,]\d)"
_PESEL = re.compile(r"(?:(?<![\w-])(?<!\d\.)|(?<=[Pp][Ee][Ss][Ee][Ll]))\d{11}(?![\w-])(?!\.\d)", re.ASCII)
_NIP = re.compile(
    rf"(?:(?:(?<![\w-])PL[ -]?)|{_APART})"
    r"(?:(?P<whole>\d{10})|\d{3}(?P<a>[ -])(?:\d{3}(?P=a)\d\d(?P=a)\d\d|\d\d(?P=a)\d\d(?P=a)\d{3}))" + _AFTER,
    re.IGNORECASE | re.ASCII,
)
_REGON = re.compile(rf"(?:{_APART})\d(?:[ -]?\d){{8}}(?:(?:[ -]?\d){{5}})?{_AFTER}", re.ASCII)

_NIP_WORDS = re.compile(r"\bnip|\bvat|podatk|\btax", re.IGNORECASE)
_REGON_WORDS = re.compile(r"regon", re.IGNORECASE)
_NEAR = 40


def identities(text: str) -> Iterator[Found]:
    """The numbers in a text."""
    for match in _PESEL.finditer(text):
        if is_pesel(match[0]):
            yield Found(match.start(), match.end(), Kind.ID)
    for match in _NIP.finditer(text):
        if is_nip(_digits(match[0])) and (_proves_itself(match) or _is_near(_NIP_WORDS, text, match)):
            yield Found(match.start(), match.end(), Kind.ID)
    if _REGON_WORDS.search(text):
        for match in _REGON.finditer(text):
            if is_regon(_digits(match[0])) and _is_near(_REGON_WORDS, text, match):
                yield Found(match.start(), match.end(), Kind.ID)


def _proves_itself(match: re.Match[str]) -> bool:
    """With its country, or grouped as only tax numbers are."""
    return match[0][:2].upper() == "PL" or match["a"] == "-"


def _is_near(words: re.Pattern[str], text: str, match: re.Match[str]) -> bool:
    return words.search(text, max(0, match.start() - _NEAR), match.end() + _NEAR) is not None


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
