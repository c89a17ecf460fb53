"""`palimpsest erase` and `palimpsest erasure`."""

from __future__ import annotations

import pytest

from palimpsest.local.cli import main
from palimpsest.local.exits import Exit
from tests.support.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("home")

ROOT, ERASURE = "mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z", "era_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"
RECEIPT = {
    "id": ERASURE,
    "root_id": ROOT,
    "space": "default",
    "state": "verified",
    "verified_at": "2026-11-30T09:00:07.000Z",
    "removed": {"version": 2, "change": 3},
    "hidden": ["mem_01JA7Z3M6Q8R9S0T1V2W3X4Y60"],
    "remains": [
        {"where": "change_log", "holds": "ids", "until": "2026-12-30T09:00:00.000Z"},
        {"where": "tombstone", "holds": "ids", "until": None},
    ],
}


def test_erase_names_the_receipt(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer({"erasure": RECEIPT | {"state": "pending", "verified_at": None}}, 202)

    code = main(["erase", ROOT, "--url", server.url])

    (asked,) = server.asked
    assert (code, asked.method, asked.target) == (Exit.OK, "POST", f"/memory/{ROOT}/erase")
    assert asked.headers["idempotency-key"]
    assert capsys.readouterr().out == f"{ROOT} is being erased; its receipt: palimpsest erasure {ERASURE}\n"


def test_erasure_shows_what_was_taken_and_what_remains(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(RECEIPT, 200)

    code = main(["erasure", ERASURE, "--url", server.url])

    (asked,) = server.asked
    out = capsys.readouterr().out
    assert (code, asked.method, asked.target) == (Exit.OK, "GET", f"/erasures/{ERASURE}")
    assert f"{ERASURE}: verified 2026-11-30 09:00, of {ROOT} in default" in out
    for line in ("version 2", "change 3", "change_log ids 2026-12-30 09:00", "tombstone ids for good"):
        assert line in " ".join(out.split())
