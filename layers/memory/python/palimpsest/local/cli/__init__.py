"""The command line `palimpsest`: a client of the HTTP API, and the server of one machine."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from typing import TextIO

from palimpsest import settings as environment
from palimpsest.local.cli.parser import build_parser
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code, as `docs/cli.md` lists them."""
    try:
        arguments = build_parser().parse_args(argv)
    except SystemExit as ended:  # argparse has printed its help or what is wrong
        return int(ended.code or 0)
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except Refusal as refusal:
        _complain(str(refusal))
        return refusal.code
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # whoever read the answer has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK


def _run(arguments: Namespace) -> Exit:
    verb: Verb = arguments.verb
    _write_anything(sys.stdout)
    _write_anything(sys.stderr)
    try:
        settings = environment.read()
    except (environment.SettingError, RuntimeError) as error:  # RuntimeError: there is no home folder
        raise Refusal(Exit.USAGE, str(error)) from None
    with closing(Session(arguments, settings, _screen(sys.stdout), sys.stdin.buffer)) as session:
        return verb.run(session)


def _screen(out: TextIO) -> Screen:
    if not out.isatty():
        return Screen(out)
    return Screen(out, os.get_terminal_size(out.fileno()).columns or 80, environment.shows_color())


def _write_anything(stream: TextIO) -> None:
    """A terminal that can't show a character shows something else, and nobody gets a traceback."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")


def _complain(text: str) -> None:
    sys.stderr.write(f"palimpsest: {text}\n")
