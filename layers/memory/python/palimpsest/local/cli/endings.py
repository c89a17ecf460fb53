"""How the reading of documents that were sent ends; each is told once it is over."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final

from palimpsest.local.cli.client import Json, Problem, part
from palimpsest.local.cli.library import show_added
from palimpsest.local.cli.progress import Progress
from palimpsest.local.cli.screen import Screen, one_line
from palimpsest.local.cli.session import Session

_UNDER_WAY: Final = frozenset({"queued", "reading"})
_FIRST_PAUSE_SECONDS: Final = 0.1
_LONGEST_PAUSE_SECONDS: Final = 2.0


@dataclass(slots=True)
class Endings:
    """Looks at documents in the order in which they were sent.

    Attributes:
        is_waiting: JSON has its line for each once it is over, or when the command ends before; else when it is sent.
        states: How many of them ended how.
    """

    session: Session
    is_waiting: bool
    states: Counter[str] = field(default_factory=Counter)
    _under_way: deque[Json] = field(default_factory=deque)

    def __enter__(self) -> Endings:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.session.is_json:
            for answer in self._under_way:
                self.session.show(answer, show_added)

    def expect(self, answer: Json) -> None:
        """One more; `answer`: its outcome and its document."""
        if not self.session.is_json or not self.is_waiting:
            self.session.show(answer, show_added)
        if self.is_waiting:
            self._under_way.append(answer)

    def wait(self) -> None:
        """Until all are over."""
        session, pause = self.session, _FIRST_PAUSE_SECONDS
        total = len(self._under_way)
        progress = Progress(session.screen.out, total, None if session.is_json else session.screen.width)
        while self.look():
            progress.at(total - len(self._under_way), f"reading {self._under_way[0]['document']['path']}")
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            progress.clear()
        if self.states and not session.is_json:
            session.screen.line(counted(self.states))

    def look(self) -> bool:
        """Tell those that are over; whether one is still under way."""
        while self._under_way:
            answer = self._under_way[0]
            now = self._now(answer["document"])
            if now["state"] in _UNDER_WAY:
                return True
            self._under_way.popleft()
            self.states[now["state"]] += 1
            self.session.show({**answer, "document": now}, _show_ending)
        return False

    def _now(self, document: Json) -> Json:
        if document["state"] not in _UNDER_WAY:
            return document
        try:
            return self.session.api.get(f"/documents/{part(document['id'])}")
        except Problem as problem:
            if problem.status != 404:
                raise
            return {**document, "state": "forgotten"}


def counted(numbers: Counter[str]) -> str:
    """How many of which, in a line."""
    return ", ".join(f"{number} {word}" for word, number in numbers.items())


def _show_ending(screen: Screen, answer: Json) -> None:
    document = answer["document"]
    if document["state"] == "failed":
        screen.line(f"failed {document['id']} {one_line(document['path'])}: {one_line(document['failure_detail'])}")
