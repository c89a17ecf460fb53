"""One line per request, and one for what nobody foresaw: constant messages with fields, never a caller's text."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from pathlib import Path
from typing import Protocol, TextIO

from aws_lambda_powertools.logging import Logger

from palimpsest.api.happenings import Happening, embedded
from palimpsest.api.options import EdgeOptions

_FRAMES = 8


class RequestLog(Protocol):
    """Tells what the edge did."""

    def answered(self, *, route: str, status: int, took_ms: float, request_id: str, key: str | None) -> None:
        """A request was answered. `route`: its method and the template of its path."""

    def happened(self, happening: Happening) -> None:
        """Something that alarms look at came about."""

    def failed(self, error: BaseException, *, route: str, request_id: str) -> None:
        """Something unforeseen happened: its type and where, not its words, which may be the caller's."""


def request_log(options: EdgeOptions) -> RequestLog:
    """The log in the form that was chosen, on standard output."""
    return _Text(options) if options.log_format == "text" else _Json(options)


class _Json:
    def __init__(self, options: EdgeOptions) -> None:
        self._logger = Logger(
            service=options.service_name, level=options.log_level, logger_handler=_StandardOutput(), location=None
        )

    def answered(self, *, route: str, status: int, took_ms: float, request_id: str, key: str | None) -> None:
        self._logger.info(
            "request answered",
            extra={"route": route, "status": status, "took_ms": took_ms, "request_id": request_id, "key_id": key},
        )

    def happened(self, happening: Happening) -> None:
        line = embedded(happening, epoch_milliseconds=time.time_ns() // 1_000_000)
        sys.stdout.write(json.dumps(line) + "\n")

    def failed(self, error: BaseException, *, route: str, request_id: str) -> None:
        self._logger.error(
            "request failed",
            extra={"route": route, "request_id": request_id, "error": type(error).__name__, "frames": _frames(error)},
        )


class _Text:
    def __init__(self, options: EdgeOptions) -> None:
        handler = _StandardOutput()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        self._logger = logging.Logger(options.service_name, options.log_level)  # noqa: LOG001 - for this handler alone
        self._logger.addHandler(handler)

    def answered(self, *, route: str, status: int, took_ms: float, request_id: str, key: str | None) -> None:
        del request_id, key  # for those who search a log, not for those who watch
        self._logger.info("%s %d %.0f ms", route, status, took_ms)

    def happened(self, happening: Happening) -> None:
        """Nothing: the answer says it, and nobody makes metrics of these lines."""

    def failed(self, error: BaseException, *, route: str, request_id: str) -> None:
        place = _frames(error)[-1:] or ["nowhere"]
        self._logger.error("%s failed: %s at %s, request %s", route, type(error).__name__, place[0], request_id)


class _StandardOutput(logging.StreamHandler[TextIO]):
    """Writes to whatever standard output is at that moment."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:
        return sys.stdout

    @stream.setter
    def stream(self, _: TextIO) -> None:
        raise AttributeError("this handler writes to standard output")


def _frames(error: BaseException) -> list[str]:
    found = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in found]
