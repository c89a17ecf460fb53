"""`make serve`: the recipe around the server, with an environment that is there already."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path

import pytest

from palimpsest.local.exits import Exit
from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.e2e.test_stopping import KEY, running_save
from tests.support.server_process import ROOT, ServerProcess

STAMPS = (".runtime", ".editable", ".fast")


@pytest.fixture
def make_serve(make_server: MakeServer, tmp_path: Path) -> MakeServer:
    """Makes servers that make starts, as `make serve` does where everything is installed."""
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    package = shlex.quote(str(ROOT / "layers/memory/python"))
    run = f"#!/bin/sh\nPYTHONPATH={package} exec {shlex.quote(sys.executable)}"
    for name, rest in (("python", '"$@"'), ("palimpsest", '-m palimpsest.local.cli "$@"')):
        program = venv / "bin" / name
        program.write_text(f"{run} {rest}\n", "utf-8")
        program.chmod(0o755)
    (venv / ".home").write_text(f"{ROOT}\n", "utf-8")
    for stamp in STAMPS:
        (venv / stamp).touch()

    def make(folder: str | Path = "data", **settings: str) -> ServerProcess:
        server = make_server(folder, **settings)
        server.command = (
            "make",
            "--no-print-directory",
            "serve",
            f"VENV={venv}",
        )  # itself run by make it would say more
        return server

    return make


def test_sigterm_for_the_whole_group_finishes_the_requests_that_run(make_serve: MakeServer) -> None:
    server = make_serve(**KEY, **NO_MODEL).start()
    with running_save(server) as finish:
        server.signal_group(signal.SIGTERM)

        assert finish() == 201

    server.ended()
    again = make_serve(**KEY, **NO_MODEL).start()
    assert [memory["content"] for memory in again.get("/memory/list")["memories"]] == ["said while it stops"]


def test_sigterm_for_make_alone_stops_the_server(make_serve: MakeServer) -> None:
    server = make_serve(**KEY, **NO_MODEL).start()

    server.signal(signal.SIGTERM)

    server.ended()
    assert not (server.folder / "table.db-wal").exists()


def test_make_names_the_exit_code_of_the_server(make_serve: MakeServer) -> None:
    first = make_serve(**KEY, **NO_MODEL).start()
    second = ServerProcess(first.folder, first.settings, command=first.command)
    first.output_file.rename(first.output_file.with_suffix(".first"))

    second.launch()

    assert second.ended() == 2
    assert "uses the data folder" in second.output
    assert f"Error {Exit.SECOND_SERVER}" in second.output.splitlines()[-1]
