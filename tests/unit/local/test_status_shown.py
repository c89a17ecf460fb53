"""The status, as the command line shows it."""

from __future__ import annotations

import pytest

from palimpsest.local.exits import Exit
from tests.support.scripted_server import ScriptedServer
from tests.unit.local.test_command_line import run

pytestmark = pytest.mark.usefixtures("home")


def test_the_status_tells_when_the_models_budget_is_used_up(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    stands = {"state": "ready", "model": "e5", "pending_embeddings": 0, "given_up": 0, "lag_seconds": 0}
    answer = {"version": "1", "store": "embedded", "embedder": {"model": "e5", "engine": "numpy"}, "index": stands}
    server.will_answer(answer | {"model": {"name": "openai:gpt-5-mini", "used_up": True}})

    assert run(server, "status") == Exit.OK

    assert "openai:gpt-5-mini, today's budget is used up" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("mute", "spaces", "told"),
    [
        (0, [], "all healthy"),
        (1, ["work"], "vector mute in work since 2026-11-30"),
        (3, ["a", "b"], "vector mute in a, b and 1 more since 2026-11-30"),
    ],
)
def test_the_status_tells_where_a_search_is_mute(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], mute: int, spaces: list[str], told: str
) -> None:
    stands = {"state": "ready", "model": "e5", "pending_embeddings": 0, "given_up": 0, "lag_seconds": 0}
    answer = {"version": "1", "store": "embedded", "embedder": {"model": "e5", "engine": "numpy"}, "index": stands}
    vector = {"name": "vector", "healthy": not mute, "mute_spaces": mute, "spaces": spaces}
    arms = [{"name": "keyword", "healthy": True}, vector | {"since": "2026-11-30T08:00:00.000Z" if mute else None}]
    server.will_answer(answer | {"arms": arms})

    assert run(server, "status") == Exit.OK
    rows = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert rows[-1] == ["searches", told]


@pytest.mark.parametrize(
    ("pending", "given_up", "embedder", "index"),
    [
        (0, 0, "e5 (numpy), nothing waits", "ready"),
        (3, 2, "e5 (numpy), 3 memories wait for it", "ready, 2 pieces of work given up"),
        (None, None, "e5 (numpy)", "ready"),
    ],
)
def test_the_status_tells_what_its_key_may_know(
    server: ScriptedServer,
    capsys: pytest.CaptureFixture[str],
    pending: int | None,
    given_up: int | None,
    embedder: str,
    index: str,
) -> None:
    stands = {"state": "ready", "model": "e5", "pending_embeddings": pending, "given_up": given_up, "lag_seconds": 0}
    server.will_answer(
        {"version": "1", "store": "embedded", "embedder": {"model": "e5", "engine": "numpy"}, "index": stands}
    )

    assert run(server, "status") == Exit.OK
    rows = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert rows[2] == ["embedder", embedder]
    assert rows[3] == ["index", index]
