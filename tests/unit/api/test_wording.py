"""Requests that do not fit, as people are told of them: what is wrong and what is allowed."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from palimpsest.api import problem
from palimpsest.api.failures import Fault, InvalidRequest
from palimpsest.api.wire.access import NewKeyRequest
from palimpsest.api.wire.changes import AnnotateRequest, RevertRequest, UpdateRequest
from palimpsest.api.wire.recall import RecallRequest
from palimpsest.api.wire.saves import BatchRequest, SaveRequest

MODELS = (SaveRequest, BatchRequest, UpdateRequest, AnnotateRequest, RevertRequest, RecallRequest, NewKeyRequest)
SPACE = "must be 1 to 128 of A-Z a-z 0-9 _ . @ -"
TAG = "a tag is over the limit of 128 characters; shorten it or split it"
NO_JSON = "metadata holds a number that JSON has no form for; take it out"
INSTANT = "give a date (2026-03-01) or an instant with an offset (2026-03-01T09:30:00Z), years 1 to 9999"


def told(model: type[BaseModel], body: dict[str, Any]) -> list[tuple[str, str]]:
    try:
        model.model_validate(body)
    except ValidationError as error:
        return [(".".join(map(str, fault.loc)), fault.msg) for fault in problem.faults_of(error.errors())]
    return []


@pytest.mark.parametrize(
    ("model", "body", "expected"),
    [
        (SaveRequest, {}, ("content", "is missing and has to be given")),
        (SaveRequest, {"content": 5}, ("content", "must be a text")),
        (SaveRequest, {"content": " "}, ("content", "content is empty; say something")),
        (SaveRequest, {"memory_type": "idea"}, ("memory_type", "must be one of: fact, preference, episode, procedure")),
        (SaveRequest, {"judge": 1}, ("judge", "must be one of: auto, sync, async, off")),
        (SaveRequest, {"importance": 11}, ("importance", "must be at most 10.0")),
        (SaveRequest, {"importance": "1"}, ("importance", "must be a number")),
        (SaveRequest, {"importance": float("nan")}, ("importance", "must be a number")),
        (SaveRequest, {"pinned": 1}, ("pinned", "must be true or false")),
        (SaveRequest, {"tags": "a"}, ("tags", "must be a list")),
        (SaveRequest, {"tags": ["a"] * 65}, ("tags", "takes at most 64")),
        (SaveRequest, {"tags": ["a" * 129]}, ("tags.0", TAG)),
        (SaveRequest, {"space": "a b"}, ("space", SPACE)),
        (SaveRequest, {"source": "me"}, ("source", "must be a JSON object")),
        (SaveRequest, {"source": {"trust": "a0"}}, ("source.trust", "must be one of: a1, a2, b")),
        (SaveRequest, {"metadata": []}, ("metadata", "must be a JSON object")),
        (SaveRequest, {"event_date": "soon"}, ("event_date", INSTANT)),
        (SaveRequest, {"colour": "red"}, ("colour", "is not known here; /docs lists the fields of each route")),
        (BatchRequest, {"memories": []}, ("memories", "needs at least 1")),
        (RevertRequest, {"version": 0}, ("version", "must be at least 1")),
        (RevertRequest, {"version": 1.5}, ("version", "must be a whole number")),
        (RevertRequest, {"version": 10**9}, ("version", "must be at most 999,999,999")),
        (RecallRequest, {"query": "x", "levels": ["L2"]}, ("levels.0", "must be one of: L0, L1")),
        (RecallRequest, {"query": "x", "space": "a", "spaces": ["b"]}, ("", "give `space` or `spaces`, not both")),
        (
            NewKeyRequest,
            {"role": "reader", "spaces": ["*a"]},
            ("spaces.0", f"{SPACE}, or a prefix of such a name that ends in *"),
        ),
        (NewKeyRequest, {"role": "god"}, ("role", "must be one of: reader, writer, owner")),
        (UpdateRequest, {"metadata": {"x": inf}}, ("metadata", NO_JSON)),
    ],
)  # fmt: skip
def test_a_field_that_does_not_fit_is_told_what_it_takes(
    model: type[BaseModel], body: dict[str, Any], expected: tuple[str, str]
) -> None:
    if model is SaveRequest and body:
        body = {"content": "x", **body}

    assert told(model, body) == [expected]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_every_refusal_is_in_our_words(model: type[BaseModel], data: st.DataObject) -> None:
    names = st.sampled_from([*model.model_fields, "source", "unknown"])
    body = data.draw(st.dictionaries(names, values, max_size=4))

    for _, message in told(model, body):
        assert message
        assert not any(word in message.lower() for word in ("should", "input", "unable", "valid", "does not fit"))


def test_what_was_sent_is_never_repeated() -> None:
    secret = "s3cr3t words"
    body = {name: secret for name in SaveRequest.model_fields if name not in ("content", "canonical", "attributed_to")}

    messages = told(SaveRequest, {"content": "x", **body})

    assert len(messages) > 10
    assert not any(secret in message for _, message in messages)


def test_the_detail_is_a_sentence() -> None:
    missing = InvalidRequest([Fault(("body", "content"), "missing", "is missing and has to be given")])
    empty = InvalidRequest([Fault(("body", "content"), "invalid_text", "content is empty; say something")])

    assert str(missing) == "body.content is missing and has to be given"
    assert str(empty) == "body.content: content is empty; say something"
