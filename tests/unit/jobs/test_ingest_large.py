"""A document of 100,000 chunks fits into Lambda's time and memory, with made-up vectors; `-s` shows how well."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SECTIONS = 100_000
PROGRAM = """
import json, re, sys, time
from pathlib import Path
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.work_queue import Job
from palimpsest.usecases.add_document import Sending
from tests.support.installation import OWNER, install
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1e3
folder, sections = Path(sys.argv[1]), int(sys.argv[2])
memory = install(folder, sqlite=SqliteTable(folder / "table.db"))
said = "The ingest worker of section {0} restarts via systemd, and whoever is on call in the harbour is told."
text = "".join(f"# Part {number}\\n\\n{said.format(number)}\\n\\n" for number in range(sections)).encode()
document = memory.wired.service.add_document(OWNER, Sending("large.md", text)).document.id
before, began = peak(), time.process_time()
while memory.wired.worker.slices[Job.INGEST](document, lambda: 890.0):
    pass
shown = memory.wired.service.library.show(OWNER, document).document
told = {"chunks": shown.chunk_count, "seconds": time.process_time() - began, "megabytes": peak() - before}
print(json.dumps({"bytes": len(text), **told}))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells the peak of a process")
def test_a_document_of_a_hundred_thousand_chunks_is_read_in_the_time_and_memory_of_one_call(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path, str(SECTIONS)],
        env={"PYTHONPATH": "layers/memory/python:."},
        capture_output=True,
        text=True,
        check=True,
    )

    told = json.loads(done.stdout)
    sys.stdout.write(f"{told}\n")
    assert told["chunks"] == SECTIONS
    assert told["seconds"] < 600
    assert told["megabytes"] < 200
