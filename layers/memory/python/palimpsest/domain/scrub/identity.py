"""Polish numbers of people and companies: PESEL, NIP, REGON. Where a check digit proves little, a word has to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palimpsest.domain.scrub.checksums import is_nip, is_pesel, is_regon
from palimpsest.domain.scrub.kinds import Found, Kind

# What may stand before a number is looked at afterwards: an expression that begins with digits is looked for faster.
_PESEL = re.compile(r"\d{11}(?![\w-])(?!\.\d)", re.ASCII)
_NIP = re.compile(
    r"(?:\d{10}|\d{3}(?P<a>[ -])(?:\d{3}(?P=a)\d\d(?P=a)\d\d|\d\d(?P=a)\d\d(?P=a)\d{3}))(?![\w-])(?![.,]\d)", re.ASCII
)
_REGON = re.compile(r"\d(?:[ -]?\d){8}(?:(?:[ -]?\d){5})?(?![\w-])(?![.,]\d)", re.ASCII)
_BEFORE = re.compile(r"(?:^|[^\w.,-]|pesel|regon|nip|(?:^|\D)[.,-])$", re.IGNORECASE)
_BEFORE_PESEL = re.compile(r"(?:^|[^\w.-]|pesel|(?:^|\D)\.)$", re.IGNORECASE)
_COUNTRY = re.compile(r"(?<![\w-])PL[ -]?$", re.IGNORECASE)
_LONGEST_BEFORE = 6

_NIP_WORDS = re.compile(r"\bnip|\bvat|podatk|\btax", re.IGNORECASE)
_REGON_WORDS = re.compile(r"regon", re.IGNORECASE)
_NEAR = 40


def identities(text: str) -> Iterator[Found]:
    """The numbers in a text."""
    for match in _PESEL.finditer(text):
        if is_pesel(match[0]) and _BEFORE_PESEL.search(_before(text, match)):
            yield Found(match.start(), match.end(), Kind.ID)
    for match in _NIP.finditer(text):
        if is_nip(_digits(match[0])):
            yield from _tax_number(text, match)
    if _REGON_WORDS.search(text):
        for match in _REGON.finditer(text):
            is_called_so = _BEFORE.search(_before(text, match)) and _is_near(_REGON_WORDS, text, match)
            if is_regon(_digits(match[0])) and is_called_so:
                yield Found(match.start(), match.end(), Kind.ID)


def _tax_number(text: str, match: re.Match[str]) -> Iterator[Found]:
    """With its country, grouped as only tax numbers are, or called one."""
    before = _before(text, match)
    country = _COUNTRY.search(before)
    if country is not None:
        yield Found(match.start() - len(country[0]), match.end(), Kind.ID)
    elif _BEFORE.search(before) and (match["a"] == "-" or _is_near(_NIP_WORDS, text, match)):
        yield Found(match.start(), match.end(), Kind.ID)


def _before(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - _LONGEST_BEFORE) : match.start()]


def _is_near(words: re.Pattern[str], text: str, match: re.Match[str]) -> bool:
    return words.search(text, max(0, match.start() - _NEAR), match.end() + _NEAR) is not None


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
