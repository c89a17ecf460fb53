"""What may stand for a word of a query: found in any form, and never before the word itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest import settings
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.domain.analysis import analyse_query, query_words
from palimpsest.domain.asking.synonyms import MOST, Synonyms, own_groups
from palimpsest.settings import SettingError, Settings
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode
from palimpsest.usecases.question import Question
from tests.support.installation import OWNER, Installation, install

LINGUIST = Snowball()
OWN = Synonyms(LINGUIST, own_groups())


def stands_for(word: str, other: str) -> bool:
    """A text with `other` is found by `word`."""
    (forms,) = query_words(word, LINGUIST)
    return not set(OWN.added(forms)).isdisjoint(analyse_query(other, LINGUIST))


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("car", "automobile"), ("cars", "automobile"), ("repaired", "fix"), ("mieszkania", "lokum"), ("Bob", "Robert"),
        ("Kasia", "Katarzyna"), ("Katarzyna", "Kasia"), ("ROBERT", "bob"), ("klienta", "kontrahent"),
        ("zdjecie", "fotografia"), ("usterki", "błąd"),
    ],
)  # fmt: skip
def test_a_word_in_any_form_leads_to_what_means_the_same(word: str, other: str) -> None:
    assert stands_for(word, other)


@pytest.mark.parametrize(
    ("word", "other"), [("Bobby", "Rob"), ("car", "house"), ("scar", "automobile"), ("tea", "coffee")]
)
def test_a_short_form_leads_to_no_other_and_parts_of_words_to_nothing(word: str, other: str) -> None:
    assert not stands_for(word, other)


def test_few_terms_are_added_and_none_that_the_word_has() -> None:
    for group in own_groups():
        for word in group:
            forms = query_words(word, LINGUIST)[0]
            assert len(OWN.added(forms)) <= MOST
            assert set(forms).isdisjoint(OWN.added(forms))


def test_what_stands_for_a_word_counts_half_and_as_no_rarer_than_the_word() -> None:
    question = Question((("car",), ("red",)), added=(("automobil",), ()))

    assert question.terms == ("car", "red", "automobil")
    assert question.weights == [1.0, 1.0, 0.5]
    assert question.alternatives == [[0, 2], [1]]
    assert question.counted({"car": 40, "automobil": 1, "red": 3}) == [40, 3, 40]
    assert question.counted({"automobil": 1, "red": 3}) == [0, 3, 1]


def installed(folder: Path, **chosen: object) -> Iterator[Installation]:
    installation = install(folder, settings=Settings(key="k" * 43, recall_seconds=25.0, **chosen))  # type: ignore[arg-type]
    for text in ("the automobile is red", "the car is red", "the wall is red", "a bird sings"):
        installation.wired.service.remember(OWNER, Draft(text, judge=JudgeMode.OFF))
    installation.index()
    yield installation
    installation.sqlite.close()


def keyword(memory: Installation, query: str) -> dict[str, float]:
    found = memory.wired.service.recall(OWNER, RecallQuery(query, is_dry_run=True))
    return {hit.memory.version.statement.content: hit.scores["keyword"] for hit in found.hits}  # type: ignore[union-attr]


def test_a_text_is_found_by_another_word_and_the_word_itself_comes_first(tmp_path: Path) -> None:
    for memory in installed(tmp_path):
        found = keyword(memory, "the red car")

        assert found["the car is red"] > found["the automobile is red"] > found["the wall is red"]


def test_synonyms_are_switched_off_and_added_to_by_a_setting(tmp_path: Path) -> None:
    more = tmp_path / "synonyms"
    more.write_text("bird, wall\n\n", "utf-8")

    assert settings.read({"PALIMPSEST_SYNONYMS": "off"}).synonyms is None
    assert settings.read({"PALIMPSEST_SYNONYMS": str(more)}).synonyms == (("bird", "wall"),)
    with pytest.raises(SettingError, match="PALIMPSEST_SYNONYMS takes off, or a file"):
        settings.read({"PALIMPSEST_SYNONYMS": str(tmp_path / "none")})
    for memory in installed(tmp_path / "off", synonyms=None):
        found = keyword(memory, "the red car")
        assert found["the automobile is red"] == found["the wall is red"]
    for memory in installed(tmp_path / "more", synonyms=(("bird", "wall"),)):
        found = keyword(memory, "the bird")
        assert found["a bird sings"] > found["the wall is red"] > found["the car is red"]
