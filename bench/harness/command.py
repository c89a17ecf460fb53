"""What every benchmark's command line takes."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path


def parser(description: str | None) -> ArgumentParser:
    """A parser that knows `--out`. SIGTERM ends the benchmark as an error would, and with it what it started."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    made = ArgumentParser(description=description)
    made.add_argument("--out", type=Path, metavar="FILE", help="write the whole result there, as JSON")
    made.add_argument(
        "--no-extra", dest="extra", action="store_false", help="run our own server as where the fast engine is missing"
    )
    return made


def add_data(to: ArgumentParser, default: Path | None = None) -> None:
    """The options of a benchmark over a data file, on a server of its own or a given one."""
    to.add_argument("--data", type=Path, required=default is None, default=default, metavar="FILE", help="the data set")
    to.add_argument("--url", metavar="URL", help="a running server; without it one is started for the benchmark")
    to.add_argument("--key", metavar="KEY", help="an owner's key of that server")
