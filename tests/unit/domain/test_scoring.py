"""Scores of sayings and of texts that stand alone, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from palimpsest.domain import scoring
from palimpsest.domain.evidence import Asked, Texts
from palimpsest.domain.matching import Passages, Vectors
from palimpsest.domain.scoring import WEIGHTS
from palimpsest.domain.talk import Cue, Place, Said, Sayings
from palimpsest.domain.whitening import Whitening
from tests.support.one_text import bm25

ASKED = Asked([[0]], [2], 10, 5.0, None)


def _texts(
    counts: list[int],
    sayings: list[Said] | None = None,
    vectors: list[Vectors | None] | None = None,
    length: int = 5,
    answers: list[bool] | None = None,
) -> Texts:
    return Texts(
        np.array(counts).reshape(-1, 1),
        np.full(len(counts), length),
        Passages.none(len(counts)) if vectors is None else Passages.given(vectors, 4),
        Sayings.of(sayings or [Said()] * len(counts)),
        np.zeros(len(counts)),
        np.zeros(len(counts)),
        np.ones(len(counts), np.bool_) if answers is None else np.array(answers),
    )


def _at(turn: int, speaker: str = "", cues: Cue = Cue.NONE) -> Said:
    return Said(Place(1, turn), speaker, cues)


def test_a_text_that_stands_alone_has_bm25_over_the_size_of_the_space() -> None:
    scores = scoring.score(_texts([3, 0]), ASKED, None)

    by_hand = 0.28 * bm25([3], 5, [2], 10, 5.0) / log(11)
    assert scores.total.tolist() == pytest.approx([by_hand, 0.0])
    assert np.isnan(scores.similarities).all()


def test_a_saying_has_a_part_of_the_words_around_it() -> None:
    found = scoring.score(_texts([0, 0, 0, 1, 0, 0, 0], [_at(turn) for turn in range(7)]), ASKED, None)

    keyword = found.parts["keyword"]
    assert keyword[0] == keyword[6] == 0.0
    assert keyword[3] > keyword[4] > keyword[5] > keyword[1] > 0.0
    assert keyword[4] > keyword[2] > 0.0


def test_neighbours_are_those_of_the_same_talk() -> None:
    elsewhere = [_at(1), Said(Place(2, 2)), Said()]

    assert scoring.score(_texts([1, 0, 0], elsewhere), ASKED, None).parts["keyword"].tolist()[1:] == [0.0, 0.0]


def test_a_talk_that_says_more_of_what_is_asked_lifts_each_of_its_sayings() -> None:
    sayings = [_at(0), _at(9), Said(Place(2, 0)), Said(Place(3, 0))]

    talk = scoring.score(_texts([2, 0, 1, 0], sayings), ASKED, None).parts["talk"]

    assert talk[0] == talk[1] > talk[2] > talk[3] == 0.0


def test_only_the_one_speaker_that_is_named_is_preferred() -> None:
    texts = _texts([1, 1, 1], [_at(0, "anna nowak"), _at(4, "jan"), Said()])

    def preferred(*names: str) -> list[float]:
        found: list[float] = (
            scoring.score(texts, replace(ASKED, names=frozenset(names)), None).parts["speaker"].tolist()
        )
        return found

    assert preferred("anna") == [WEIGHTS["speaker"], 0.0, 0.0]
    assert preferred("anna", "jan") == preferred("piotr") == preferred() == [0.0, 0.0, 0.0]


def test_what_stands_in_no_talk_has_no_speaker() -> None:
    texts = _texts([1, 1], [Said(speaker="deadline"), _at(0, "jan")])

    asked = replace(ASKED, names=frozenset({"deadline"}))

    assert scoring.score(texts, asked, None).parts["speaker"].tolist() == [0.0, 0.0]


def test_cues_count_as_far_as_the_query_asks_for_them() -> None:
    texts = _texts([0, 0, 0], [_at(0, cues=Cue.QUESTION), _at(9, cues=Cue.TIME), _at(18, cues=Cue.FIRST_PERSON)])

    plain = scoring.score(texts, ASKED, None).total.tolist()
    when = scoring.score(texts, replace(ASKED, asks_when=True), None).total.tolist()

    assert plain == [WEIGHTS["question"], 0.0, WEIGHTS["first_person"]]
    assert when == [WEIGHTS["question"], WEIGHTS["when"], WEIGHTS["first_person"]]


def test_meaning_is_seen_from_the_middle_of_the_space() -> None:
    def unit(*numbers: float) -> Vectors:
        vector = np.array(numbers, np.float32)
        return (vector / np.linalg.norm(vector))[None, :]

    vectors: list[Vectors | None] = [unit(1, 0.1, 0, 0), unit(1, -0.1, 0, 0), unit(1, 0, 0.1, 0), None]
    whitening = Whitening.learn(np.concatenate([vector for vector in vectors if vector is not None]))
    asked = replace(ASKED, vector=unit(1, 0.05, 0, 0)[0])

    scores = scoring.score(_texts([0, 0, 0, 0], None, vectors), asked, whitening)

    assert scores.similarities[:3].min() > 0.98
    meaning = scores.parts["vector"].tolist()
    assert meaning[0] > 0.3 > max(meaning[1:3])
    assert meaning[3] == 0.0


def test_a_saying_has_a_part_of_the_meaning_around_it() -> None:
    random = np.random.default_rng(1)
    held = random.standard_normal((40, 4)).astype(np.float32)
    held /= np.linalg.norm(held, axis=1, keepdims=True)
    whitening = Whitening.learn(held)
    vectors: list[Vectors | None] = [held[[i]] for i in range(3)]
    asked = replace(ASKED, vector=held[0])

    alone = scoring.score(_texts([0, 0, 0], None, vectors), asked, whitening).parts["vector"]
    together = scoring.score(_texts([0, 0, 0], [_at(0), _at(1), _at(7)], vectors), asked, whitening).parts["vector"]

    assert together[1] > alone[1]
    assert together[2] == pytest.approx(alone[2])
    assert alone[0] == pytest.approx(40 / 44, abs=1e-5)


def test_sums_are_told_between_zero_and_one_in_the_same_order() -> None:
    told = scoring.share(np.array([-1.0, 0.0, 0.5, 2.0]))

    assert 0.0 < told[0] < told[1] < told[2] == 0.5 < told[3] < 1.0


def _apart(*cosines: float) -> tuple[Vectors, list[Vectors | None]]:
    """A query, and a text of each of these cosines with it, all far from one another."""
    query = np.array([1.0, 0, 0, 0], np.float32)
    return query, [np.array([[c, (1 - c * c) ** 0.5, 0, 0]], np.float32) for c in cosines]


def test_before_anything_is_known_of_a_space_what_has_no_vector_yet_is_not_behind_what_is_merely_near() -> None:
    query, vectors = _apart(0.80, 0.78)

    scores = scoring.score(_texts([0, 0, 2], None, [*vectors, None]), replace(ASKED, vector=query), None)

    assert int(np.argmax(scores.total)) == 2
    assert scores.parts["vector"].tolist() == pytest.approx([0.01, -0.01, 0.0], abs=1e-6)


def test_what_only_stands_beside_answers_decides_nothing_about_them() -> None:
    query, vectors = _apart(0.9, 0.1, 0.2)
    sayings = [_at(0, "jan"), _at(5, "anna"), _at(20, "ewa")]
    asked = replace(ASKED, vector=query, names=frozenset({"anna"}))

    alone = scoring.score(_texts([5, 1, 0], sayings, vectors, answers=[False, True, True]), asked, None)
    open_to_all = scoring.score(_texts([5, 1, 0], sayings, vectors), asked, None)

    assert scoring.nearest(open_to_all) == pytest.approx(0.9)
    assert scoring.nearest(alone) == pytest.approx(0.2)
    without = alone.total - alone.parts["speaker"]
    assert scoring.gap(alone) == pytest.approx(without[1] - without[2])
    assert scoring.gap(open_to_all) == pytest.approx(
        (open_to_all.total - open_to_all.parts["speaker"])[[1, 0]] @ [1, -1]
    )


def test_the_best_that_others_are_likened_to_is_an_answer() -> None:
    random = np.random.default_rng(4)
    held = random.standard_normal((40, 4)).astype(np.float32)
    held /= np.linalg.norm(held, axis=1, keepdims=True)
    whitening = Whitening.learn(held)
    vectors: list[Vectors | None] = [held[[i]] for i in range(3)]
    texts = _texts([9, 1, 0], None, vectors, answers=[False, True, True])

    feedback = scoring.score(texts, replace(ASKED, vector=held[1]), whitening).parts["feedback"]

    assert feedback[1] == pytest.approx(WEIGHTS["feedback"], abs=1e-5)


def test_without_another_side_there_is_no_gap() -> None:
    asked = replace(ASKED, names=frozenset({"anna"}))

    assert scoring.gap(scoring.score(_texts([1, 1], [_at(0, "anna"), _at(4, "anna")]), asked, None)) is None
    assert scoring.gap(scoring.score(_texts([1, 1], [_at(0, "jan"), _at(4, "ewa")]), asked, None)) is None
