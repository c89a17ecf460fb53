"""The command line, over a server on loopback that answers what the test says."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from palimpsest.local.cli import main
from palimpsest.local.exits import Exit
from tests.support.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("home")

ID = "mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"
OTHER = "mem_01JA7Z3M6Q8R9S0T1V2W3X4Y6Z"
MEMORY = {
    "id": f"{ID}@2",
    "root_id": ID,
    "version": 2,
    "status": "current",
    "memory_type": "preference",
    "content": "Marta prefers coffee",
    "asserted_at": "2026-11-29T21:05:07.000Z",
    "recorded_at": "2026-11-29T21:05:07.123Z",
    "source": {"agent": "api", "session": None, "channel": None, "trust": "a1"},
    "space": "default",
    "tags": ["marta"],
    "pinned": True,
    "metadata": {},
    "embedding": "ready",
}
DISPUTED = {**MEMORY, "disputed": True}
CORRECTED = {"content": "new", "because": "corrected"}
REVERTED = {"version": 1, "expected_version": 2}
SAVED = {"memory": MEMORY, "outcome": "added", "warnings": [], "redactions": []}


def run(server: ScriptedServer, *arguments: str) -> int:
    return main([*arguments, "--url", server.url])


def give_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_save_sends_what_was_given_and_says_what_became_of_it(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(SAVED, 201)

    code = run(
        server, "save", "Marta prefers coffee", "--type", "preference", "--tag", "marta", "--pin", "--space", "home",
        "--metadata", '{"a": 1}', "--agent", "user_direct", "--key", "plm_x",
    )  # fmt: skip

    (asked,) = server.asked
    assert (code, asked.method, asked.target) == (Exit.OK, "POST", "/memory/save")
    assert asked.headers["authorization"] == "Bearer plm_x"
    assert asked.headers["idempotency-key"]
    assert asked.body == {
        "content": "Marta prefers coffee",
        "memory_type": "preference",
        "tags": ["marta"],
        "pinned": True,
        "space": "home",
        "metadata": {"a": 1},
        "source": {"agent": "user_direct"},
    }
    assert capsys.readouterr().out == f"added {ID}@2 (preference in default)\n"


def test_save_reads_the_standard_input(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.will_answer(SAVED, 201)
    give_input(monkeypatch, "Łódź\nand more\n".encode())

    assert run(server, "save", "-") == Exit.OK
    assert server.asked[0].body == {"content": "Łódź\nand more"}


def test_input_that_is_not_utf8_is_refused_here(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give_input(monkeypatch, b"\xff\xfe")

    assert run(server, "save", "-") == Exit.REFUSED
    assert "not UTF-8" in capsys.readouterr().err


def test_many_lines_are_saved_in_batches(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.will_answer({"results": [SAVED] * 100})
    server.will_answer({"results": [SAVED] * 50})
    give_input(monkeypatch, "".join(f"note {i}\n\n" for i in range(150)).encode())

    assert run(server, "save", "--lines", "text", "-", "--space", "home") == Exit.OK
    assert [(asked.target, len(asked.body["memories"])) for asked in server.asked] == [
        ("/memory/batch", 100),
        ("/memory/batch", 50),
    ]
    assert server.asked[1].body["memories"][-1] == {"content": "note 149", "space": "home"}


def test_a_refused_line_of_many_shows_in_the_exit_code(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer({"results": [SAVED, {"status": 422, "title": "Over a limit", "detail": "content is too long"}]})
    give_input(monkeypatch, b'{"content": "a"}\n\n{"content": "b", "tags": ["x"]}\n')

    assert run(server, "save", "--lines", "json", "-") == Exit.REFUSED
    assert server.asked[0].body == {"memories": [{"content": "a"}, {"content": "b", "tags": ["x"]}]}
    assert capsys.readouterr().out.splitlines()[1] == "line 3 was refused: content is too long"


def test_a_line_that_is_no_json_saves_nothing(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    give_input(monkeypatch, b'{"content": "a"}\nnot json\n')

    assert run(server, "save", "--lines", "json", "-") == Exit.REFUSED
    assert server.asked == []


def test_recall_shows_what_was_found_and_which_search_was_degraded(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    arms = [
        {"name": "keyword", "state": "ok", "candidates": 1, "took_ms": 1.0},
        {"name": "vector", "state": "degraded", "reason": "embedder_late", "candidates": 0, "took_ms": 9.0},
        {"name": "exact", "state": "empty", "healthy": False, "reason": "mute", "candidates": 0, "took_ms": 1.0},
    ]
    found = [{"memory": MEMORY, "score": 0.871, "why": ["keyword"]}]
    server.will_answer({"confidence": "weak", "results": found, "arms": arms})

    code = run(server, "recall", "what does Marta drink?", "--limit", "5", "--tag", "marta", "--from", "2026-01-01")

    assert code == Exit.OK
    assert server.asked[0].body == {
        "query": "what does Marta drink?",
        "limit": 5,
        "tags": ["marta"],
        "date_from": "2026-01-01",
    }
    assert capsys.readouterr().out.splitlines() == [
        "1. Marta prefers coffee",
        f"   0.87 · {ID}@2 · preference · 2026-11-29 · keyword",
        "none of this may be the answer (confidence: weak)",
        "the vector search was degraded: embedder_late",
        "the exact search lately did not give what is there; see `palimpsest status`",
    ]


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (
            ("recall", "x"),
            {"confidence": "weak", "arms": [], "results": [{"memory": DISPUTED, "score": 0.8, "why": []}]},
        ),
        (("list",), {"memories": [DISPUTED], "next_cursor": None}),
        (("show", ID), DISPUTED),
    ],
)
def test_whoever_reads_a_memory_sees_that_it_is_disputed(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], answer: dict[str, Any]
) -> None:
    server.will_answer(answer)

    assert run(server, *arguments) == Exit.OK
    assert "disputed" in capsys.readouterr().out


def test_nothing_found_is_said(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer({"confidence": "none", "results": [], "arms": []})

    assert run(server, "recall", "x") == Exit.OK
    assert capsys.readouterr().out == "nothing was found\n"


def test_list_asks_with_its_filters_and_shows_the_cursor(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer({"memories": [MEMORY], "next_cursor": "c1"})

    assert (
        run(server, "list", "--tag", "a", "--tag", "b c", "--status", "retired", "--q", "tea", "--limit", "1")
        == Exit.OK
    )
    assert server.asked[0].target == "/memory/list?tags=a&tags=b+c&limit=1&q=tea&status=retired"
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"{ID}@2  2026-11-29  preference  Marta prefers coffee (pinned, #marta)",
        "there is more: --cursor c1",
    ]


def test_list_all_follows_the_cursors(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer({"memories": [MEMORY], "next_cursor": "c1"})
    server.will_answer({"memories": [MEMORY], "next_cursor": None})

    assert run(server, "list", "--all", "--json") == Exit.OK
    assert [asked.target for asked in server.asked] == ["/memory/list", "/memory/list?cursor=c1"]
    assert [json.loads(line)["next_cursor"] for line in capsys.readouterr().out.splitlines()] == ["c1", None]


def test_annotate_can_take_things_away(server: ScriptedServer) -> None:
    server.will_answer({"memory": MEMORY})

    assert run(server, "annotate", ID, "--no-tags", "--unpin", "--never-expires") == Exit.OK
    assert server.asked[0].method == "PATCH"
    assert server.asked[0].body == {"tags": [], "pinned": False, "expires_at": None}


@pytest.mark.parametrize(
    "arguments",
    [
        ("annotate", ID),
        ("update", ID),
        ("update", ID, "--expected-version", "2"),
        ("update", ID, "--never-ends", "--valid-until", "2026-12-04"),
    ],
)
def test_a_change_without_anything_to_change_is_a_usage_error(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert run(server, *arguments) == Exit.USAGE
    assert server.asked == []
    assert "--valid-until" in capsys.readouterr().err or arguments[0] == "annotate"


@pytest.mark.parametrize(
    ("arguments", "method", "target", "body"),
    [
        (("update", ID, "new", "--because", "corrected"), "POST", f"/memory/{ID}/update", CORRECTED),
        (("revert", ID, "1", "--expected-version", "2"), "POST", f"/memory/{ID}/revert", REVERTED),
        (("update", ID, "--valid-until", "2026-12-04"), "POST", f"/memory/{ID}/update", {"valid_until": "2026-12-04"}),
        (("update", ID, "--never-ends"), "POST", f"/memory/{ID}/update", {"valid_until": None}),
        (("restore", ID), "POST", f"/memory/{ID}/restore", {}),
        (("show", f"{ID}@1"), "GET", f"/memory/{ID}@1", None),
        (("show", ID, "--forgotten"), "GET", f"/memory/{ID}?include_forgotten=true", None),
        (("show", "a/../b ł"), "GET", "/memory/a%2F..%2Fb%20%C5%82", None),
    ],
)
def test_verbs_call_their_routes(
    server: ScriptedServer, arguments: tuple[str, ...], method: str, target: str, body: dict[str, Any] | None
) -> None:
    server.will_answer({"memory": MEMORY, **MEMORY})

    assert run(server, *arguments) == Exit.OK
    assert [(asked.method, asked.target, asked.body) for asked in server.asked] == [(method, target, body)]


@pytest.mark.parametrize("arguments", [("update", OTHER, "new"), ("revert", OTHER, "1")])
def test_a_change_that_was_trusted_less_says_that_it_is_a_conflict(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    server.will_answer({**SAVED, "outcome": "conflict", "conflict_id": "cfl_1"})

    assert run(server, *arguments) == Exit.OK
    assert capsys.readouterr().out.splitlines()[0] == f"conflict: saved as {ID}@2 beside {OTHER}; cfl_1"


def test_diff_marks_words(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    parts = [("same", "Marta prefers "), ("removed", "tea "), ("added", "coffee "), ("same", "daily")]
    answer = {"root_id": ID, "from": 1, "to": 2, "parts": [{"kind": kind, "text": text} for kind, text in parts]}
    server.will_answer(answer)

    assert run(server, "diff", ID, "--from", "1") == Exit.OK
    assert server.asked[0].target == f"/memory/{ID}/diff?from=1"
    assert capsys.readouterr().out.splitlines()[1] == "Marta prefers [-tea-] {+coffee+} daily"


def test_a_broken_proof_is_an_error(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    link = {"version": 1, "intact": False, "recorded_at": "2026-11-29T21:05:07.123Z", "content_hash": "00"}
    server.will_answer({"verified": False, "links": [link]})

    assert run(server, "history", ID, "--proof") == Exit.UNEXPECTED
    assert "THE CHAIN IS BROKEN" in capsys.readouterr().out


def test_a_history_says_what_an_annotation_changed_and_where_a_revert_went_back_to(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {"tags": ["tea", "home"], "pinned": False, "importance": 1.0, "expires_at": None}
    after = {"tags": [], "pinned": False, "importance": 1.0, "expires_at": "2031-01-01T00:00:00.000Z"}
    line = {"at": "2026-11-29T21:05:07.123Z", "by": "owner", "because": None, "note": None, "before": None}
    annotated = {**line, "revision": 4, "reason": "annotated", "version": None, "before": before, "after": after}
    reverted = {**line, "revision": 3, "reason": "reverted", "version": 3, "note": "1", "after": None}
    head = {"state": "forgotten", "version": 3, "versions": 3}
    server.will_answer(
        {"root_id": ID, "head": head, "versions": [], "steps": [annotated, reverted], "next_cursor": None}
    )

    assert run(server, "history", ID, "--forgotten", "--limit", "2") == Exit.OK
    assert server.asked[0].target == f"/memory/{ID}/history?limit=2&include_forgotten=true"
    assert [row.split("owner  ")[1] for row in capsys.readouterr().out.splitlines()[3:]] == [
        "annotated, tags #tea #home -> none, expires at never -> 2031-01-01T00:00:00.000Z",
        "reverted, version 3, back to version 1",
    ]


def test_line_breaks_at_the_end_of_the_input_are_not_stored(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.will_answer(SAVED, 201)
    give_input(monkeypatch, b"one\n\ntwo\r\n\n\n")

    assert run(server, "save", "-") == Exit.OK
    assert server.asked[0].body == {"content": "one\n\ntwo"}


def test_a_new_key_is_shown_with_its_secret(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    key = {"id": "01JA", "role": "writer", "spaces": ["team-*"], "max_trust": "a2", "default_space": "team-a"}
    server.will_answer({"key": key, "secret": "plm_secret"}, 201)

    assert run(server, "keys", "create", "--role", "writer", "--for", "team-*", "--label", "bot") == Exit.OK
    assert server.asked[0].body == {"role": "writer", "spaces": ["team-*"], "label": "bot"}
    told = capsys.readouterr().out
    assert "plm_secret" in told
    assert "team-a" in told


def test_rebuild_index_waits_until_the_new_generation_answers(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer({"index": {"state": "ready", "generation": "g1"}})
    server.will_answer({"index": {"state": "building", "generation": "g1"}}, 202)
    server.will_answer({"index": {"state": "ready", "generation": "g2"}})

    assert run(server, "rebuild-index") == Exit.OK
    assert [asked.target for asked in server.asked] == ["/status", "/admin/index/rebuild", "/status"]
    assert capsys.readouterr().out == "the new index answers\n"


def test_bench_measures_and_forgets_what_it_saved(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer(SAVED)

    assert run(server, "bench", "--count", "3", "--json") == Exit.OK
    measured = json.loads(capsys.readouterr().out)
    assert measured["count"] == 3
    assert set(measured["save_ms"]) == {"p50", "p95", "p99", "p100"}
    assert [asked.target.rpartition("/")[2] for asked in server.asked] == ["save"] * 3 + ["recall"] * 3 + ["forget"] * 3


def test_a_benchmark_that_is_not_there_is_a_usage_error(server: ScriptedServer) -> None:
    assert main(["bench", "no-such-script"]) == Exit.USAGE
