"""A reranker that prefers the words that a test names."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class ScriptedReranker:
    """Gives 1 to what holds `best`, else 0.

    Attributes:
        failure: Raised in place of an answer.
        gate: Answers wait for it; open unless a test closes it.
        asked: The query and the texts of each call.
    """

    best: str = ""
    failure: Exception | None = None
    gate: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gate.set()

    @property
    def name(self) -> str:
        return "scripted:reranker"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, tuple(texts)))
        assert self.gate.wait(30)
        if self.failure is not None:
            raise self.failure
        return [float(self.best in text) for text in texts]
