"""What a server may answer instead of an answer: each becomes its own reason, and no text of ours is in it."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable

import pytest

from palimpsest.adapters.aws.opensearch import OpenSearchIndexes
from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json
from palimpsest.adapters.aws.opensearch_documents import MAIN, documents
from palimpsest.adapters.aws.opensearch_index import OpenSearchIndex
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.talk import Place
from palimpsest.ports.search_index import Candidates, Generation
from tests.contract.search_index.sample import HERE, MODEL, entry, search
from tests.support.scripted_server import ScriptedServer
from tests.unit.opensearch_index.conftest import BOTH, EMPTY, Time

SECRET = "kot-tajemny"


def _error(kind: str, status: int) -> Json:
    return {"error": {"type": kind, "reason": f"failed near [{SECRET}]", "root_cause": []}, "status": status}


def _shards(kind: str) -> Json:
    failure = {"shard": 0, "reason": {"type": kind, "reason": f"failed near [{SECRET}]"}}
    return EMPTY | {"_shards": {"total": 2, "failed": 1, "failures": [failure]}}


@pytest.mark.parametrize(
    ("status", "document", "reason"),
    [
        (429, _error("rejected_execution_exception", 429), "index_throttled"),
        (429, b"too many requests", "index_throttled"),
        (503, _error("search_phase_execution_exception", 503), "index_red"),
        (503, _error("no_shard_available_action_exception", 503), "index_red"),
        (503, b"<html>Service Unavailable</html>", "index_unreachable"),
        (502, b"", "index_unreachable"),
        (504, b"", "index_timeout"),
        (500, _error("null_pointer_exception", 500), "index_unreachable"),
        (404, _error("index_not_found_exception", 404), "index_missing"),
        (400, _error("search_phase_execution_exception", 400), "index_mapping"),
        (400, _error("query_shard_exception", 400), "index_mapping"),
        (401, b"Unauthorized", "index_refused"),
        (403, _error("security_exception", 403), "index_refused"),
        (200, _shards("illegal_state_exception"), "index_partial"),
        (200, _shards("rejected_execution_exception"), "index_throttled"),
        (200, EMPTY | {"timed_out": True}, "index_timeout"),
        (200, b"{ not JSON", "index_garbled"),
    ],
)
def test_a_bad_answer_has_its_own_reason_and_no_text(
    server: ScriptedServer,
    index: OpenSearchIndex,
    caplog: pytest.LogCaptureFixture,
    status: int,
    document: Json | bytes,
    reason: str,
) -> None:
    server.will_answer(document, status)

    with caplog.at_level(logging.DEBUG), pytest.raises(IndexUnavailable) as refused:
        index.vector(search("kot", 1))

    assert refused.value.reason == reason
    assert SECRET not in str(refused.value)
    assert SECRET not in caplog.text


@pytest.mark.parametrize("part", [0, 1])
def test_one_bad_answer_of_two_in_a_request_counts(server: ScriptedServer, index: OpenSearchIndex, part: int) -> None:
    answers = [EMPTY, EMPTY]
    answers[part] = _error("rejected_execution_exception", 429)
    server.will_answer({"responses": answers})

    with pytest.raises(IndexUnavailable) as refused:
        index.keyword(search("kot"))

    assert refused.value.reason == "index_throttled"


def _keyword(index: OpenSearchIndex) -> Candidates:
    return index.keyword(search("kot")).candidates


def _vector(index: OpenSearchIndex) -> Candidates:
    return index.vector(search("", 1))


@pytest.mark.parametrize("ask", [_keyword, _vector])
def test_a_server_that_says_nothing_is_given_up_on(
    server: ScriptedServer, hasty: OpenSearchIndex, ask: Callable[[OpenSearchIndex], object]
) -> None:
    server.will_be_silent()

    with pytest.raises(IndexUnavailable) as refused:
        ask(hasty)

    assert refused.value.reason == "index_timeout"
    assert len(server.asked) <= 1


def test_a_broken_connection_is_tried_once_more(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_break()
    server.will_answer(EMPTY)

    assert len(index.vector(search("", 1))) == 0
    assert len(server.asked) == 2


def test_a_connection_that_breaks_again_is_unreachable(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_break()

    with pytest.raises(IndexUnavailable) as refused:
        index.vector(search("", 1))

    assert refused.value.reason == "index_unreachable"
    assert len(server.asked) == 2


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        cluster = Cluster(f"http://127.0.0.1:{taken.getsockname()[1]}")

        with pytest.raises(IndexUnavailable) as refused:
            OpenSearchIndexes(cluster).open(Generation("01J", MODEL, 1, ("engine=lucene",))).check()

        cluster.close()
    assert refused.value.reason == "index_unreachable"


def test_a_collection_that_never_answered_sleeps(server: ScriptedServer, hasty_collection: OpenSearchIndex) -> None:
    server.will_be_silent()

    with pytest.raises(IndexUnavailable) as refused:
        hasty_collection.vector(search("", 1))

    assert refused.value.reason == "index_asleep"


@pytest.mark.parametrize(("idle_seconds", "reason"), [(60, "index_unreachable"), (601, "index_asleep")])
def test_a_collection_counts_as_asleep_when_it_was_idle_for_ten_minutes(
    server: ScriptedServer, collection: OpenSearchIndex, time: Time, idle_seconds: int, reason: str
) -> None:
    server.will_answer(EMPTY)
    server.will_answer(b"", 503)
    collection.vector(search("", 1))
    time.now += idle_seconds

    with pytest.raises(IndexUnavailable) as refused:
        collection.vector(search("", 1))

    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "properties",
    [{}, {"vector": {"type": "knn_vector", "dimension": 3}}, {"vector": {"type": "float"}}],
    ids=["none", "another length", "no vector"],
)
def test_an_index_of_another_form_is_not_used(server: ScriptedServer, properties: Json) -> None:
    server.will_answer({"palimpsest-01j": {"mappings": {"properties": properties}}})
    cluster = Cluster(server.url)

    with pytest.raises(IndexUnavailable) as refused:
        OpenSearchIndexes(cluster).open(Generation("01J", MODEL, 1, ("engine=lucene",))).check()

    cluster.close()
    assert refused.value.reason == "index_mapping"


def test_a_generation_of_another_engine_is_missing_without_asking(server: ScriptedServer) -> None:
    cluster = Cluster(server.url)

    with pytest.raises(IndexUnavailable) as refused:
        OpenSearchIndexes(cluster).open(Generation("01J", MODEL, 1))

    cluster.close()
    assert refused.value.reason == "index_missing"
    assert server.asked == []


def test_every_search_is_held_to_its_space(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer(BOTH)
    server.will_answer(EMPTY)
    index.keyword(search("kot"))
    index.vector(search("", 1))
    index.statistics(HERE, ["kot"])

    lines, nearest, figures = (asked.body for asked in server.asked)
    held = {"term": {"space": HERE}}

    assert [held in body["query"]["bool"]["filter"] for body in lines[1::2]] == [True, True]
    assert held in nearest["query"]["knn"]["vector"]["filter"]["bool"]["filter"]
    assert held in figures["query"]["bool"]["filter"]


def test_no_word_of_a_query_is_sent(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer(BOTH)

    index.keyword(search(SECRET))

    assert SECRET not in str(server.asked[0].body)


def test_what_stands_around_says_when_a_part_of_it_is_missing(server: ScriptedServer, index: OpenSearchIndex) -> None:
    hit = _hit()
    server.will_answer(_shards("illegal_state_exception") | {"hits": {"hits": [hit]}})

    found = index.around(search("kot"), [Place(1, 1)])

    assert (list(found.keys), found.lacking) == (["a"], "index_partial")


def test_what_stands_around_fails_when_nothing_is_left_of_it(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer(_shards("illegal_state_exception"))

    with pytest.raises(IndexUnavailable) as refused:
        index.around(search("kot"), [Place(1, 1)])

    assert refused.value.reason == "index_partial"


def test_a_sample_is_whole_or_none(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer(_shards("illegal_state_exception") | {"hits": {"hits": [_hit()]}})

    with pytest.raises(IndexUnavailable) as refused:
        index.sample(HERE, 10)

    assert refused.value.reason == "index_partial"


@pytest.mark.parametrize("ask", [lambda index: index.sample(HERE, 10), lambda index: index.statistics(HERE, ())])
def test_what_nobody_waits_for_may_take_longer_than_a_recall(
    server: ScriptedServer, index: OpenSearchIndex, ask: Callable[[OpenSearchIndex], object]
) -> None:
    server.will_answer(EMPTY)

    ask(index)

    assert "timeout" not in server.asked[0].body


def test_the_figures_of_a_recall_come_in_its_time(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer(EMPTY)

    index.keyword(search("", 1))

    assert server.asked[0].body["timeout"] == "10000ms"


def _hit() -> Json:
    """The main document of an entry, as the server gives it back."""
    main = next(each for each in documents(entry("a", "kot", 1)) if each["passage"] == MAIN)
    return {"_id": "a", "_source": main}
