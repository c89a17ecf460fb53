"""What speaks for a text: each term of its score by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from palimpsest.domain import ranking
from palimpsest.domain.matching import Flags, Floats, Integers, Passages, Vectors
from palimpsest.domain.talk import Cue, Sayings
from palimpsest.domain.whitening import Whitening
from palimpsest.domain.windows import Windows

WORDS_AROUND: Final = {-1: 0.5, -2: 0.3, 1: 0.3, 2: 0.15}
"""How far a neighbour's words count as a saying's own, by offset."""

VECTORS_AROUND: Final = {-1: 0.4, -2: 0.3, 1: 0.4, 2: 0.3}
"""The same of vectors."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A query, and what its space knows of its words.

    Attributes:
        alternatives: For each word of the query the positions of its terms.
        frequencies: In how many entries of the space each term counts as occurring.
        weights: What each term counts beside the others, 0 to 1; None: all alike.
        entries, mean_length: How many entries the space has, and the mean of their lengths.
        vector: The unit vector of the query, shape (dimensions,); None when it could not be had.
        names: The words that it holds, folded, in all forms that a name in it may have.
        asks_when: It asks for a time.
        exact: What it asks for to the letter: for each phrase, for each of its words, the positions of its terms.
    """

    alternatives: Sequence[Sequence[int]]
    frequencies: Sequence[int]
    entries: int
    mean_length: float
    vector: Vectors | None
    names: frozenset[str] = frozenset()
    asks_when: bool = False
    exact: Sequence[Sequence[Sequence[int]]] = ()
    weights: Sequence[float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """What is scored, column by column: candidates, and what stands beside them in their talks.

    Attributes:
        counts: How often each term of the query occurs, shape (texts, terms).
        lengths: Shape (texts,).
        votes: How much the entity arm gives, 0 to 1, shape (texts,).
        named: 1.0 for what the query names by its id, shape (texts,).
        answers: False for what only tells what stands around the others, shape (texts,).
    """

    counts: Integers
    lengths: Integers
    passages: Passages
    sayings: Sayings
    votes: Floats
    named: Floats
    answers: Flags


def words(texts: Texts, asked: Asked, windows: Windows) -> Floats:
    """BM25F: a saying has its own words, and a part of those around it (Robertson, Zaragoza and Taylor 2004)."""
    own, lengths = texts.counts.astype(np.float64), texts.lengths.astype(np.float64)
    counts = own + windows.sums(own, WORDS_AROUND)
    lengths = lengths + windows.sums(lengths, WORDS_AROUND)
    room = 1.0 + windows.sums(np.ones(len(lengths)), WORDS_AROUND)
    mean = asked.mean_length * float(room.mean()) if len(room) else asked.mean_length
    return ranking.bm25_all(counts, lengths, asked.frequencies, asked.entries, mean, asked.alternatives, asked.weights)


def talk(texts: Texts, asked: Asked) -> Floats:
    """BM25 with a talk as the document, as far as its sayings are candidates, given to each of them; 0 outside talks.

    How rare a word is among talks is counted among these.
    """
    scores = np.zeros(len(texts.lengths))
    placed = np.flatnonzero(texts.sayings.talks)
    if not len(placed) or not asked.frequencies:
        return scores
    talks, talk_of = np.unique(texts.sayings.talks[placed], return_inverse=True)
    counts = np.zeros((len(talks), texts.counts.shape[1]))
    np.add.at(counts, talk_of, texts.counts[placed])
    frequencies = np.count_nonzero(counts, axis=0).tolist()
    of_talks = ranking.bm25_all(
        counts, np.ones(len(talks)), frequencies, len(talks), 1.0, asked.alternatives, asked.weights
    )
    scores[placed] = of_talks[talk_of]
    return scores


def meaning(
    passages: Passages, seen: Vectors, windows: Windows, query: Vectors | None, whitening: Whitening | None
) -> Floats:
    """Cosines of the texts' windows and the query, both whitened; of several passages the best; 0 without vectors.

    Without whitening how much more each is than their mean, so that what has no vector yet is behind nothing for it.
    """
    if query is None or not len(seen):
        return np.zeros(len(passages.sizes))
    if whitening is None:
        cosines = passages.cosines(query)
        return np.nan_to_num(cosines - np.nanmean(cosines))
    seen = seen + windows.sums(passages.means(seen), VECTORS_AROUND)[passages.owners]
    along = _unit(whitening.seen(query[None, :])[0])
    cosines = (seen * along).sum(axis=1) / np.maximum(np.linalg.norm(seen, axis=1), _TINY)
    return whitening.weight * np.nan_to_num(passages.best(cosines))


def covered(texts: Texts, asked: Asked, windows: Windows) -> Floats:
    own = (texts.counts > 0).astype(np.float64)
    has = own + windows.sums(own, WORDS_AROUND) > 0
    rarity = ranking.idf(asked.frequencies, asked.entries)
    found, whole = np.zeros(len(texts.lengths)), 0.0
    for forms in asked.alternatives:
        weight = float(rarity[list(forms)].max(initial=0.0))
        found += weight * has[:, list(forms)].any(axis=1)
        whole += weight
    return found / whole if whole else found


def to_the_letter(counts: Integers, phrases: Sequence[Sequence[Sequence[int]]]) -> Floats:
    """The share of the phrases of which a text has every word."""
    found = np.zeros(len(counts))
    for words in phrases:
        has_all = np.ones(len(counts), np.bool_)
        for forms in words:
            has_all &= counts[:, list(forms)].any(axis=1)
        found += has_all
    return found / max(len(phrases), 1)


def like_the_best(passages: Passages, seen: Vectors, total: Floats, answers: Flags) -> Floats:
    """Cosines with the answer that has the highest sum so far (feedback, Rocchio 1971); 0 without vectors."""
    if not len(seen) or not answers.any():
        return np.zeros(len(total))
    means = passages.means(seen)
    best = _unit(means[int(np.argmax(np.where(answers, total, -np.inf)))])
    cosines: Floats = (means @ best / np.maximum(np.linalg.norm(means, axis=1), _TINY)).astype(np.float64)
    return cosines


def speaks(sayings: Sayings, names: frozenset[str]) -> Floats:
    """1.0 for what is said in a talk by the only one of the speakers whom the query names."""
    speakers = [who if talk else "" for who, talk in zip(sayings.speakers, sayings.talks.tolist(), strict=True)]
    named = {speaker for speaker in set(speakers) if speaker and not names.isdisjoint(speaker.split())}
    if len(named) != 1:
        return np.zeros(len(speakers))
    return np.array([speaker in named for speaker in speakers], np.float64)


def has(cues: Integers, cue: Cue) -> Floats:
    return (cues & cue > 0).astype(np.float64)


def _unit(vector: Vectors) -> Vectors:
    unit: Vectors = vector / max(float(np.linalg.norm(vector)), _TINY)
    return unit


_TINY: Final = 1e-12
