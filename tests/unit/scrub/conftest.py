"""The libraries that scrub uses, as the product uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from palimpsest.adapters.scrub.lexbor import Lexbor
from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
from palimpsest.domain.scrub.kinds import Found
from palimpsest.domain.scrub.phone_numbers import phones
from palimpsest.domain.scrub.recognise import recognise

BOOK = NumberingPlans()
MARKUP = Lexbor()


def find_phones(text: str, regions: Sequence[str]) -> Iterable[Found]:
    return phones(text, is_number=BOOK.is_number, national_groups=BOOK.national_groups, regions=regions)


@pytest.fixture
def found() -> Callable[..., list[tuple[str, str]]]:
    """What is recognised in a text: kind and piece."""

    def find(text: str, regions: Sequence[str] = ("PL",), words: tuple[str, ...] = ()) -> list[tuple[str, str]]:
        pieces = recognise(text, find_phones, regions=regions, listed=words)
        return [(str(piece.kind), text[piece.start : piece.end]) for piece in pieces]

    return find
