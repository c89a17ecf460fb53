"""What the models let in, and what becomes of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from palimpsest.api.wire.changes import AnnotateRequest, UpdateRequest
from palimpsest.api.wire.recall import RecallRequest
from palimpsest.api.wire.saves import BatchRequest, Misfit, SaveRequest
from palimpsest.domain.belief import Status
from palimpsest.usecases.drafts import UNSET, Draft


def draft(**fields: Any) -> Draft:
    return SaveRequest.model_validate({"content": "x", **fields}).to_draft()


def test_the_least_save_has_the_defaults_of_the_core() -> None:
    assert draft() == Draft(content="x")


@pytest.mark.parametrize(
    "fields",
    [
        {"content": 5},
        {"content": ["x"]},
        {"content": "x" * 102_401},
        {"content": "ż" * 51_201},
        {"canonical": ""},
        {"memory_type": 5},
        {"tags": ["a"] * 10_000},
        {"tags": ["a" * 129]},
        {"tags": [""]},
        {"tags": {"a": 1}},
        {"tags": "a"},
        {"attributed_to": "x" * 257},
        {"source": {"agent": "a\0b"}},
        {"source": "api"},
        {"importance": 10.1},
        {"importance": "1"},
        {"importance": float("inf")},
        {"pinned": "true"},
        {"pinned": 0},
        {"space": "ä"},
        {"space": "a\n"},
        {"space": ""},
        {"space": "a" * 129},
        {"metadata": "{}"},
        {"metadata": {"a\0": 1}},
        {"metadata": {"a": ["\ud800"]}},
        {"metadata": {"a": "x" * 10_240}},
        {"asserted_at": 1_700_000_000},
        {"asserted_at": ""},
        {"asserted_at": "2026-13-01"},
        {"asserted_at": "2026-03-01T25:00:00Z"},
    ],
)
def test_what_the_core_can_not_hold_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        draft(**fields)


@pytest.mark.parametrize("text", ["ż" * 51_200, "\u200fשלום", "👩‍👩‍👧‍👦", "a\r\n\tb"])
def test_text_is_kept_as_it_is(text: str) -> None:
    assert draft(content=text).content == text


def test_text_is_composed() -> None:
    assert draft(content="Zażo\u0301łc\u0301", tags=["e\u0301"]) == Draft(content="Zażółć", tags=("é",))


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00.123456+02:00", datetime(2026, 3, 1, 7, 30, 0, 123_000, tzinfo=UTC)),
    ],
)
def test_an_instant_is_a_date_or_has_an_offset(text: str, instant: datetime) -> None:
    assert draft(event_date=text).event_date == instant


def test_metadata_is_kept_as_canonical_json() -> None:
    assert draft(metadata={"b": 2**70, "a": [1.5, None, True, "ż"]}).metadata == (
        '{"a":[1.5,null,true,"ż"],"b":1180591620717411303424}'
    )


def test_metadata_is_composed() -> None:
    assert json.loads(draft(metadata={"e\u0301": ["o\u0301"]}).metadata) == {"é": ["ó"]}


@pytest.mark.parametrize(("depth", "is_accepted"), [(32, True), (33, False), (100, False), (900, False)])
def test_metadata_may_be_nested_32_deep(depth: int, is_accepted: bool) -> None:
    metadata: dict[str, Any] = {"end": "text"}
    for _ in range(depth - 1):
        metadata = {"a": metadata}

    try:
        draft(metadata=metadata)
    except ValidationError:
        assert not is_accepted
    else:
        assert is_accepted


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=9), _JSON, max_size=4))
def test_metadata_that_is_accepted_is_canonical(metadata: dict[str, Any]) -> None:
    try:
        written = draft(metadata=metadata).metadata
    except ValidationError:
        return

    assert draft(metadata=json.loads(written)).metadata == written


def test_importance_has_six_digits_after_the_point() -> None:
    assert [draft(importance=x).importance for x in (1e-300, 0.12345678, 10)] == [0.0, 0.123457, 10.0]


def test_what_an_annotation_leaves_out_stays_and_null_takes_the_expiry_away() -> None:
    assert AnnotateRequest.model_validate({}).to_annotation().expires_at is UNSET
    assert AnnotateRequest.model_validate({"expires_at": None}).to_annotation().expires_at is None


@pytest.mark.parametrize("version", [0, -1, True, "1", 1.5, 10**12])
def test_an_expected_version_is_a_whole_number_from_1(version: object) -> None:
    with pytest.raises(ValidationError):
        UpdateRequest.model_validate({"content": "x", "expected_version": version})


def test_a_recall_with_stale_versions_asks_for_both() -> None:
    query = RecallRequest.model_validate({"query": "x", "include_stale": True, "space": "a"}).to_query()

    assert query.filters.statuses == (Status.CURRENT, Status.STALE)
    assert query.spaces == ("a",)


def test_a_misfit_in_a_batch_does_not_stop_the_others() -> None:
    items = BatchRequest.model_validate({"memories": [{"content": "x"}, {"content": 5}, 7]}).items()

    assert [type(item) for item in items] == [SaveRequest, Misfit, Misfit]


@pytest.mark.parametrize("request_", [SaveRequest(content="the secret"), RecallRequest(query="the secret")])
def test_a_request_never_spells_out_its_text(request_: object) -> None:
    assert "the secret" not in f"{request_} {request_!r} {[request_]}"
