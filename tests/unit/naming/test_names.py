from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.naming.names import NameFault, fault_of, name_key


@pytest.mark.parametrize("spelling", ["@otto", " Otto ", "OTTO", "Ｏtto", "@ otto"])
def test_spellings_of_one_name_have_one_key(spelling: str) -> None:
    assert name_key(spelling) == "otto"


def test_only_one_leading_at_is_taken_off_and_white_space_collapses() -> None:
    assert name_key("@@otto") == "@otto"
    assert name_key("Harrow \t\n Freight") == "harrow freight"
    assert name_key("Straße") == name_key("STRASSE")


@given(st.text(st.characters(exclude_characters="@")))
def test_the_key_of_a_key_is_itself(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@pytest.mark.parametrize(
    "name",
    ["Anna", "C++", "F#", "Node.js", "@acme/queue", "Open'er", "Berlin Marathon", "R2-D2", "S.A. Lotos", "May", "東京",
     "Żółć", "Windows 11", "AT&T", "ERR-4411", "1Password", "3M Polska"],
)  # fmt: skip
def test_these_can_be_names(name: str) -> None:
    assert fault_of(name) is None


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("x" * 41, NameFault.TOO_LONG),
        ("a man with a large hat", NameFault.TOO_MANY_WORDS),
        ("R", NameFault.FEW_LETTERS),
        ("???", NameFault.FEW_LETTERS),
        ("tab\x07bel", NameFault.CONTROLS),
        ("a​b", NameFault.CONTROLS),
        ("f(x)", NameFault.MATH),
        ("y = ax", NameFault.MATH),
        ("x^2", NameFault.FEW_LETTERS),
        ("ab ≤ cd", NameFault.MATH),
        (r"\frac ab", NameFault.MATH),
        ("sum 2+2", NameFault.MATH),
        ("1,250.00 EUR", NameFault.NUMBER),
        ("9:30", NameFault.NUMBER),
        ("14th", NameFault.NUMBER),
        ("12 May 2024", NameFault.DATE),
        ("Tuesday", NameFault.DATE),
        ("Q3 2024", NameFault.DATE),
        ("w czwartek", None),
        ("14 lipca", NameFault.DATE),
        ("Week 12", NameFault.DATE),
    ],
)
def test_what_is_no_name_is_told_why(name: str, fault: NameFault | None) -> None:
    assert fault_of(name) is fault
