"""A PDF of 50 MB fits into Lambda's time and memory; `-s` shows how well."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pdf_files import page, pdf

PAGES, LINES, PICTURE_BYTES = 1_000, 45, 48_000
LINE = "The ingest worker restarts via systemd, and whoever is on call is told so."
PROGRAM = """
import json, re, sys, time
from pathlib import Path
from palimpsest.adapters.documents.pdf_file import PdfReader
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1e3
before = peak()
began = time.process_time()
with open(sys.argv[1], "rb") as file:
    pages = {block.page for block in PdfReader().read(file).blocks}
seconds = time.process_time() - began
print(json.dumps({"pages": len(pages), "seconds": seconds, "megabytes": peak() - before}))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells the peak of a process")
def test_a_pdf_of_fifty_megabytes_is_read_in_little_time_and_memory(tmp_path: Path) -> None:
    file = tmp_path / "large.pdf"
    file.write_bytes(pdf([page(*[LINE] * LINES, top=780)] * PAGES, padding=PICTURE_BYTES))

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, file],
        env={"PYTHONPATH": "layers/memory/python"},
        capture_output=True,
        text=True,
        check=True,
    )

    told = json.loads(done.stdout)
    sys.stdout.write(f"{file.stat().st_size} bytes: {told}\n")
    assert file.stat().st_size > 50_000_000
    assert told["pages"] == PAGES
    assert told["seconds"] < 60
    assert told["megabytes"] < 200
