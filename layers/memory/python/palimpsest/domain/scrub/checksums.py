"""Numbers that prove themselves: the check digits of Polish registers, accounts and payment cards."""

from __future__ import annotations

from collections.abc import Sequence

_PESEL = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)
_NIP = (6, 5, 7, 2, 3, 4, 5, 6, 7)
_REGON_9 = (8, 9, 2, 3, 4, 5, 6, 7)
_REGON_14 = (2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_CENTURIES = {0: 1900, 20: 2000, 80: 1800}
"""What PESEL adds to the month; the centuries to come are left out."""


def is_pesel(digits: str) -> bool:
    """Eleven digits that begin with a date of birth and end in the right check digit."""
    return len(digits) == 11 and _is_birth(digits) and (_sum(digits, _PESEL) + int(digits[10])) % 10 == 0


def is_nip(digits: str) -> bool:
    """Ten digits with the tax number's check digit."""
    return len(digits) == 10 and digits[0] != "0" and _sum(digits, _NIP) % 11 == int(digits[9])


def is_regon(digits: str) -> bool:
    """Nine digits, or fourteen that begin with such nine, with the check digits of the register of companies."""
    if len(digits) not in (9, 14) or _sum(digits, _REGON_9) % 11 % 10 != int(digits[8]):
        return False
    return len(digits) == 9 or _sum(digits, _REGON_14) % 11 % 10 == int(digits[13])


def is_iban(compact: str) -> bool:
    """The remainder by 97 of an account number in capitals, without spaces, is 1 (ISO 13616); any length."""
    return int("".join(str(int(sign, 36)) for sign in compact[4:] + compact[:4])) % 97 == 1


def is_luhn(digits: str) -> bool:
    """The digits' check digit by Luhn's formula is right."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def _sum(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _is_birth(digits: str) -> bool:
    year, shifted, day = int(digits[:2]), int(digits[2:4]), int(digits[4:6])
    century, month = _CENTURIES.get(shifted // 20 * 20), shifted % 20
    if century is None or not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1]:
        return False
    return (month, day) != (2, 29) or ((century + year) % 4 == 0 and (century + year) not in (1800, 1900))
