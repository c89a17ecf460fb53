"""Writes of which some fail: what may be sent again is, what never will be taken is told, the rest is in."""

from __future__ import annotations

import pytest

from palimpsest.adapters.aws import opensearch_mapping
from palimpsest.adapters.aws.opensearch_cluster import Json
from palimpsest.adapters.aws.opensearch_index import OpenSearchIndex
from palimpsest.domain.errors import EntriesRefused, IndexUnavailable
from tests.contract.search_index.sample import MODEL, entry
from tests.support.scripted_server import ScriptedServer
from tests.unit.opensearch_index.conftest import Time

SECRET = "kot-tajemny"


def _items(*statuses: int, kind: str = "some_exception") -> Json:
    def item(status: int) -> Json:
        error = {"error": {"type": kind, "reason": f"failed to parse [{SECRET}]"}} if status >= 400 else {}
        return {"index": {"_id": "x", "_seq_no": 9, "status": status} | error}

    return {"errors": True, "items": [item(status) for status in statuses]}


def _keys(server: ScriptedServer) -> list[list[str]]:
    """The keys in each bulk request, in order."""
    bodies = [asked.body for asked in server.asked if asked.target.endswith("/_bulk")]
    return [[line["key"] for line in body if "key" in line] for body in bodies]


ENTRIES = [entry("a", "kot", 1), entry("b", SECRET, 2), entry("c", "kot", 3)]


def test_only_throttled_items_are_sent_again_after_a_pause(
    server: ScriptedServer, index: OpenSearchIndex, time: Time
) -> None:
    server.will_answer({})
    server.will_answer(_items(201, 429, 503))
    server.will_answer(_items(201, 429))
    server.will_answer(_items(201))

    index.upsert(ENTRIES)

    assert _keys(server) == [["a", "b", "c"], ["b", "c"], ["c"]]
    assert len(time.pauses) == 2
    assert time.pauses[0] < time.pauses[1] < 1.0


def test_items_that_stay_throttled_end_as_throttled(server: ScriptedServer, index: OpenSearchIndex, time: Time) -> None:
    server.will_answer({})
    server.will_answer(_items(201, 429, 201))
    server.will_answer(_items(429))

    with pytest.raises(IndexUnavailable) as refused:
        index.upsert(ENTRIES)

    assert refused.value.reason == "index_throttled"
    assert _keys(server) == [["a", "b", "c"], ["b"], ["b"], ["b"]]
    assert len(time.pauses) == 3


def test_an_item_that_no_retry_mends_is_told_by_its_key_and_the_others_are_in(
    server: ScriptedServer, index: OpenSearchIndex
) -> None:
    server.will_answer({})
    server.will_answer(_items(201, 400, 429, kind="mapper_parsing_exception"))
    server.will_answer(_items(201))

    with pytest.raises(EntriesRefused) as refused:
        index.upsert(ENTRIES)

    assert refused.value.keys == ("b",)
    assert SECRET not in str(refused.value)
    assert _keys(server) == [["a", "b", "c"], ["c"]]


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (403, "security_exception", "index_refused"),
        (403, "cluster_block_exception", "index_full"),
        (404, "index_not_found_exception", "index_missing"),
        (429, "cluster_block_exception", "index_full"),
        (500, "some_exception", "index_unreachable"),
    ],
)
def test_an_item_that_the_server_could_not_take_now_is_held_against_the_server_and_not_the_entry(
    server: ScriptedServer, index: OpenSearchIndex, time: Time, status: int, kind: str, reason: str
) -> None:
    server.will_answer({})
    server.will_answer(_items(201, status, 201, kind=kind))

    with pytest.raises(IndexUnavailable) as failed:
        index.upsert(ENTRIES)

    assert failed.value.reason == reason
    assert time.pauses == []
    assert SECRET not in str(failed.value)


def test_a_newer_version_that_is_there_already_is_fine(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer({})
    server.will_answer(_items(201, 409, 201, kind="version_conflict_engine_exception"))

    index.upsert(ENTRIES)

    assert len(_keys(server)) == 1


def test_nothing_is_written_to_an_index_that_is_gone(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer({}, 404)

    with pytest.raises(IndexUnavailable) as refused:
        index.upsert(ENTRIES)

    assert refused.value.reason == "index_missing"
    assert [asked.method for asked in server.asked] == ["HEAD"]


def test_an_index_that_a_write_has_made_is_taken_away_again(server: ScriptedServer, index: OpenSearchIndex) -> None:
    guessed = {"palimpsest-01j": {"mappings": {"properties": {"vector": {"type": "float"}}}}}
    first = {"items": [{"index": {"_id": "x", "_seq_no": number, "status": 201}} for number in range(3)]}
    for answer in ({}, first, guessed, {}):
        server.will_answer(answer)

    with pytest.raises(IndexUnavailable) as failed:
        index.upsert(ENTRIES)

    assert failed.value.reason == "index_missing"
    assert [(asked.method, asked.target) for asked in server.asked] == [
        ("HEAD", "/palimpsest-01j"),
        ("POST", "/palimpsest-01j/_bulk"),
        ("GET", "/palimpsest-01j/_mapping"),
        ("DELETE", "/palimpsest-01j"),
    ]


def test_the_first_write_of_an_index_of_ours_is_looked_at_and_left(
    server: ScriptedServer, index: OpenSearchIndex
) -> None:
    _, form = next(opensearch_mapping.forms(MODEL.dimensions))
    first = {"items": [{"index": {"_id": "x", "_seq_no": number, "status": 201}} for number in range(3)]}
    for answer in ({}, first, {"palimpsest-01j": form}):
        server.will_answer(answer)

    index.upsert(ENTRIES)

    assert [asked.method for asked in server.asked] == ["HEAD", "POST", "GET"]


def test_a_full_disk_is_told(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer({})
    server.will_answer({"error": {"type": "cluster_block_exception"}, "status": 429}, 429)

    with pytest.raises(IndexUnavailable) as refused:
        index.upsert(ENTRIES)

    assert refused.value.reason == "index_full"


def test_no_text_is_sent_and_every_write_carries_the_revision(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer({})
    server.will_answer(_items(201))

    index.upsert([entry("b", SECRET, 2, revision=7)])

    about, document = server.asked[1].body
    assert (about["index"]["version"], about["index"]["version_type"]) == (7, "external_gte")
    assert SECRET not in str(document)
    assert document["revision"] == 7


def test_a_large_batch_goes_in_several_requests(server: ScriptedServer, index: OpenSearchIndex) -> None:
    server.will_answer({})
    server.will_answer(_items(*[201] * 150))
    server.will_answer({})
    server.will_answer(_items(*[201] * 50))
    entries = [entry(f"{number:03d}", "", *range(1)) for number in range(200)]

    index.upsert(entries[:150])
    index.upsert(entries[150:])

    assert [len(keys) for keys in _keys(server)] == [150, 50]
