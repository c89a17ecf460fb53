"""The backup that docs/operate describes brings a memory back."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.architecture import tree
from tests.e2e.conftest import NO_MODEL, MakeServer

COMMAND = re.compile(r"## Backup.*?^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_a_backup_of_a_running_server_is_a_data_folder_again(make_server: MakeServer, tmp_path: Path) -> None:
    page = (tree.ROOT / "docs/operate/README.md").read_text("utf-8")
    (command,) = COMMAND.findall(page)
    running = make_server(".palimpsest", **NO_MODEL).start()
    key = (running.folder / "key").read_text("ascii").strip()
    saved = running.post("/memory/save", {"content": "The spare key is under the third pot"}, key)["memory"]

    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    subprocess.run(["sh", "-eu", "-c", command], cwd=tmp_path, env=home, check=True, timeout=60)
    restored = make_server("restored", **NO_MODEL)
    restored.folder.mkdir()
    (tmp_path / "palimpsest-backup.db").rename(restored.folder / "table.db")
    (restored.folder / "key").write_text(key, "ascii")
    restored.start()

    assert restored.get(f"/memory/{saved['id']}", key)["content"] == saved["content"]
    assert restored.post("/memory/recall", {"query": "spare key"}, key)["results"][0]["memory"]["id"] == saved["id"]
