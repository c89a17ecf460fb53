from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

import locomo
from harness import locomo_data
from harness.asking import Found
from harness.locomo_data import BadData, Conversation, Question, Turn
from locomo import Judged
from tests.benchmarks import samples

KNOWN = ["D1:26", "D4:4", "D4:6", "D8:6", "D9:1", "D9:17", "D30:5"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["D8:6; D9:17"], {"D8:6", "D9:17"}),
        (["D9:1 D4:4 D4:6"], {"D9:1", "D4:4", "D4:6"}),
        (["D:1:26"], {"D1:26"}),
        (["D30:05"], {"D30:5"}),
        (["D"], set()),
        (["D10:19", "D4:36"], set()),
        ([], set()),
    ],
)
def test_malformed_evidence_is_mended_and_what_does_not_exist_is_dropped(written: list[str], meant: set[str]) -> None:
    assert locomo_data.evidence(written, KNOWN) == meant


def test_a_turn_becomes_a_memory_with_its_date_speaker_text_and_caption(tmp_path: Path) -> None:
    first = locomo_data.read(samples.locomo(tmp_path))[0].turns[0]

    assert first.content == "[1:56 pm on 8 May, 2023] Marta: I keep two bees hives in the garden. [photo: a white hive]"
    assert first.said_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_corrections_change_the_evidence_of_the_questions_that_they_name(tmp_path: Path) -> None:
    conversations = locomo_data.read(samples.locomo(tmp_path))
    corrections = tmp_path / "corrections.json"
    corrections.write_text(json.dumps([samples.correction(conversations[0].questions[0].text)]), "utf-8")

    corrected = locomo_data.corrected(conversations, corrections)

    assert corrected[0].questions[0].gold == {"D2:2"}
    assert corrected[0].questions[1:] == conversations[0].questions[1:]
    assert corrected[1:] == conversations[1:]


def test_corrections_of_another_file_are_refused(tmp_path: Path) -> None:
    conversations = locomo_data.read(samples.locomo(tmp_path))
    corrections = tmp_path / "corrections.json"
    corrections.write_text(json.dumps([samples.correction("another question")]), "utf-8")

    with pytest.raises(BadData, match="asks something else"):
        locomo_data.corrected(conversations, corrections)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="not in LoCoMo's format"):
        locomo_data.read(samples.poquad(tmp_path))


def test_a_question_is_measured_at_the_level_of_turns_and_of_sessions() -> None:
    turns = [Turn(f"D{session}:{n}", f"session_{session}", "", "", "", None) for session in (1, 2) for n in range(1, 9)]
    conversation = Conversation("c", tuple(turns), ())
    turn_of = {f"mem_{turn.id}": turn.id for turn in conversation.turns}
    found = Found(tuple(turn_of), 1.0, 1.0, (), 0.0)
    question = Question("?", 1, frozenset({"D1:2", "D2:3"}))

    measured = locomo.measures(question, found, turn_of, {turn.id: turn.id for turn in turns})

    assert measured == {
        "R@5": 0.5,
        "R@10": 0.5,
        "R@20": 1.0,
        "any@5": 1.0,
        "any@10": 1.0,
        "any@20": 1.0,
        "session any@5": 1.0,
        "session R@10": 1.0,
    }


def test_turns_of_the_same_text_are_one_memory() -> None:
    found = Found(("mem_a",), 1.0, 1.0, (), 0.0)
    question = Question("?", 4, frozenset({"D1:7"}))

    measured = locomo.measures(question, found, {"mem_a": "D1:1"}, {"D1:1": "D1:1", "D1:7": "D1:1"})

    assert measured["R@5"] == 1.0


def test_the_headline_weighs_conversations_alike_whatever_number_of_questions_they_have() -> None:
    good, bad = dict.fromkeys(locomo.MEASURES, 1.0), dict.fromkeys(locomo.MEASURES, 0.0)

    headline = locomo.macro([Judged("a", 1, good), Judged("b", 1, bad), Judged("b", 4, bad), Judged("b", 4, bad)])

    assert headline == dict.fromkeys(locomo.MEASURES, 0.5)
