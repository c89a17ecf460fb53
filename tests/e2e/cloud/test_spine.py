"""What every user relies on, through the deployed API: gateway, functions, table and stream, all by real HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import quote

from tests.e2e.cloud.calling import Caller, fresh_space, root_of

RACERS = 4


def test_health_is_open_and_everything_else_wants_a_key(owner: Caller) -> None:
    nobody = replace(owner, key=None)

    assert nobody.get("/health").expect(200).keys() == {"status", "version"}
    nobody.get("/openapi.json").expect(200)
    for key in (None, "nonsense", "plm_none_" + "x" * 43):
        stranger = replace(owner, key=key)
        for answer in (stranger.get("/memory/list"), stranger.post("/v1/memory/save", {"content": "x"})):
            answer.problem(401)
            assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_saved_memory_is_recalled_at_once(owner: Caller) -> None:
    space = fresh_space("spine")

    saved = owner.save("The ingest worker restarts via systemd", space)

    assert (saved["outcome"], saved["memory"]["version"], saved["memory"]["memory_type"]) == ("added", 1, "fact")
    assert owner.texts("how does the ingest worker restart?", space) == ["The ingest worker restarts via systemd"]
    again = owner.post("/v1/memory/recall", {"query": "ingest worker", "space": space}).expect(200)
    assert {arm["name"] for arm in again["arms"]} >= {"tail", "keyword", "vector"}


def test_an_update_is_a_version_over_the_old_one_and_can_be_reverted(owner: Caller) -> None:
    space = fresh_space("lineage")
    root = root_of(owner.save("Deploys happen on Tuesdays", space, memory_type="procedure"))
    assert owner.save("Deploys happen on Tuesdays", space)["outcome"] == "unchanged"

    owner.post(f"/memory/{root}/update", {"content": "Deploys happen on Thursdays"}).expect(200)

    newest, oldest = owner.history(root)
    assert (newest["version"], oldest["version"], oldest["status"]) == (2, 1, "stale")
    assert oldest["stale_since"] == newest["recorded_at"]
    assert owner.texts("when do deploys happen", space) == ["Deploys happen on Thursdays"]
    assert owner.get(f"/memory/{root}@1").expect(200)["content"] == "Deploys happen on Tuesdays"
    owner.post(f"/memory/{root}/revert", {"version": 1}).expect(200)
    assert owner.texts("when do deploys happen", space) == ["Deploys happen on Tuesdays"]


def test_annotations_make_no_version(owner: Caller) -> None:
    space = fresh_space("annotate")
    root = root_of(owner.save("The wifi password is on the fridge", space))

    owner.call("PATCH", f"/memory/{root}", {"pinned": True, "tags": ["home"]}).expect(200)

    memory = owner.get(f"/memory/{root}").expect(200)
    assert (memory["version"], memory["pinned"], memory["tags"]) == (1, True, ["home"])
    listed = owner.get(f"/memory/list?space={space}&tags=home").expect(200)["memories"]
    assert [each["root_id"] for each in listed] == [root]


def test_racing_updates_leave_one_current_version_and_no_gap(owner: Caller) -> None:
    root = root_of(owner.save("counter 0", fresh_space("race")))

    def update(number: int) -> int:
        return owner.post(f"/memory/{root}/update", {"content": f"counter {number}"}).status

    with ThreadPoolExecutor(RACERS) as pool:
        answers = list(pool.map(update, range(1, 3 * RACERS)))

    versions = owner.history(root)
    assert set(answers) <= {200, 409}
    assert [each["version"] for each in versions] == list(range(1 + answers.count(200), 0, -1))
    assert [each["status"] for each in versions].count("current") == 1
    owner.post(f"/memory/{root}/update", {"content": "late", "expected_version": 1}).problem(409)


def test_forget_hides_and_restore_brings_back(owner: Caller) -> None:
    space = fresh_space("forget")
    root = root_of(owner.save("My locker number is 417", space))

    assert owner.post(f"/memory/{root}/forget").expect(200)["restore_until"]

    assert owner.texts("locker number", space, include_stale=True) == []
    assert owner.get(f"/memory/list?space={space}").expect(200)["memories"] == []
    owner.post(f"/memory/{root}/restore").expect(200)
    assert owner.texts("locker number", space) == ["My locker number is 417"]


def test_spaces_never_mix(owner: Caller) -> None:
    here, there = fresh_space("a"), fresh_space("b")
    foreign = root_of(owner.save("zanzibarquokka is in space a", here))
    own = root_of(owner.save("the quokka of space b is called Bruno", there))

    secret = owner.post("/keys", {"role": "writer", "spaces": [there]}).expect(201)["secret"]
    writer = replace(owner, key=secret)

    writer.get(f"/memory/{own}").expect(200)
    hidden, unknown = writer.get(f"/memory/{foreign}"), writer.get("/memory/mem_00000000000000000000000000")
    assert hidden.problem(404)["title"] == unknown.problem(404)["title"]
    writer.post("/memory/recall", {"query": "x", "space": here}).problem(403)
    writer.post("/keys", {"role": "writer", "spaces": [there]}).problem(403)
    assert all("zanzibarquokka" not in text for text in owner.texts("zanzibarquokka", there))


def test_polish_inflection_and_missing_diacritics_are_found(owner: Caller) -> None:
    space = fresh_space("pl")
    owner.save("Kasia mieszka w Krakowie i ma dwa koty", space)
    owner.save("Łódź jest miastem, w którym urodził się Michał", space)

    assert "koty" in owner.texts("kto ma kota w Krakow", space)[0]
    assert owner.texts("gdzie urodzil sie Michal? lodz", space)[0].startswith("Łódź")


def test_bad_input_gets_a_problem_and_never_500(owner: Caller) -> None:
    for raw in (b"{not json", b"\xff\xfe{}", b"[" * 20_000):
        owner.call("POST", "/memory/save", raw=raw).problem(400)
    for body in ({}, {"content": "  "}, {"content": "x", "nonsense": 1}, {"content": 5}, {"content": "a\u0000b"}):
        assert owner.post("/memory/save", body).problem(422)["errors"]
    assert owner.post("/memory/save", {"content": "x" * 102_401}).status in (413, 422)
    owner.post("/memory/save", {"content": "ż" * 51_200, "space": fresh_space("big")}).expect(201)
    owner.get("/no/such/route").problem(404)
    assert owner.call("PUT", "/memory/save", {}).status in (404, 405)


def test_an_idempotency_key_makes_a_retry_safe(owner: Caller) -> None:
    space = fresh_space("idem")
    body = {"content": "paid 20 EUR to Ola", "space": space}

    first = owner.post("/memory/save", body, once=space).expect(201)

    second = owner.post("/memory/save", body, once=space).expect(200, 201)
    assert (first["memory"]["id"], first["outcome"]) == (second["memory"]["id"], second["outcome"])
    owner.post("/memory/save", {**body, "content": "another"}, once=space).problem(422)


def test_the_list_pages_through_everything_once(owner: Caller) -> None:
    space = fresh_space("page")
    memories = [{"content": f"item number {number} of the inventory", "space": space} for number in range(30)]
    out = owner.post("/memory/batch", {"memories": memories}).expect(200, 201, 207)
    assert [each["outcome"] for each in out["results"]] == ["added"] * 30
    newest = root_of(owner.save("the newest item", space))

    seen: list[str] = []
    query = f"/memory/list?space={space}&limit=12"
    while (page := owner.get(query).expect(200))["next_cursor"]:
        seen += [each["root_id"] for each in page["memories"]]
        query = f"/memory/list?space={space}&limit=12&cursor={quote(page['next_cursor'])}"
    seen += [each["root_id"] for each in page["memories"]]

    assert seen[0] == newest
    assert (len(seen), len(set(seen))) == (31, 31)
