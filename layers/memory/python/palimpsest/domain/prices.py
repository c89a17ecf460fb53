"""What language models cost. Money is whole micro-dollars, so that sums are exact."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Final

MICRO: Final = 1_000_000
_MILLION: Final = 1_000_000
_DEAREST: Final = Decimal(10_000)
_AMOUNT: Final = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class Price:
    """Micro-dollars for a million tokens."""

    input: int
    output: int

    def of(self, input_tokens: int, output_tokens: int) -> int:
        """Micro-dollars for so many tokens, rounded up."""
        return -(-(input_tokens * self.input + output_tokens * self.output) // _MILLION)

    @classmethod
    def usd(cls, input_usd: str, output_usd: str) -> Price:
        """Of dollars for a million tokens, as providers publish prices; ValueError for what is no amount."""
        return cls(micro_usd(input_usd), micro_usd(output_usd))


def micro_usd(amount: str) -> int:
    """Micro-dollars in an amount of dollars, rounded up; ValueError for a text that is none up to 10,000."""
    if not _AMOUNT.fullmatch(amount) or Decimal(amount) > _DEAREST:
        raise ValueError(amount)
    return int((Decimal(amount) * MICRO).to_integral_value(ROUND_CEILING))


def dollars(amount: int) -> Decimal:
    """Dollars in an amount of micro-dollars."""
    return Decimal(amount) / MICRO
