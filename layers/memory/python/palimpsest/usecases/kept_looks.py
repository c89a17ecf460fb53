"""Second looks that are kept for the same recall again, those also that came too late for the first one.

A look is kept under all that it was made from: the reranker, the query, and of each result its space, its key with the
version, and its text, in their order. The same key so has the same answer, whatever was written meanwhile, and what is
written and changes one of the results changes the key: no counter of writes is needed. Only digests and numbers are
kept, in this process.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import RLock
from typing import Final, TypeAlias

Seen: TypeAlias = Sequence[float]
"""What a look says of each text, 0 to 1, in their order."""

_MOST: Final = 1_000


@dataclass(slots=True, eq=False)
class _Look:
    """One look, and how many recalls wait for it."""

    job: Future[Seen]
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class KeptLooks:
    """The last `most` looks, done or under way. One that fails is forgotten, so that the next recall tries again."""

    most: int = _MOST
    _looks: OrderedDict[bytes, _Look] = field(default_factory=OrderedDict, init=False, repr=False)
    _lock: RLock = field(default_factory=RLock, init=False, repr=False)

    def wait(self, key: bytes, begin: Callable[[], Future[Seen]], seconds: float) -> Seen:
        """What the look under that key says, which `begin` starts if there is none.

        One that has not begun when nobody waits for it any more is not begun: nobody pays for what nobody waits for.

        Raises:
            TimeoutError: It takes longer.
            Exception: What it failed with.
        """
        with self._lock:
            look = self._looks.get(key)
            if look is None:
                look = self._begun(key, begin())
            else:
                self._looks.move_to_end(key)
            look.waiting += 1
        try:
            return look.job.result(timeout=seconds)
        finally:
            with self._lock:
                look.waiting -= 1
                if not look.waiting:
                    look.job.cancel()

    def _begun(self, key: bytes, job: Future[Seen]) -> _Look:
        look = self._looks[key] = _Look(job)
        if len(self._looks) > self.most:
            self._looks.popitem(last=False)
        job.add_done_callback(lambda _: self._forget_failed(key, look))
        return look

    def _forget_failed(self, key: bytes, look: _Look) -> None:
        if not look.job.cancelled() and look.job.exception() is None:
            return
        with self._lock:
            if self._looks.get(key) is look:
                del self._looks[key]


def look_key(reranker: str, query: str, results: Iterable[tuple[str, str, str]]) -> bytes:
    """What a look is kept under. `results`: of each its space, its key and its text."""
    told = json.dumps([reranker, query, list(results)])
    return hashlib.blake2b(told.encode(), digest_size=16).digest()
