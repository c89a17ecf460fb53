"""Facts of the machine that a result depends on."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from palimpsest import __version__


def facts(engine: str) -> dict[str, str]:
    """What to print beside a result. `engine`: what runs the embedding model."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "cpu": f"{_cpu()}, {_cores()} cores",
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "speed": f"{_million_additions():.0f} ms for a million additions in Python",
        "load": f"{os.getloadavg()[0]:.1f}, the benchmark's own included",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "palimpsest": __version__,
        "engine": engine,
    }


def resident_mb(pid: int) -> dict[str, float]:
    """Memory of a process in MB (10^6 bytes): resident, its anonymous part where the system tells, and the peak."""
    path = Path(f"/proc/{pid}/status")
    if not path.exists():  # not Linux
        kilobytes = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)  # noqa: S607
        return {"resident": int(kilobytes.stdout) * 1024 / 1e6}
    told = dict(re.findall(r"^(VmRSS|RssAnon|VmHWM):\s+(\d+) kB$", path.read_text("ascii"), re.MULTILINE))
    names = {"resident": "VmRSS", "anonymous": "RssAnon", "peak": "VmHWM"}
    return {name: round(int(told[field]) * 1024 / 1e6, 1) for name, field in names.items()}


def cpu_seconds(pid: int) -> float | None:
    """What a process has used of all processors so far; None where the system does not tell."""
    path = Path(f"/proc/{pid}/stat")
    if not path.exists():
        return None
    user, system = path.read_text("utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _million_additions() -> float:
    """Milliseconds for a loop that does little else, the fastest of three: machines of one name differ by factors."""
    taken = []
    for _ in range(3):
        began, total = time.perf_counter(), 0
        for number in range(1_000_000):
            total += number
        taken.append(1000 * (time.perf_counter() - began))
    return min(taken)


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", info.read_text("utf-8"), re.MULTILINE) if info.exists() else None
    return found[1] if found else platform.processor() or "unknown processor"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
