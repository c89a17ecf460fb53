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
from threading import Lock
from typing import Final, TypeAlias

Seen: TypeAlias = Sequence[float]
"""What a look says of each text, 0 to 1, in their order."""

_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class KeptLooks:
    """The last `most` looks, done or under way. One that fails is forgotten, so that the next recall tries again."""

    most: int = _MOST
    _jobs: OrderedDict[bytes, Future[Seen]] = field(default_factory=OrderedDict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def job(self, key: bytes, begin: Callable[[], Future[Seen]]) -> Future[Seen]:
        """The look under that key, which `begin` starts if there is none."""
        with self._lock:
            known = self._jobs.get(key)
            if known is not None:
                self._jobs.move_to_end(key)
                return known
            job = self._jobs[key] = begin()
            if len(self._jobs) > self.most:
                self._jobs.popitem(last=False)
        job.add_done_callback(lambda done: self._keep_or_forget(key, done))
        return job

    def _keep_or_forget(self, key: bytes, job: Future[Seen]) -> None:
        if not job.cancelled() and job.exception() is None:
            return
        with self._lock:
            if self._jobs.get(key) is job:
                del self._jobs[key]


def look_key(reranker: str, query: str, results: Iterable[tuple[str, str, str]]) -> bytes:
    """What a look is kept under. `results`: of each its space, its key and its text."""
    told = json.dumps([reranker, query, list(results)])
    return hashlib.blake2b(told.encode(), digest_size=16).digest()
