"""Numbers as DynamoDB keeps them: exact decimals of at most 38 digits."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Final

from palimpsest.adapters.table_rules.limits import NUMBER_DIGITS, NUMBER_EXPONENTS, RequestRefused

_PLAIN: Final = 10**NUMBER_DIGITS
_EXACT: Final = Context(prec=600)
"""Wide enough for the sum of any two numbers that DynamoDB takes."""


def canonical_number(number: int | Decimal) -> int | Decimal:
    """The one form of a number: an int when it is whole, else a `Decimal` without trailing zeros.

    Raises:
        RequestRefused: More than 38 digits, or past the magnitudes that DynamoDB keeps.
    """
    if isinstance(number, int) and -_PLAIN < number < _PLAIN:
        return number
    exact = number if isinstance(number, Decimal) else Decimal(number)
    if not exact.is_finite():
        raise RequestRefused("a number must be finite")
    if not exact:
        return 0
    sign, digits, exponent = _trimmed(exact)
    if len(digits) > NUMBER_DIGITS:
        raise RequestRefused(f"a number has at most {NUMBER_DIGITS} digits")
    if exponent + len(digits) - 1 not in NUMBER_EXPONENTS:
        raise RequestRefused("a number's magnitude must be from 1E-130 to 9.99E+125")
    trimmed = Decimal((sign, digits, exponent))
    return trimmed if exponent < 0 else int(trimmed)


def total(one: int | Decimal, other: int | Decimal) -> int | Decimal:
    """The exact sum, in canonical form."""
    if isinstance(one, int) and isinstance(other, int):
        return canonical_number(one + other)
    return canonical_number(_EXACT.add(Decimal(one), Decimal(other)))


def number_size(number: int | Decimal) -> int:
    """Bytes that a number counts: one, one for each two digits in pairs about the decimal point, one for a minus.

    AWS's pages say only "approximately 1 byte per two significant digits, and 1 byte"; this is the form that was
    measured on the service.
    """
    if not number:
        return 1
    sign, digits, exponent = _trimmed(Decimal(number))
    aligned = len(digits) + exponent % 2
    return 1 + (aligned + 1) // 2 + sign


def _trimmed(number: Decimal) -> tuple[int, tuple[int, ...], int]:
    sign, digits, exponent = number.as_tuple()
    end = len(digits)
    while digits[end - 1] == 0:
        end -= 1
    return sign, digits[:end], int(exponent) + len(digits) - end
