"""Texts to the features that they are found by. An embedding has a time box; past it the text is `pending`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

import numpy as np

from palimpsest.domain import talk
from palimpsest.domain.analysis import analyse
from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.domain.language import Linguist
from palimpsest.domain.version import Statement
from palimpsest.ports.embedder import Embedder, Vector
from palimpsest.stores.changes import Features

T = TypeVar("T")

_AT_ONCE_CHARACTERS = 8_000
"""A longer text would take seconds (about 4 characters a token), so it waits for the background."""

_BATCH_CHARACTERS = 16_000
"""Texts embedded in one go: enough for full speed, and a few seconds at the most."""

FAILURES = 3
"""So many texts in a row that fail alone mean that the embedder is down, and each may take its whole time-out."""


@dataclass(frozen=True, slots=True)
class Featurise:
    """Analyses and embeds. `box`: how long a request waits for one text's vectors; a batch waits five times as long."""

    embedder: Embedder
    linguist: Linguist
    executor: Executor
    box: timedelta

    def one(self, content: str) -> Features:
        """The features of one text; no vectors when the embedder is late, failing, or the text is long."""
        return self.begin([content])()[0]

    def begin(self, contents: Sequence[str]) -> Callable[[], list[Features]]:
        """Have the embedder begin; what is given waits for it, and gives the features of each text, in order."""
        box = self.box if len(contents) == 1 else 5 * self.box
        short = [i for i, content in enumerate(contents) if len(content) <= _AT_ONCE_CHARACTERS]
        short.sort(key=lambda i: len(contents[i]))
        jobs = {
            self.executor.submit(self.embedder.passages, [talk.words_said(contents[i]) for i in batch]): batch
            for batch in batches(short, length=lambda i: len(contents[i]))
        }
        none = np.empty((0, self.embedder.model.dimensions), np.float32)
        analysed = [features_of(content, none, self.linguist) for content in contents]  # while the embedder works

        def finish() -> list[Features]:
            wait(jobs, timeout=box.total_seconds())
            vectors: dict[int, Vector] = {}
            for job, batch in jobs.items():
                vectors |= zip(batch, _vectors(job), strict=False)
            return [replace(each, vectors=vectors.get(i, each.vectors)) for i, each in enumerate(analysed)]

        return finish

    def again(self, statement: Statement, vectors: Vector) -> Features:
        """The features of a statement whose vectors are known."""
        return features_of(statement.content, vectors, self.linguist).at(statement.place)


def features_of(content: str, vectors: Vector, linguist: Linguist) -> Features:
    """What a text is found and scored by."""
    analysed = analyse(content, linguist)
    return Features(analysed.terms, analysed.length, vectors, talk.said(content, linguist.languages(content)))


def batches(texts: Sequence[T], *, length: Callable[[T], int]) -> Iterator[list[T]]:
    """Runs of texts with at most 16,000 characters together, or one text that has more."""
    batch: list[T] = []
    characters = 0
    for text in texts:
        if batch and characters + length(text) > _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += length(text)
    if batch:
        yield batch


def vectors_of_each(
    embedder: Embedder, batch: Sequence[T], *, content: Callable[[T], str]
) -> Iterator[tuple[T, Vector | None]]:
    """Each with its text's vectors; None when the text has none even alone."""
    try:
        yield from zip(batch, embedder.passages([content(each) for each in batch]), strict=True)
    except EmbedderUnavailable:
        if len(batch) == 1:
            yield batch[0], None
            return
        for each in batch:
            yield from vectors_of_each(embedder, [each], content=content)


def _vectors(job: Future[list[Vector]]) -> list[Vector]:
    """What the job gave; nothing when it is not done in time or the embedder could not."""
    if not job.done():
        job.cancel()
        return []
    try:
        return job.result()
    except EmbedderUnavailable:
        return []
