"""Many writes in one request: in parts that fit, again for what may be sent again, and what became of each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.adapters.aws.opensearch_cluster import Cluster, Json
from palimpsest.adapters.aws.opensearch_errors import CONFLICT, NOT_FOUND, THROTTLED, of_status, unavailable
from palimpsest.domain.errors import IndexUnavailable

_BYTES: Final = 4_000_000
_ACTIONS: Final = 1_000
_ATTEMPTS: Final = 4
_FIRST_PAUSE_SECONDS: Final = 0.2
_AGAIN: Final = frozenset({THROTTLED, 502, 503, 504})
_BLOCKED: Final = "cluster_block_exception"
_DONE: Final = frozenset({200, 201})
_NEVER: Final = 400
"""The document itself is wrong. Any other failure is the server's, and may be over next time."""


@dataclass(frozen=True, slots=True)
class Action:
    """One write; without a document it deletes. `key`: of the entry that it is for."""

    document: Json | None
    id: str | None
    version: int | None
    key: str = ""

    @classmethod
    def put(cls, document: Json, id: str | None = None, version: int | None = None, *, key: str = "") -> Action:
        """Put a document in, under that id or one that the server makes."""
        return cls(document, id, version, key)

    @classmethod
    def delete(cls, id: str, version: int | None = None) -> Action:
        """Take a document out."""
        return cls(None, id, version)

    def lines(self) -> str:
        """The action as the server reads it."""
        about: Json = {} if self.id is None else {"_id": self.id}
        if self.version is not None:
            about |= {"version": self.version, "version_type": "external_gte"}
        parts = [{"delete" if self.document is None else "index": about}]
        if self.document is not None:
            parts.append(self.document)
        return "".join(json.dumps(part, separators=(",", ":")) + "\n" for part in parts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an action."""

    action: Action
    id: str
    status: int
    kind: str
    sequence: int

    @property
    def is_done(self) -> bool:
        """Something changed."""
        return self.status in _DONE

    @property
    def is_refused(self) -> bool:
        """It would be refused every time."""
        return self.status == _NEVER

    @property
    def is_fine(self) -> bool:
        """It is as it should be: done, a newer version is there, or what was to be deleted is not."""
        is_gone = self.status == NOT_FOUND and self.action.document is None and not self.kind
        return self.is_done or self.status == CONFLICT or is_gone

    @property
    def may_be_first(self) -> bool:
        """Its shard took nothing before, as far as the server tells; a collection does not tell."""
        return self.sequence <= 0 and not self.kind

    @property
    def is_to_send_again(self) -> bool:
        return self.status in _AGAIN and self.kind != _BLOCKED


@dataclass(frozen=True, slots=True)
class Bulk:
    """Sends actions to one index.

    Attributes:
        check: Raises IndexUnavailable unless the index is there and has our form.
    """

    cluster: Cluster
    index: str
    check: Callable[[], None]

    def send(self, actions: Iterable[Action]) -> list[Outcome]:
        """Do all of these, in parts, and tell of each; what is throttled is tried again a few times.

        Raises:
            IndexUnavailable: What the server lacks, such as room or a right; what was done may be done again.
        """
        return [outcome for part in _parts(actions) for outcome in self._send(part)]

    def _send(self, part: Sequence[tuple[Action, str]]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        waiting = list(part)
        for attempt in range(1, _ATTEMPTS + 1):
            answers = self.cluster.bulk(self.index, "".join(lines for _, lines in waiting))
            told = [_outcome(action, answer) for (action, _), answer in zip(waiting, answers, strict=True)]
            if any(outcome.may_be_first for outcome in told):
                self._look_again()
            again = [place for place, outcome in enumerate(told) if outcome.is_to_send_again]
            outcomes += [outcome for outcome in told if not outcome.is_to_send_again]
            _raise_for(outcomes)
            if not again:
                break
            if attempt == _ATTEMPTS:
                raise _given_up(told[again[0]])
            waiting = [waiting[place] for place in again]
            self.cluster.pause(random.uniform(0.5, 1.0) * _FIRST_PAUSE_SECONDS * 2**attempt)  # noqa: S311 - no secret
        return outcomes

    def _look_again(self) -> None:
        """IndexUnavailable when the write has made the index: it was dropped, and the server has guessed its fields.

        Such an index answers nothing and would be taken for the one that is gone, so it is dropped as well.
        """
        try:
            self.check()
        except IndexUnavailable as error:
            if error.reason != "index_mapping":
                raise
            self.cluster.call("DELETE", f"/{self.index}")
            raise unavailable("index_missing") from error


def _raise_for(outcomes: Iterable[Outcome]) -> None:
    for outcome in outcomes:
        if not (outcome.is_fine or outcome.is_refused):
            raise of_status(outcome.status, outcome.kind)


def _given_up(last: Outcome) -> IndexUnavailable:
    return of_status(last.status, last.kind) if last.status == THROTTLED else unavailable("index_red", last.kind)


def _parts(actions: Iterable[Action]) -> Iterator[list[tuple[Action, str]]]:
    part: list[tuple[Action, str]] = []
    size = 0
    for action in actions:
        lines = action.lines()
        if part and (size + len(lines) > _BYTES or len(part) == _ACTIONS):
            yield part
            part, size = [], 0
        part.append((action, lines))
        size += len(lines)
    if part:
        yield part


def _outcome(action: Action, answer: Json) -> Outcome:
    error = answer.get("error") or {}
    kind = str(error.get("type", "")) if isinstance(error, dict) else ""
    return Outcome(action, str(answer.get("_id", "")), int(answer["status"]), kind, int(answer.get("_seq_no", 0)))
