"""What is asked for to the letter."""

from __future__ import annotations

import pytest

from palimpsest.domain.asking.exact import Exact, exact_in

_MEMORY = "mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("ERR-4411", ("ERR-4411",)),
        ("what does ERR-4411 mean?", ("ERR-4411",)),
        ("why does main.py fail in src/app_2?", ("main.py", "src/app_2")),
        ("who is anna@example.com", ("anna@example.com",)),
        ("what is snake_case", ("snake_case",)),
        ("the flight LO281 to Gdańsk", ("LO281",)),
        ("release v1.2.3", ("v1.2.3",)),
        ('who said "never again" to me', ("never again",)),
        ("kto powiedział „nigdy więcej”", ("nigdy więcej",)),
        ("run `make test` twice", ("make test",)),
        ("a well-known long-term plan", ()),
        ("on 2025-03-14 at 10:30, the 3rd of May", ()),
        ("14.03.2025 r. o 15:30", ()),
        ("what happened in the 90s", ()),
        ("what does Marta drink?", ()),
        ('an empty "" quotation', ()),
        ("tea and/or coffee, e.g. green, m.in. czarna", ()),
        ("what is in src/app/x.py or db.go", ("src/app/x.py", "db.go")),
    ],
)
def test_identifiers_and_quotations_are_asked_for_as_they_stand(query: str, phrases: tuple[str, ...]) -> None:
    assert exact_in(query) == Exact((), phrases)


def test_ids_are_asked_for_and_are_no_identifiers() -> None:
    assert exact_in(f"show {_MEMORY} and mem_short") == Exact((_MEMORY,), ("mem_short",))


def test_nothing_is_asked_for_to_the_letter() -> None:
    assert not exact_in("what does Marta drink?")
    assert exact_in("ERR-1 ERR-2 ERR-3 ERR-4 ERR-5").phrases == ("ERR-1", "ERR-2", "ERR-3", "ERR-4")
