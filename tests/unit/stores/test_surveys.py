"""A survey is kept whole or not at all, however long the vectors are."""

from __future__ import annotations

import numpy as np
import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Key, Put
from palimpsest.stores import keys
from palimpsest.stores.surveys import UNKNOWN, Standing, Survey, Surveys

SPACE = SpaceId("s")
MADE = Standing(entries=300, embedded=200)


def _survey(dimensions: int, seed: int = 1) -> Survey:
    vectors = np.random.default_rng(seed).standard_normal((300, dimensions)).astype(np.float32)
    return Survey(Whitening.learn(vectors / np.linalg.norm(vectors, axis=1, keepdims=True)), ("anna", "jan"))


@pytest.mark.parametrize("dimensions", [4, 384, 1_536, 4_096])
def test_a_survey_of_vectors_of_any_length_is_read_as_it_was_kept(dimensions: int) -> None:
    surveys, model, found = Surveys(SqliteTable(":memory:")), Model("m", "1", dimensions), _survey(dimensions)

    assert surveys.keep(SPACE, model, found, made=MADE, number=0)
    again = Surveys(surveys.table).read(SPACE, model)

    assert again.speakers == found.speakers
    assert again.whitening is not None
    assert found.whitening is not None
    assert again.whitening.count == 300
    assert np.allclose(again.whitening.mean, found.whitening.mean, atol=1e-3)
    assert np.allclose(again.whitening.axes, found.whitening.axes, rtol=1e-2, atol=1e-2)
    assert surveys.standing(SPACE, model) == MADE


def test_parts_of_two_surveys_are_not_read_as_one() -> None:
    table, model = SqliteTable(":memory:"), Model("m", "1", 1_536)
    surveys = Surveys(table)
    surveys.keep(SPACE, model, _survey(1_536), made=MADE, number=0)
    place = keys.survey_axes(SPACE, model, 1)
    old = table.get([place]).items[place]

    surveys.keep(SPACE, model, _survey(1_536, seed=2), made=MADE, number=1)
    table.write(Put(old))

    assert surveys.read(SPACE, model) == UNKNOWN


def test_a_survey_in_fewer_parts_than_the_one_before_is_read_alone() -> None:
    surveys, model = Surveys(SqliteTable(":memory:")), Model("m", "1", 1_536)
    surveys.keep(SPACE, model, _survey(1_536), made=MADE, number=0)

    surveys.keep(SPACE, model, Survey(None, ("anna",)), made=MADE, number=1)

    assert surveys.read(SPACE, model) == Survey(None, ("anna",))


def test_of_two_surveys_that_were_begun_together_one_is_kept() -> None:
    surveys, model = Surveys(SqliteTable(":memory:")), Model("m", "1", 4)

    assert surveys.keep(SPACE, model, Survey(None, ("anna",)), made=MADE, number=0)
    assert not surveys.keep(SPACE, model, Survey(None, ("jan",)), made=MADE, number=0)

    assert surveys.read(SPACE, model).speakers == ("anna",)


def test_all_parts_of_a_survey_are_forgotten_and_the_number_of_the_space_is_not() -> None:
    table, model = SqliteTable(":memory:"), Model("m", "1", 4_096)
    surveys = Surveys(table)
    surveys.keep(SPACE, model, _survey(4_096), made=MADE, number=0)

    surveys.forget(SPACE)

    assert [Key(str(each["pk"]), str(each["sk"])) for each in table.scan().items] == [keys.survey_number(SPACE)]
    assert surveys.standing(SPACE, model) == Standing()
    assert surveys.number(SPACE) == 2
    assert surveys.read(SPACE, model) == UNKNOWN
