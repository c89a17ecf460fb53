"""The numbering plans of all countries, by the data of Google's libphonenumber in its Python form.

Its own parser takes 60 microseconds a number, and a page of digits has hundreds. So the plans' patterns are matched
here; a test holds the answers equal to the library's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

_SUBSCRIBERS = ("fixed_line", "mobile", "voip", "personal_number")
_ALL = (*_SUBSCRIBERS, "pager", "uan", "toll_free", "premium_rate", "shared_cost", "voicemail")
_LONGEST_CODE = 3


@dataclass(frozen=True, slots=True)
class _Form:
    """How numbers that begin so are written; `has_trunk`: with the digit that is dialled before them at home."""

    leading: re.Pattern[str]
    groups: re.Pattern[str]
    has_trunk: bool


@dataclass(frozen=True, slots=True)
class _Plan:
    """A region's numbers: all, those of subscribers, how they are written, and what is dialled before them at home."""

    numbers: re.Pattern[str]
    subscribers: re.Pattern[str]
    forms: tuple[_Form, ...]
    trunk: str

    def is_number(self, digits: str) -> bool:
        """They are one, with or without the trunk digit."""
        return any(self.numbers.fullmatch(number) for number in self._without_trunk(digits))

    def groups(self, digits: str) -> list[int] | None:
        """How long the groups are that a subscriber's number is written in."""
        for number in self._without_trunk(digits):
            if self.subscribers.fullmatch(number):
                return self._groups(number, has_trunk=len(number) < len(digits))
        return None

    def _without_trunk(self, digits: str) -> tuple[str, ...]:
        is_led = self.trunk and digits.startswith(self.trunk)
        return (digits, digits[len(self.trunk) :]) if is_led else (digits,)

    def _groups(self, number: str, *, has_trunk: bool) -> list[int]:
        for form in self.forms:
            written = form.groups.fullmatch(number) if form.leading.match(number) else None
            if written is not None:
                first, *others = (len(group) for group in written.groups())
                return [first + len(self.trunk) * (has_trunk or form.has_trunk), *others]
        return [len(number)]


class NumberingPlans:
    """A `PhoneBook`. The data is loaded at the first number that looks like one; most texts have none."""

    def is_number(self, digits: str) -> bool:
        return any(
            plan.is_number(digits[length:])
            for length in range(1, _LONGEST_CODE + 1)
            for plan in _plans(int(digits[:length]))
        )

    def is_region(self, region: str) -> bool:
        return region in _library().SUPPORTED_REGIONS

    def national_groups(self, digits: str, region: str) -> Sequence[int] | None:
        plan = _plan(region)
        return None if plan is None else plan.groups(digits)


@cache
def _library() -> ModuleType:
    import phonenumbers

    return phonenumbers


@cache
def _plans(country_code: int) -> tuple[_Plan, ...]:
    """The plans of the regions that share a code."""
    regions: Iterable[str] = _library().COUNTRY_CODE_TO_REGION_CODE.get(country_code, ())
    data = [_library().PhoneMetadata.metadata_for_region_or_calling_code(country_code, region) for region in regions]
    return tuple(_read(each) for each in data if each is not None)


@cache
def _plan(region: str) -> _Plan | None:
    data = _library().PhoneMetadata.metadata_for_region(region, None)
    return None if data is None else _read(data)


def _read(data: Any) -> _Plan:  # noqa: ANN401 - the library declares no type that says more
    trunk = data.national_prefix or ""
    forms = tuple(
        _Form(
            re.compile(form.leading_digits_pattern[-1] if form.leading_digits_pattern else ""),
            re.compile(form.pattern),
            bool(trunk) and re.search(rf"(?<!\d){trunk} ?\\1", form.national_prefix_formatting_rule or "") is not None,
        )
        for form in data.number_format
    )
    return _Plan(_any_of(data, _ALL), _any_of(data, _SUBSCRIBERS), forms, trunk)


def _any_of(data: Any, kinds: Sequence[str]) -> re.Pattern[str]:  # noqa: ANN401
    described = [getattr(data, kind) for kind in kinds]
    patterns = [each.national_number_pattern for each in described if each is not None and each.national_number_pattern]
    return re.compile("|".join(patterns) if patterns else "(?!)")
