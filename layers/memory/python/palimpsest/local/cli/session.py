"""One run of the command line: what was asked, where the server is, and where the answer goes."""

from __future__ import annotations

import ipaddress
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO
from urllib.parse import urlsplit

from palimpsest.local.cli.client import ApiClient, Json
from palimpsest.local.cli.screen import Screen
from palimpsest.local.exits import Exit, Refusal
from palimpsest.settings import Settings

_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}  # noqa: S104 - where to connect, not to bind


@dataclass
class Session:
    """What a verb works with."""

    arguments: Namespace
    settings: Settings
    screen: Screen
    stdin: BinaryIO

    def close(self) -> None:
        """Hang up, if anything was asked."""
        if "api" in self.__dict__:
            self.api.close()

    @cached_property
    def api(self) -> ApiClient:
        """The API of the server that was named, or of the one on this machine."""
        url = self.arguments.url or self.settings.url or self._own_url()
        return ApiClient(url, self._key(url), self.arguments.timeout)

    @property
    def is_json(self) -> bool:
        """Answers are printed as the API gave them."""
        return bool(self.arguments.json)

    def show(self, answer: Json, human: Callable[[Screen, Json], None]) -> Exit:
        """Print the answer: one line of JSON with ``--json``, else as `human` does it."""
        if self.is_json:
            self.screen.line(json.dumps(answer, ensure_ascii=False))
        else:
            human(self.screen, answer)
        return Exit.OK

    def progress(self, text: str) -> None:
        """Tell a person who waits; not into files and pipes, and not between lines of JSON."""
        if self.screen.width is not None and not self.is_json:
            self.screen.line(text)

    def text(self, given: str) -> str:
        """Text of an argument; ``-`` is all of the standard input, without the line breaks at its end."""
        if given != "-":
            return given
        try:
            return self.stdin.read().decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise Refusal(Exit.REFUSED, f"the input is not UTF-8 (byte {error.start})") from None

    def space(self) -> Json:
        """The space that was named, as a field of a body or a query."""
        return {"space": self.arguments.space} if self.arguments.space else {}

    def _own_url(self) -> str:
        host = _ANY_ADDRESS.get(self.settings.host, self.settings.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.settings.port}"

    def _key(self, url: str) -> str | None:
        given: str | None = self.arguments.key or self.settings.key
        if given or not is_here(urlsplit(url).hostname or ""):
            return given
        return self.settings.kept_key()


@dataclass(frozen=True, slots=True)
class Verb:
    """One command.

    Attributes:
        help: What it does, in one line.
        arguments: Adds its own arguments to its parser.
        routes: What it calls, as ``POST /memory/save``.
        parts: The commands below it; then `run` is never called.
        bare: The one of them that is meant when none is named, if there is one; it takes no arguments of its own.
    """

    name: str
    help: str
    run: Callable[[Session], Exit]
    arguments: Callable[[ArgumentParser], None] | None = None
    routes: tuple[str, ...] = ()
    parts: tuple[Verb, ...] = ()
    bare: str | None = None


def is_here(host: str) -> bool:
    """The key of this machine is shown to servers on this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
