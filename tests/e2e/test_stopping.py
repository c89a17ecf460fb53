"""What a stop, a kill and a restart leave behind."""

from __future__ import annotations

import contextlib
import itertools
import json
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest

from palimpsest.local.exits import Exit, Refusal
from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.support.server_process import OWNER_KEY, ServerProcess

KEY = {"PALIMPSEST_KEY": OWNER_KEY}


def save(server: ServerProcess, text: str) -> str:
    """The id of what was saved."""
    return str(server.post("/memory/save", {"content": text, "judge": "off"})["memory"]["root_id"])


def read(server: ServerProcess, root: str) -> str:
    return str(server.get(f"/memory/{root}")["content"])


@contextmanager
def running_save(server: ServerProcess) -> Iterator[Callable[[], int]]:
    """A request that runs and waits for its body; what is given sends the body and gives the status of the answer."""
    body = json.dumps({"content": "said while it stops"}).encode()
    connection = server.connection()
    connection.putrequest("POST", "/memory/save")
    for name, value in (
        ("authorization", f"Bearer {OWNER_KEY}"),
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("expect", "100-continue"),
    ):
        connection.putheader(name, value)
    connection.endheaders()
    sock = connection.sock
    assert sock is not None
    assert sock.recv(100).startswith(b"HTTP/1.1 100 ")

    def finish() -> int:
        sock.sendall(body)
        with connection.getresponse() as response:
            response.read()
            return response.status

    with closing(connection):
        yield finish


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(make_server: MakeServer) -> None:
    server = make_server(**KEY).start()
    acknowledged: dict[str, str] = {}
    numbers = itertools.count()
    enough = threading.Event()

    def write() -> None:
        with closing(server.client()) as client, contextlib.suppress(Refusal):
            while True:
                text = f"durable note {next(numbers)}"
                answer = client.post("/memory/save", {"content": text, "judge": "off"})
                acknowledged[answer["memory"]["root_id"]] = text
                if len(acknowledged) >= 40:
                    enough.set()

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write) for _ in range(4)]
        reached = enough.wait(60)
        server.kill()
    assert reached, server.output
    assert [writer.result() for writer in writers] == [None] * 4

    again = make_server(**KEY).start()

    assert {root: read(again, root) for root in acknowledged} == acknowledged
    last = next(reversed(acknowledged.values()))
    found = again.post("/memory/recall", {"query": last})["results"]
    assert last in [result["memory"]["content"] for result in found]


def test_a_stop_finishes_the_requests_that_run(make_server: MakeServer) -> None:
    server = make_server(**KEY, **NO_MODEL).start()
    with running_save(server) as finish:
        server.signal(signal.SIGTERM)

        assert finish() == 201

    assert server.ended() == Exit.OK
    again = make_server(**KEY, **NO_MODEL).start()
    assert [memory["content"] for memory in again.get("/memory/list")["memories"]] == ["said while it stops"]


def test_a_stop_leaves_one_file_and_no_lock(make_server: MakeServer) -> None:
    server = make_server(**KEY, **NO_MODEL).start()
    save(server, "kept")

    assert server.stop() == Exit.OK

    assert not (server.folder / "table.db-wal").exists()
    assert make_server(**KEY, **NO_MODEL).start().stop() == Exit.OK


def test_a_stop_does_not_wait_for_idle_connections(make_server: MakeServer) -> None:
    server = make_server(**KEY, **NO_MODEL).start()
    idle = server.client()
    idle.get("/status")

    server.signal(signal.SIGINT)

    assert server.ended(8) == Exit.OK
    idle.close()


def test_a_second_signal_ends_it_at_once(make_server: MakeServer) -> None:
    server = make_server(**KEY, **NO_MODEL).start()
    with running_save(server):
        server.signal(signal.SIGTERM)
        server.wait_for(lambda: _refuses(server), "the end of listening")
        server.signal(signal.SIGTERM)

        assert server.ended(5) == 128 + signal.SIGTERM


def test_a_forwarded_sigterm_is_no_order_to_end_at_once(make_server: MakeServer) -> None:
    server = make_server(**KEY, **NO_MODEL)
    server.command = (*server.command, "--sigterm-is-forwarded")
    server.start()
    with running_save(server) as finish:
        for _ in range(2):
            server.signal(signal.SIGTERM)
            server.wait_for(lambda: _refuses(server), "the end of listening")

        assert finish() == 201
    assert server.ended() == Exit.OK


@pytest.mark.parametrize("last", [signal.SIGTERM, signal.SIGINT])
def test_after_a_forwarded_sigterm_one_more_signal_ends_it_at_once(
    make_server: MakeServer, last: signal.Signals
) -> None:
    server = make_server(**KEY, **NO_MODEL)
    server.command = (*server.command, "--sigterm-is-forwarded")
    server.start()
    with running_save(server):
        server.signal(signal.SIGTERM)
        server.wait_for(lambda: _refuses(server), "the end of listening")
        server.signal(signal.SIGTERM)
        assert server.ended_within(0.2) is None

        tries = 0
        while server.ended_within(0.2) is None and tries < 20:
            server.signal(last)
            tries += 1  # one that comes while another waits counts as that one

        assert server.ended() == 128 + last


def test_what_was_written_before_a_kill_is_indexed_after_the_restart(make_server: MakeServer) -> None:
    server = make_server(**KEY, **NO_MODEL).start()
    save(server, "the quokka lives on Rottnest")
    server.kill()

    again = make_server(**KEY, **NO_MODEL).start()

    again.wait_for(lambda: again.get("/status")["index"]["lag_seconds"] == 0, "the index")
    answer = again.post("/memory/recall", {"query": "quokka"})
    assert ["keyword" in result["why"] for result in answer["results"]] == [True]


def _refuses(server: ServerProcess) -> bool:
    try:
        server.get("/health", None)
    except Refusal:
        return True
    return False
