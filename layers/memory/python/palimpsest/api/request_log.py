"""One line per request, and one for what nobody foresaw: constant messages with fields, never a caller's text."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import TextIO

from aws_lambda_powertools.logging import Logger

from palimpsest.api.options import EdgeOptions

_FRAMES = 8


class RequestLog:
    """Tells what the edge did."""

    def __init__(self, options: EdgeOptions) -> None:
        self._logger = Logger(
            service=options.service_name, level=options.log_level, logger_handler=_StandardOutput(), location=None
        )

    def answered(self, *, route: str, status: int, took_ms: float, request_id: str, key: str | None) -> None:
        """A request was answered."""
        self._logger.info(
            "request answered",
            extra={"route": route, "status": status, "took_ms": took_ms, "request_id": request_id, "key_id": key},
        )

    def failed(self, error: BaseException, *, route: str, request_id: str) -> None:
        """Something unforeseen happened: its type and where, not its words, which may be the caller's."""
        self._logger.error(
            "request failed",
            extra={"route": route, "request_id": request_id, "error": type(error).__name__, "frames": _frames(error)},
        )


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
