"""Phone numbers: with their country anywhere; without it where the text calls them so or writes them as people do.

A number that only happens to have the digits of a phone's (an order, an amount, a size) stays. What is valid in which
country comes from outside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from palimpsest.domain.scrub.kinds import Found, Kind
from palimpsest.domain.scrub.phone_words import Label, follows_number, label_before

IsNumber = Callable[[str], bool]
"""Whether digits with their country's code in front are a valid number."""

NationalGroups = Callable[[str, str], Sequence[int] | None]
"""How long the groups are in which a region writes these digits; None unless they are a subscriber's number there."""

_APART = r"(?: ?[-/] ?| ?\u2013 ?| ?\(|\) ?-?|[ .])"
_DIALLED = re.compile(
    rf"(?<![\w+])(?<!\d[.,:])(?P<prefix>\(?\+|00(?=[ -]?[1-9]))\d*(?:{_APART}\d+|-?[ ]?\n[ ]?\d+){{0,7}}", re.ASCII
)
_RUN = re.compile(rf"(?<![\w#+])(?<!\d[.,:])(?<![^\W\d]-)(?P<open>\()?\d+(?:{_APART}\d+)*(?![\w-])", re.ASCII)
_DIGITS = re.compile(r"\d+", re.ASCII)
_BETWEEN = re.compile(r"(?<=\d)\D+(?=\d)", re.ASCII)
_MOST_DIGITS = 15
"""Of any number with its country's code (ITU E.164)."""
_LEAST_DIGITS, _MOST_NATIONAL_DIGITS = 7, 12
_OPENERS = frozenset(" \t\n(\"'>:;,/=*`\u2013\u2014\u260e\ufe0f\u201e\u201c\u2019|")


class _Numbers(NamedTuple):
    is_number: IsNumber
    national_groups: NationalGroups
    regions: Sequence[str]


def phones(
    text: str, *, is_number: IsNumber, national_groups: NationalGroups, regions: Sequence[str]
) -> Iterator[Found]:
    """The phone numbers in a text."""
    numbers = _Numbers(is_number, national_groups, regions)
    if "+" in text or "00" in text:
        yield from _every(_dialled(text, match, numbers) for match in _DIALLED.finditer(text))
    if regions:
        yield from _every(_national(text, match, numbers) for match in _RUN.finditer(text))


def _every(found: Iterable[Found | None]) -> Iterator[Found]:
    return (each for each in found if each is not None)


def _dialled(text: str, match: re.Match[str], numbers: _Numbers) -> Found | None:
    """The longest valid number that begins here; over the end of a line only when there is none on the line."""
    groups = list(_DIGITS.finditer(text, match.start(), match.end()))
    is_zeros = match["prefix"] == "00"
    if is_zeros and len(groups) == 1 and label_before(text, match.start()) is not Label.PHONE:
        return None
    on_line = [group for group in groups if "\n" not in text[match.start() : group.end()]]
    for candidates in (on_line, groups) if len(on_line) < len(groups) else (groups,):
        for count in range(len(candidates), 0, -1):
            digits = "".join(group[0] for group in candidates[:count])[2 if is_zeros else 0 :]
            if _LEAST_DIGITS <= len(digits) <= _MOST_DIGITS and numbers.is_number(digits):
                start = match.start()
                return Found(start, _closed(text, start, candidates[count - 1].end()), Kind.PHONE)
    return None


def _national(text: str, match: re.Match[str], numbers: _Numbers) -> Found | None:
    groups = list(islice(_DIGITS.finditer(match[0]), _MOST_NATIONAL_DIGITS + 1))
    longest = _longest(groups, numbers)
    if longest is None:
        return None
    label = label_before(text, match.start())
    if label is Label.PHONE:
        return Found(match.start(), match.start() + longest.end, Kind.PHONE)
    is_all = longest.size == len(groups) > 1
    if label is None and is_all and _is_grouped_so(match, groups, longest.written) and _stands_alone(text, match):
        return Found(match.start(), match.end(), Kind.PHONE)
    return None


class _Longest(NamedTuple):
    """The longest number that begins with the first group: its groups, where it ends, how it is written."""

    size: int
    end: int
    written: Sequence[int]


def _longest(groups: list[re.Match[str]], numbers: _Numbers) -> _Longest | None:
    for count in range(len(groups), 0, -1):
        digits = "".join(group[0] for group in groups[:count])
        if _LEAST_DIGITS <= len(digits) <= _MOST_NATIONAL_DIGITS:
            for region in numbers.regions:
                written = numbers.national_groups(digits, region)
                if written is not None:
                    return _Longest(count, groups[count - 1].end(), written)
    return None


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Nothing beside it makes an amount, a size or a piece of code of it."""
    before = text[match.start() - 1] if match.start() else " "
    return before in _OPENERS and not follows_number(text, match.end())


def _is_grouped_so(match: re.Match[str], groups: list[re.Match[str]], written: Sequence[int]) -> bool:
    """One kind of separator and the groups that the region writes; after an area code in brackets any."""
    lengths = [len(group[0]) for group in groups]
    if match["open"]:
        return lengths[0] == written[0]
    separators = set(_BETWEEN.findall(match[0]))
    return lengths == list(written) and separators in ({" "}, {"-"})


def _closed(text: str, start: int, end: int) -> int:
    """A bracket that the piece opens and does not close belongs to it when it closes just behind."""
    is_open = text.count("(", start, end) > text.count(")", start, end)
    return end + 1 if is_open and text[end : end + 1] == ")" else end
