"""Our reading of the numbering plans answers as the library that they come from."""

from __future__ import annotations

import random
import re

import phonenumbers
import pytest

from tests.unit.scrub.conftest import BOOK

CODES = sorted(phonenumbers.COUNTRY_CODE_TO_REGION_CODE)
UNUSUAL = {261, 378, 352}  # their numbers are rewritten before they are looked up
SUBSCRIBERS = {
    phonenumbers.PhoneNumberType.FIXED_LINE,
    phonenumbers.PhoneNumberType.MOBILE,
    phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE,
    phonenumbers.PhoneNumberType.PERSONAL_NUMBER,
    phonenumbers.PhoneNumberType.VOIP,
}


def _parsed(digits: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        return phonenumbers.parse(digits, region)
    except phonenumbers.NumberParseException:
        return None


def test_numbers_with_their_countrys_code_are_those_of_the_library() -> None:
    seeded = random.Random(24)
    wrong = []
    for code in CODES:
        for length in range(5, 12):
            digits = str(code) + "".join(seeded.choices("0123456789", k=length))
            number = _parsed(f"+{digits}", None)
            is_valid = number is not None and phonenumbers.is_valid_number(number)
            if BOOK.is_number(digits) != is_valid and code not in UNUSUAL:
                wrong.append(digits)

    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_the_example_numbers_of_every_country_are_numbers(code: int) -> None:
    for region in phonenumbers.COUNTRY_CODE_TO_REGION_CODE[code]:
        example = phonenumbers.example_number(region)
        if example is not None:
            assert BOOK.is_number(phonenumbers.format_number(example, phonenumbers.PhoneNumberFormat.E164)[1:])


@pytest.mark.parametrize("region", ["PL", "DE", "GB", "US", "FR", "UA", "CZ", "AT", "IE"])
def test_numbers_of_a_region_are_grouped_as_the_library_writes_them(region: str) -> None:
    seeded = random.Random(25)
    code = str(phonenumbers.country_code_for_region(region))
    drawn = ["".join(seeded.choices("0123456789", k=seeded.randint(8, 11))) for _ in range(400)]
    seen = 0
    for digits in drawn:
        if digits.startswith(code):
            continue  # the library also takes it for a number with its country's code
        number = _parsed(digits, region)
        is_subscriber = (
            number is not None
            and phonenumbers.is_valid_number_for_region(number, region)
            and phonenumbers.number_type(number) in SUBSCRIBERS
        )
        groups = BOOK.national_groups(digits, region)

        assert (groups is not None) == is_subscriber, digits
        if number is not None and groups is not None:
            written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
            assert groups == [len(group) for group in re.findall(r"\d+", written)], digits
            seen += 1
    assert seen


def test_an_unknown_region_has_no_numbers() -> None:
    assert BOOK.national_groups("601234567", "XX") is None


def test_numbers_of_services_are_nobodys() -> None:
    assert BOOK.national_groups("800123456", "PL") is None
    assert BOOK.is_number("48800123456")
