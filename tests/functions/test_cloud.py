"""Everything that one machine does, by the same handlers in processes of their own over DynamoDB, SQS and a secret."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.functions.cloud import OWNER, Cloud, cloud

ANOTHER = "another-owner-key-of-the-tests-9876543210"


@pytest.fixture(scope="module")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    """One account for all tests of the file: each has a space of its own."""
    with cloud(tmp_path_factory.mktemp("cloud")) as account:
        yield account


def recalled(account: Cloud, query: str, space: str) -> list[str]:
    answer = account.ask("POST", "/memory/recall", {"query": query, "spaces": [space]})
    assert answer.status == 200, answer.text
    return [result["memory"]["content"] for result in answer.json["results"]]


def test_an_empty_table_is_served_at_once_and_gets_an_index_by_the_first_plan(account: Cloud) -> None:
    before = account.ask("GET", "/status")

    asked = account.plan()
    done = account.work()

    assert before.status == 200
    assert (before.json["store"], before.json["index"]["state"]) == ("dynamodb", "missing")
    # What begins a build asks for it itself.
    assert (asked, set(done)) == (1, {"apply_ledger", "build_index"})
    account.running.pop("api")
    assert account.ask("GET", "/status").json["index"]["state"] == "ready"
    assert account.plan() == 0
    assert account.work() == []


def test_a_memory_lives_its_life_by_the_handlers(account: Cloud) -> None:
    saved = account.ask("POST", "/memory/save", {"content": "The spare key is in the shed", "space": "life"})
    root = saved.json["memory"]["root_id"]
    update = {"content": "The spare key is under the stone", "expected_version": 1}

    assert saved.status == 201
    assert recalled(account, "spare key", "life") == ["The spare key is in the shed"]
    assert account.ask("POST", f"/memory/{root}/update", update).json["memory"]["version"] == 2
    assert account.ask("POST", f"/memory/{root}/update", update).status == 409
    assert recalled(account, "spare key", "life") == ["The spare key is under the stone"]
    assert account.ask("PATCH", f"/memory/{root}", {"tags": ["home"]}).status == 200
    history = account.ask("GET", f"/memory/{root}/history").json
    assert [version["version"] for version in history["versions"]] == [2, 1]
    assert account.ask("GET", f"/memory/{root}/proof").status == 200
    listed = account.ask("GET", "/memory/list?space=life").json["memories"]
    assert [memory["content"] for memory in listed] == ["The spare key is under the stone"]
    assert account.ask("DELETE", f"/memory/{root}").status == 200
    assert recalled(account, "spare key", "life") == []
    assert account.ask("POST", f"/memory/{root}/restore").status == 200
    assert recalled(account, "spare key", "life") == ["The spare key is under the stone"]


def test_a_repeated_request_is_answered_as_the_first_was(account: Cloud) -> None:
    body = {"content": "Marta prefers tea", "space": "again"}
    headers = {"idempotency-key": "once"}

    first, second = (account.ask("POST", "/memory/save", body, headers=headers) for _ in range(2))
    other = account.ask("POST", "/memory/save", {**body, "content": "coffee"}, headers=headers)

    assert (first.status, second.json["memory"]["id"]) == (201, first.json["memory"]["id"])
    assert other.status == 422


def test_keys_open_their_spaces_and_no_others(account: Cloud) -> None:
    made = account.ask("POST", "/keys", {"role": "writer", "spaces": ["mine"]}).json
    secret = made["secret"]

    assert account.ask("POST", "/memory/save", {"content": "mine", "space": "mine"}, key=secret).status == 201
    assert account.ask("POST", "/memory/save", {"content": "not mine", "space": "other"}, key=secret).status == 403
    assert made["key"]["id"] in {key["id"] for key in account.ask("GET", "/keys").json["keys"]}
    assert account.ask("DELETE", f"/keys/{made['key']['id']}").status == 200
    assert account.ask("GET", "/memory/list?space=mine", key=secret).status == 401


def test_what_was_saved_is_found_by_the_index_after_the_stream_and_a_rebuild(account: Cloud) -> None:
    for n in range(5):
        account.ask("POST", "/memory/save", {"content": f"fox number {n} sleeps", "space": "foxes"})

    assert account.index() == []
    assert account.ask("POST", "/admin/index/rebuild").json["index"]["state"] == "building"
    done = account.work()

    assert "build_index" in done
    account.running.pop("api")
    assert account.ask("GET", "/status").json["index"]["state"] == "ready"
    assert len(recalled(account, "where do foxes sleep", "foxes")) == 5


def test_a_long_text_waits_for_its_vectors_and_a_plan_asks_for_them(account: Cloud) -> None:
    long = "The harbour master keeps the tide tables in the loft. " * 200
    saved = account.ask("POST", "/memory/save", {"content": long, "space": "long"})

    assert account.plan() >= 1
    done = account.work()

    assert saved.json["memory"]["embedding"] == "pending"
    assert set(done) - {"drop_index", "build_index", "extract", "run"} == {"embed_pending"}
    assert account.ask("GET", f"/memory/{saved.json['memory']['root_id']}").json["embedding"] == "ready"
    assert account.plan() == 0


def test_a_table_that_was_restored_is_served_when_the_ledger_was_applied(account: Cloud) -> None:
    table, s3 = account.aws("dynamodb"), account.aws("s3")
    saved = account.ask("POST", "/memory/save", {"content": "The vault is behind the marmalade", "space": "restored"})
    root = saved.json["memory"]["root_id"]
    account.plan()  # the first entry of a ledger is of no memory
    account.work()
    backup = table.scan(TableName="memory")["Items"]
    account.ask("POST", f"/memory/{root}/erase")
    account.work()
    assert len(s3.list_objects_v2(Bucket="blobs", Prefix="erased/")["Contents"]) == 2

    for item in table.scan(TableName="memory")["Items"]:
        table.delete_item(TableName="memory", Key={"pk": item["pk"], "sk": item["sk"]})
    for item in backup:
        table.put_item(TableName="memory", Item=item)
    account.running.clear()
    refused = account.ask("GET", f"/memory/{root}")
    assert (refused.status, refused.json["type"]) == (503, "/docs/errors#table-behind")
    assert account.ask("GET", "/health").status == 200
    assert account.plan() == 1
    done = account.work()
    assert {"apply_ledger", "erase"} <= set(done)
    account.running.clear()

    assert account.ask("GET", f"/memory/{root}").status == 404
    assert account.ask("POST", "/memory/recall", {"query": "vault", "spaces": ["restored"]}).json["results"] == []


def test_a_key_that_was_replaced_in_the_secret_opens_nothing_in_a_new_process_and_the_new_one_does(
    account: Cloud,
) -> None:
    writer = account.ask("POST", "/keys", {"role": "writer", "spaces": ["rotated"]}).json["secret"]
    account.rotate(ANOTHER)
    account.running.pop("api")

    assert account.ask("GET", "/status").status == 401
    assert account.ask("GET", "/status", key=ANOTHER).status == 200
    account.rotate(OWNER)
    account.running.pop("api")
    assert account.ask("GET", "/memory/list?space=rotated", key=writer).status == 200
    assert account.ask("GET", "/status").status == 200


def test_without_its_secret_nobody_is_the_owner_and_other_keys_work(account: Cloud) -> None:
    writer = account.ask("POST", "/keys", {"role": "writer", "spaces": ["alone"]}).json["secret"]
    account.settings["PALIMPSEST_KEY_SECRET"] = "no-such-secret"
    account.running.pop("api")

    owner, other = account.ask("GET", "/status"), account.ask("GET", "/memory/list?space=alone", key=writer)
    none = account.ask("GET", "/status", key=None)

    account.settings["PALIMPSEST_KEY_SECRET"] = "owner"
    account.running.pop("api")
    assert (owner.status, owner.json["type"]) == (503, "/docs/errors#secret-unavailable")
    assert "ResourceNotFoundException" in owner.json["detail"]
    assert "retry-after" in owner.headers
    assert (other.status, none.status) == (200, 401)
    assert account.ask("GET", "/status").status == 200


def test_without_an_index_what_was_said_lately_is_recalled_and_nothing_is_built(account: Cloud) -> None:
    account.settings["PALIMPSEST_SEARCH"] = "off"
    for name in ("api", "index", "plan"):
        account.running.pop(name, None)

    saved = account.ask("POST", "/memory/save", {"content": "The ferry leaves at nine", "space": "off"})

    assert saved.status == 201
    assert recalled(account, "when does the ferry leave", "off") == ["The ferry leaves at nine"]
    assert account.index() == []
    account.plan()
    assert "build_index" not in account.work()
    assert account.ask("GET", "/status").json["index"]["state"] == "off"
    refused = account.ask("POST", "/admin/index/rebuild")
    assert (refused.status, refused.json["type"]) == (409, "/docs/errors#wrong-state")
    listed = account.ask("GET", "/memory/list?space=off").json["memories"]
    assert [memory["content"] for memory in listed] == ["The ferry leaves at nine"]
