"""How a server starts, and how it says that it can't."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import closing
from pathlib import Path

import pytest

from palimpsest.local.exits import Exit
from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.support.server_process import OWNER_KEY, ServerProcess


def refused(server: ServerProcess) -> tuple[int, str]:
    """How a server that can't start ends, and the one line that it leaves."""
    server.launch()
    code = server.ended()
    (line,) = server.output.splitlines()
    return code, line


def test_the_first_start_makes_a_key_and_tells_a_log_only_where_it_is(make_server: MakeServer) -> None:
    server = make_server(**NO_MODEL).start()
    key = (server.folder / "key").read_text("ascii").strip()

    assert key not in server.output
    assert server.output.splitlines()[0] == f"made an owner key; it is kept in {server.folder / 'key'}"
    assert stat.S_IMODE((server.folder / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700
    assert server.get("/status", key)["version"]
    assert server.stop() == Exit.OK

    again = make_server(**NO_MODEL).start()

    assert key not in again.output
    assert again.get("/status", key)["version"]


def test_on_a_terminal_the_first_start_shows_the_key_once(make_server: MakeServer) -> None:
    server = make_server(**NO_MODEL)
    server.has_terminal = True
    server.start()
    key = (server.folder / "key").read_text("ascii").strip()

    assert server.output.count(key) == 1


@pytest.mark.parametrize("is_revoked", [False, True])
def test_a_key_that_was_given_out_as_a_lesser_one_is_no_owner_key(make_server: MakeServer, is_revoked: bool) -> None:
    first = make_server(PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL).start()
    with closing(first.client()) as client:
        made = client.post("/keys", {"role": "owner" if is_revoked else "writer"})
        if is_revoked:
            client.delete(f"/keys/{made['key']['id']}")
    assert first.stop() == Exit.OK

    code, line = refused(make_server(PALIMPSEST_KEY=made["secret"], **NO_MODEL))

    assert code == Exit.USAGE
    assert "PALIMPSEST_KEY" in line
    assert made["secret"] not in line


def test_a_start_sweeps_index_files_that_a_crash_left_behind(make_server: MakeServer) -> None:
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL)
    left = server.folder / "index" / "index-01KJMA0FM3G83EFRTNJJN6PQ8A.db"
    left.parent.mkdir(parents=True)
    left.touch()

    server.start()

    assert not left.exists()


def test_a_key_of_the_user_is_used_and_never_shown_or_kept(make_server: MakeServer) -> None:
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL).start()

    status = server.get("/status")
    assert (status["store"], status["index"]["given_up"]) == ("embedded", 0)
    assert OWNER_KEY not in server.output
    assert not (server.folder / "key").exists()


def test_the_start_says_where_everything_is(make_server: MakeServer) -> None:
    server = make_server("a folder", **NO_MODEL).start()

    lines = server.output.splitlines()[1:]

    assert [line.split()[0] for line in lines] == ["Palimpsest", "data", "key", "try"]
    assert str(server.folder) in lines[1]
    assert f"curl -s {server.url}/memory/save" in lines[3]


def test_files_and_folders_of_the_memory_are_readable_for_their_owner_alone(make_server: MakeServer) -> None:
    server = make_server(**NO_MODEL).start()

    assert (server.folder / "index").is_dir()
    assert [path for path in (server.folder, *server.folder.rglob("*")) if path.stat().st_mode & 0o077] == []


def test_folders_that_an_older_release_left_open_are_closed(make_server: MakeServer) -> None:
    server = make_server(**NO_MODEL)
    model = server.folder / "models/e5-old/model.bin"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"weights")
    (server.folder / "index").mkdir(mode=0o755)
    elsewhere = server.folder.parent / "elsewhere"
    elsewhere.write_bytes(b"")
    elsewhere.chmod(0o644)
    (server.folder / "index/link").symlink_to(elsewhere)

    server.start()

    assert stat.S_IMODE(model.stat().st_mode) == 0o600
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644
    for folder in (server.folder / "index", server.folder / "models", model.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_server_on_the_same_folder_is_refused(make_server: MakeServer) -> None:
    first = make_server(PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL).start()
    second = ServerProcess(first.folder, {**first.settings})
    out = first.output_file.rename(first.output_file.with_suffix(".first"))

    code, line = refused(second)

    assert code == Exit.SECOND_SERVER
    assert "uses the data folder" in line
    assert "PALIMPSEST_DATA_DIR" in line
    assert first.get("/status")["version"]
    assert out.exists()


def test_a_port_in_use_is_said(make_server: MakeServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, line = refused(make_server(PALIMPSEST_PORT=port, PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL))

    assert code == Exit.PORT
    assert f"port {port}" in line
    assert "PALIMPSEST_PORT" in line


def test_a_name_without_an_address_is_said(make_server: MakeServer) -> None:
    code, line = refused(make_server(PALIMPSEST_HOST="no host at all", PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL))

    assert code == Exit.PORT
    assert "PALIMPSEST_HOST" in line


@pytest.mark.parametrize("folder", ["file", "file/below/it"])
def test_a_data_folder_that_cannot_be_made_is_said(make_server: MakeServer, tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("not a folder", "utf-8")
    server = make_server(PALIMPSEST_DATA_DIR=str(tmp_path / folder), PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL)

    code, line = refused(server)

    assert code == Exit.DATA_FOLDER
    assert str(tmp_path / folder) in line


def test_other_machines_are_let_in_only_with_a_key_that_the_user_chose(make_server: MakeServer) -> None:
    code, line = refused(make_server(PALIMPSEST_HOST="0.0.0.0", **NO_MODEL))  # noqa: S104 - that is the point

    assert code == Exit.OPEN_NETWORK
    assert "PALIMPSEST_KEY" in line

    chosen = make_server(PALIMPSEST_HOST="0.0.0.0", PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL).start()  # noqa: S104

    assert chosen.get("/status")["version"]


def test_what_is_no_database_is_not_overwritten(make_server: MakeServer) -> None:
    server = make_server(PALIMPSEST_KEY=OWNER_KEY, **NO_MODEL)
    server.folder.mkdir()
    table = server.folder / "table.db"
    table.write_bytes(os.urandom(8192))
    before = table.read_bytes()

    code, line = refused(server)

    assert code == Exit.STORE
    assert str(table) in line
    assert table.read_bytes() == before


@pytest.mark.parametrize(("name", "value"), [("PALIMPSEST_PORT", "70000"), ("PALIMPSEST_KEY", "short")])
def test_a_setting_that_means_nothing_is_said_without_its_value(make_server: MakeServer, name: str, value: str) -> None:
    code, line = refused(make_server(**{"PALIMPSEST_KEY": OWNER_KEY, **NO_MODEL, name: value}))

    assert code == Exit.USAGE
    assert name in line
    assert value not in line
