"""The labelled conversations are many and hard, and their labels are where, when and what they say."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

import pytest

from palimpsest.domain.version import MemoryType
from tests.support.corpora import FOLDER, Conversation, LabelledFact, Turn, conversations

# Of both files, in the order of their names. Labels are frozen: a new digest needs a wrong label as its reason.
DIGEST = "f1d045ebb1ca4e9a905b7e101c4d78560731fdec3b6644c3a74d89133749ec70"

TYPES = {
    "preference": {MemoryType.PREFERENCE},
    "decision": {MemoryType.EPISODE},
    "event": {MemoryType.EPISODE},
    "plan": {MemoryType.EPISODE},
    "relation": {MemoryType.FACT},
    "attribute": {MemoryType.FACT, MemoryType.PROCEDURE},
}
DAYS_FROM_NOW = {
    "two weeks ago": -14,
    "yesterday": -1,
    "wczoraj": -1,
    "this morning": 0,
    "tomorrow": 1,
    "from tomorrow": 1,
    "pojutrze": 2,
    "in two weeks": 14,
    "za dwa tygodnie": 14,
}
WEEKDAYS = (
    ("monday", "poniedzia"),
    ("tuesday", "wtor"),
    ("wednesday", "środ"),
    ("thursday", "czwart"),
    ("friday", "piąt", "piat"),
    ("saturday", "sobot"),
    ("sunday", "niedziel"),
)
BY_HAND = {"od pierwszego": date(2026, 10, 1), "na ten dzień": date(2026, 10, 5)}

TALKS = conversations()
TURNS = [turn for talk in TALKS for turn in talk.turns]
LABELS = [(talk, turn, fact) for talk in TALKS for turn in talk.turns for fact in turn.facts]


def _said_on(talk: Conversation, turn: Turn) -> date:
    return talk.held_on if turn.at is None else turn.at.date()


def _is_named_by(phrase: str, day: date, said_on: date) -> bool:
    """Whether a phrase, said on one day, can name the other."""
    phrase = phrase.lower()
    if phrase in BY_HAND:
        return day == BY_HAND[phrase]
    if phrase in DAYS_FROM_NOW:
        return day == said_on + timedelta(days=DAYS_FROM_NOW[phrase])
    if any(name in phrase for names in WEEKDAYS for name in names):
        return any(name in phrase for name in WEEKDAYS[day.weekday()]) and abs((day - said_on).days) <= 8
    return re.findall(r"\d+", phrase)[:1] == [str(day.day)] and abs((day - said_on).days) < 183


def _facts(language: str) -> list[LabelledFact]:
    return [fact for talk, _, fact in LABELS if talk.language == language]


def test_no_label_was_changed() -> None:
    files = sorted((FOLDER / "facts").glob("*.jsonl"))

    assert [file.name for file in files] == ["conversations.jsonl", "turns.jsonl"]
    assert hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest() == DIGEST


def test_half_is_english_and_half_is_polish() -> None:
    talks = Counter(talk.language for talk in TALKS)
    turns = {language: sum(len(talk.turns) for talk in TALKS if talk.language == language) for language in talks}

    assert min(talks["en"], talks["pl"]) >= 12
    assert talks["mixed"] >= 3
    assert min(turns["en"], turns["pl"]) >= 150
    assert 0.9 <= turns["en"] / turns["pl"] <= 1.1


@pytest.mark.parametrize("language", ["en", "pl"])
def test_each_language_has_every_kind_of_fact_and_as_many_hard_ones_as_easy_ones(language: str) -> None:
    facts = _facts(language)
    kinds = Counter(fact.kind for fact in facts)

    assert set(kinds) == set(TYPES)
    assert min(kinds.values()) >= 5
    assert 0.35 <= sum(fact.easy for fact in facts) / len(facts) <= 0.55


@pytest.mark.parametrize("language", ["en", "pl", "mixed"])
def test_two_in_five_turns_of_users_have_nothing_to_learn(language: str) -> None:
    said = [turn for talk in TALKS if talk.language == language for turn in talk.turns if turn.role == "user"]
    empty = [turn for turn in said if not turn.facts]

    assert 0.4 <= len(empty) / len(said) <= 0.6


def test_nothing_is_learned_from_the_assistant() -> None:
    assert {turn.role for turn in TURNS} == {"user", "assistant"}
    assert [turn.id for turn in TURNS if turn.role == "assistant" and turn.facts] == []


def test_turns_are_numbered_through_and_begin_with_their_language() -> None:
    assert {(talk.language, talk.id[0]) for talk in TALKS} == {("en", "e"), ("pl", "p"), ("mixed", "m")}
    assert len({talk.id for talk in TALKS}) == len(TALKS)
    for talk in TALKS:
        assert [turn.id for turn in talk.turns] == [
            f"{talk.id}-{number:02}" for number in range(1, len(talk.turns) + 1)
        ]


def test_turns_have_dates_in_order_unless_the_whole_talk_has_but_one() -> None:
    undated = [talk.id for talk in TALKS if all(turn.at is None for turn in talk.turns)]

    assert len(undated) >= 2
    for talk in TALKS:
        times = [turn.at for turn in talk.turns if turn.at is not None]
        if talk.id not in undated:
            assert len(times) == len(talk.turns), talk.id
            assert times[0].date() == talk.held_on, talk.id
            assert all(before < after for before, after in pairwise(times)), talk.id


def test_the_evidence_is_in_the_turn_once_and_the_phrase_is_in_the_evidence() -> None:
    for _, turn, fact in LABELS:
        assert turn.text.count(fact.evidence) == 1, (turn.id, fact.evidence)
        assert fact.evidence == fact.evidence.strip() != "", turn.id
        assert fact.date_phrase is None or fact.date_phrase in fact.evidence, turn.id


def test_a_date_is_one_that_its_phrase_names() -> None:
    dated = [label for label in LABELS if label[2].event_date is not None]

    assert len(dated) >= 45
    for talk, turn, fact in dated:
        assert fact.date_phrase is not None, turn.id
        assert fact.event_date is not None
        assert _is_named_by(fact.date_phrase, fact.event_date, _said_on(talk, turn)), (turn.id, fact.date_phrase)
        assert str(fact.event_date) in fact.text, turn.id


def test_a_phrase_without_a_date_names_no_day() -> None:
    vague = [fact.date_phrase.lower() for _, _, fact in LABELS if fact.date_phrase and fact.event_date is None]

    assert len(vague) >= 10
    for phrase in vague:
        assert phrase not in DAYS_FROM_NOW
        assert not any(name in phrase for names in WEEKDAYS for name in names)
        assert all(int(number) > 31 for number in re.findall(r"\d+", phrase)), phrase


def test_a_memory_type_is_one_of_its_kind() -> None:
    assert [turn.id for _, turn, fact in LABELS if fact.memory_type not in TYPES[fact.kind]] == []
    assert {fact.memory_type for _, _, fact in LABELS} == set(MemoryType)


def test_a_subject_is_the_user_or_somebody_who_was_named_by_then() -> None:
    for talk, turn, fact in LABELS:
        number = talk.turns.index(turn) + 1
        named = " ".join(f"{heard.speaker} {heard.text}" for heard in talk.turns[:number])
        among_people = all(heard.role == "user" for heard in talk.turns)

        # The last letter is where Polish names change.
        assert fact.subject == "user" or fact.subject[:-1] in named, turn.id
        assert fact.subject != "user" or not among_people, turn.id


def test_some_talks_are_between_two_named_people() -> None:
    pairs = [talk for talk in TALKS if all(turn.role == "user" for turn in talk.turns)]

    assert len(pairs) >= 3
    assert all(len({turn.speaker for turn in talk.turns} - {None}) == 2 for talk in pairs)


def test_what_is_taken_back_is_said_again_later_in_the_talk() -> None:
    taken_back = [label for label in LABELS if label[2].corrected_by is not None]

    assert len(taken_back) >= 2
    for talk, turn, fact in taken_back:
        later = talk.turns[talk.turns.index(turn) + 1 :]
        corrections = [other for after in later if after.id == fact.corrected_by for other in after.facts]
        assert [(other.kind, other.subject) for other in corrections] == [(fact.kind, fact.subject)], turn.id


def test_no_fact_is_labelled_twice_and_each_is_a_sentence_of_its_own() -> None:
    texts = [fact.text for _, _, fact in LABELS]

    assert len(set(texts)) == len(texts)
    assert all(re.fullmatch(r"[A-ZŁŚŻ].*[^.]\.", text) for text in texts)


@pytest.mark.parametrize(
    ("tempting", "least"),
    [
        (r"\?", 40),
        (r"\b(if|suppose|imagine|maybe|gdyby\w*|jakby\w*|moze|może)\b", 12),
        (r"\b(wish|would|chcia\w+|żeby)\b", 5),
        (r"[\"“”].+[\"“”]", 12),
        (r"```", 3),
        (r"\b(lol|haha|xd)\b|[🙃😂😅🤣🙄🙈😜😈]|;\)", 12),
        (r"\b(I|I'm|my)\b", 12),
        (r"\w+(łam|łem|lam|lem)\b|\b(mam|jestem|wol[eę]|nie piję)\b", 6),
    ],
    ids=["questions", "conditions", "wishes", "quotes", "code", "jokes", "I", "first person in Polish"],
)
def test_many_turns_without_a_fact_look_as_if_they_had_one(tempting: str, least: int) -> None:
    empty = [turn.id for turn in TURNS if turn.role == "user" and not turn.facts]
    found = [turn for turn in TURNS if turn.id in empty and re.search(tempting, turn.text, re.IGNORECASE)]

    assert len(found) >= least


def test_some_turns_have_several_facts() -> None:
    assert sum(len(turn.facts) >= 2 for turn in TURNS) >= 40
    assert sum(len(turn.facts) >= 3 for turn in TURNS) >= 5
