"""Laws of the echo guard's decision: what was said is an echo of itself, and what adds anything is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.adapters.models.snowball import Snowball
from palimpsest.domain.echoing.deciding import echoed
from palimpsest.domain.echoing.reading import read
from tests.support.corpora import EchoPair, echo_pairs

LINGUIST = Snowball()
PAIRS = echo_pairs()
MEMORIES = sorted({memory for pair in PAIRS for memory in pair.recalled.split("\n")})
pairs = st.sampled_from(PAIRS)
memories = st.sampled_from(MEMORIES)


def is_echo(saved: str, *recalled: str) -> bool:
    said = [read(memory, LINGUIST) for memory in recalled]
    return echoed(read(saved, LINGUIST, is_framed=True), said) is not None


def with_end(text: str, addition: str) -> str:
    return f"{text.rstrip('.')} {addition}."


@given(memories, st.lists(memories, max_size=4))
def test_a_memory_is_an_echo_of_itself_among_others(memory: str, others: list[str]) -> None:
    assert is_echo(memory, *others, memory)
    assert is_echo(f"As you told me before, {memory}", memory, *others)


@given(pairs, st.integers(1_001, 9_999))
def test_a_number_that_was_not_recalled_makes_no_echo(pair: EchoPair, number: int) -> None:
    if str(number) not in pair.recalled:
        assert not is_echo(with_end(pair.saved, str(number)), *pair.recalled.split("\n"))


@given(pairs, st.sampled_from(["Zbigniew", "Quillon", "Frostbury", "Ożarów", "Kestrel"]))
def test_a_name_that_was_not_recalled_makes_no_echo(pair: EchoPair, name: str) -> None:
    assert not is_echo(with_end(pair.saved, name), *pair.recalled.split("\n"))
    assert not is_echo(f"{name} and {pair.saved}", *pair.recalled.split("\n"))


@given(memories, st.data())
def test_a_denial_that_was_not_recalled_makes_no_echo(memory: str, data: st.DataObject) -> None:
    words = memory.split()
    at = data.draw(st.integers(0, len(words)))
    denial = data.draw(st.sampled_from(["not", "never", "nie", "nigdy", "without", "bez"]))

    assert not is_echo(" ".join([*words[:at], denial, *words[at:]]), memory)


@settings(max_examples=40)
@given(memories, st.text(max_size=100))
def test_any_text_is_read(memory: str, text: str) -> None:
    is_echo(text, memory, text)


@given(st.permutations(MEMORIES[:6]), st.sampled_from(MEMORIES[:6]))
def test_the_order_of_what_was_recalled_changes_nothing(recalled: list[str], memory: str) -> None:
    assert is_echo(memory, *recalled)
    assert not is_echo(with_end(memory, "Zbigniew"), *recalled)


@pytest.mark.parametrize(
    ("recalled", "saved"),
    [
        ("The user prefers tea to coffee.", "The user prefers coffee to tea."),
        ("Nora is in Leeds, Ben in Derby.", "Nora is in Derby, Ben in Leeds."),
        ("Nora leads the design team.\nBen likes tea.", "Nora, who leads the design team, likes tea."),
        ("The user's brother plays chess.", "The user plays chess."),
        ("The user might move to Leeds.", "The user moves to Leeds."),
        ("The user lives in Leeds.", "The user lived in Leeds."),
        ("The user worked at Alfa.", "The user works at Alfa."),
        ("The user doesn't drink coffee but drinks tea.", "The user drinks coffee but doesn't drink tea."),
        ("The freezer is set to -8 °C.", "The freezer is set to 8 °C."),
        ("Versioning is on.", "Versioning is off."),
        ("The API is written in Go.\nThe worker is written in Rust.", "The API is written in Rust, the worker in Go."),
        ("Martin gra na basie.", "Marta gra na basie."),
        ("Kamil gra na basie.", "Kamila gra na basie."),
        ("Użytkownik woli herbatę od kawy.", "Użytkownik woli kawę od herbaty."),
        ("Użytkownik mieszka w Łodzi.", "Użytkownik mieszkał w Łodzi."),
        ("Rehabilitacja jest dwa razy w tygodniu.", "Rehabilitacja jest raz w tygodniu."),
    ],
)
def test_what_uses_only_recalled_words_otherwise_is_news(recalled: str, saved: str) -> None:
    assert not is_echo(saved, *recalled.split("\n"))
