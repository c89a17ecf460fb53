"""When the model reads a text, and when it is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import ModelFailure, ModelUnavailable
from palimpsest.domain.graph.links import ReadBy
from palimpsest.domain.naming.known import Known, KnownName
from palimpsest.domain.naming.proposals import Proposals
from palimpsest.domain.prices import Price
from palimpsest.stores.spaces import Space
from palimpsest.stores.vocabularies import ActiveVocabulary
from palimpsest.usecases.name_reader import Asked, NamesRead
from palimpsest.usecases.read_by_model import FAILURES, RESTS, ReadByModel
from tests.support.naming_model import entity, named
from tests.support.scripted_model import PRICE, SPACE, Asking, ScriptedModel

THE_SPACE = Space(SPACE, "default", datetime(2026, 2, 3, tzinfo=UTC))
OLA = Asked("Ola Nowak is here", THE_SPACE, Known.of([KnownName("Nowak Systems", "organization")]), ActiveVocabulary())
READ = named(entity("Ola Nowak"))
FAILED = ModelUnavailable(ModelFailure.REFUSED, "no", may_cost=False)


@pytest.fixture
def asking() -> Iterator[Asking]:
    with SqliteTable() as table:
        yield Asking(table)


def reader(asking: Asking, *script: object, price: Price = PRICE) -> tuple[ReadByModel, ScriptedModel]:
    model = ScriptedModel(list(script))  # type: ignore[arg-type]  # answers and errors
    ask = asking.with_model(model, price=price)
    rules = NamesRead(Proposals(), ReadBy.RULES)
    return ReadByModel(ask, lambda _: rules, lambda _: ["Zofia"], asking.clock), model


def test_the_model_reads_and_is_reminded_of_names_of_the_space(asking: Asking) -> None:
    read, model = reader(asking, READ)

    found = read(OLA)

    assert ([each.name for each in found.proposals.entities], found.by) == (["Ola Nowak"], ReadBy.MODEL)
    assert found.model == model.name
    assert "\nNowak Systems\nZofia\n" in model.asked[0].user


def test_without_budget_the_rules_read_and_nobody_is_asked(asking: Asking) -> None:
    read, model = reader(asking, READ, price=Price.usd("10000", "10000"))

    for _ in range(FAILURES + 1):
        assert read(OLA).by is ReadBy.RULES

    assert model.asked == []
    assert read.breaker.failures == 0


def test_after_five_failures_in_a_row_the_model_is_left_alone_for_a_while(asking: Asking) -> None:
    read, model = reader(asking, *[FAILED] * (FAILURES + 1), READ)

    by = [read(OLA).by for _ in range(FAILURES + 3)]
    asked = len(model.asked)
    asking.clock.turn(RESTS)
    tried = [read(OLA).by for _ in range(3)]
    asking.clock.turn(RESTS)

    assert (set(by), asked) == ({ReadBy.RULES}, FAILURES)
    assert (set(tried), len(model.asked)) == ({ReadBy.RULES}, FAILURES + 1)
    assert [read(OLA).by for _ in range(2)] == [ReadBy.MODEL] * 2


def test_one_that_fails_now_and_then_is_asked_each_time(asking: Asking) -> None:
    script = ([FAILED] * (FAILURES - 1) + [READ]) * 2
    read, model = reader(asking, *script)

    for _ in script:
        read(OLA)

    assert len(model.asked) == len(script)
