"""What a candidate is worth to a query: a sum of what its words, its meaning and the way it was said speak for.

    score = D + .20 L / ln(1 + N) + .20 S / ln(1 + N) + .34 speaker - .15 question + .33 when + .09 first person + .1 F

(outside of talks .28 L, no S and no speaker).

`D` is the cosine of the query's and the candidate's whitened vectors, the latter with a part of its neighbours' in the
talk; `L` BM25F over the same window, `S` BM25 with what the candidates of its talk say together as the document; `N`
how many entries the space has; `F` the cosine with the best candidate so far. Each term stands in
docs/benchmarks/recall.md with what it gains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from palimpsest.domain import evidence
from palimpsest.domain.evidence import Asked, Texts
from palimpsest.domain.matching import Flags, Floats
from palimpsest.domain.talk import Cue, Sayings
from palimpsest.domain.whitening import Whitening
from palimpsest.domain.windows import Windows

WEIGHTS: Final[Mapping[str, float]] = {
    "vector": 1.0,
    "keyword": 0.2,
    "talk": 0.2,
    "speaker": 0.34,
    "question": -0.15,
    "when": 0.33,
    "first_person": 0.09,
    "feedback": 0.1,
    "entity": 0.05,
    "exact": 0.4,
    "named": 3.0,
}
"""Of the parts of a score. Fitted on the development part of LoCoMo, leaving one conversation out at a time. That of
the entity arm is a guess that moves little: what only names what the query names never passes what answers it. What is
asked for to the letter comes before what is alike, and an id before everything."""

_ALONE_MORE: Final = 1.4
"""How much more the words count of what stands in no talk, in place of its talk's."""

_SPREAD: Final = 3.0
_MIDDLE: Final = 0.5
"""Of the curve that takes a sum to between 0 and 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of texts.

    Attributes:
        total: The sum of the parts, shape (texts,).
        parts: By name what each adds, shape (texts,) each.
        similarities: Cosines with the query's vector; NaN for none.
        covered: The share of the query's idf that each and what stands around it have, shape (texts,).
        answers: As of the texts.
    """

    total: Floats
    similarities: Floats
    covered: Floats
    answers: Flags
    parts: Mapping[str, Floats] = field(default_factory=dict)


def score(texts: Texts, asked: Asked, whitening: Whitening | None, weights: Mapping[str, float] = WEIGHTS) -> Scores:
    """The scores of texts.

    Args:
        whitening: Of the space; None while nothing is known of it.
        weights: Of the parts, by name.
    """
    windows = Windows.of(texts.sayings)
    scale = np.log1p(max(asked.entries, 1))
    cues = texts.sayings.cues
    words = evidence.words(texts, asked, windows) / scale
    seen = texts.passages.vectors if whitening is None else whitening.seen(texts.passages.vectors)
    features = {
        "vector": evidence.meaning(texts.passages, seen, windows, asked.vector, whitening),
        "keyword": words * _ALONE_MORE ** (texts.sayings.talks == 0),
        "talk": evidence.talk(texts, asked) / scale,
        "speaker": evidence.speaks(texts.sayings, asked.names),
        "question": evidence.has(cues, Cue.QUESTION),
        "when": evidence.has(cues, Cue.TIME) * asked.asks_when,
        "first_person": evidence.has(cues, Cue.FIRST_PERSON),
        "entity": texts.votes,
        "exact": evidence.to_the_letter(texts.counts, asked.exact),
        "named": texts.named,
    }
    parts = {name: weights[name] * values for name, values in features.items()}
    total: Floats = np.sum(list(parts.values()), axis=0)
    if whitening is not None:
        parts["feedback"] = weights["feedback"] * evidence.like_the_best(texts.passages, seen, total, texts.answers)
        total = total + parts["feedback"]
    covered = evidence.covered(texts, asked, windows)
    return Scores(total, texts.passages.cosines(asked.vector), covered, texts.answers, parts)


def first(texts: Texts, asked: Asked, whitening: Whitening | None) -> Floats:
    """Scores by what each text says alone, to choose those whose neighbours are worth to be looked up."""
    none = Windows.of(Sayings.alone(len(texts.lengths)))
    scale = np.log1p(max(asked.entries, 1))
    seen = texts.passages.vectors if whitening is None else whitening.seen(texts.passages.vectors)
    meaning = evidence.meaning(texts.passages, seen, none, asked.vector, whitening)
    words = evidence.words(texts, asked, none) / scale
    score: Floats = meaning + _ALONE_MORE * WEIGHTS["keyword"] * words + WEIGHTS["entity"] * texts.votes
    return score


def share(total: Floats) -> Floats:
    """Sums of parts on a scale from 0 to 1, in the same order."""
    curve: Floats = 1.0 / (1.0 + np.exp(-_SPREAD * (total - _MIDDLE)))
    return curve


def nearest(scores: Scores) -> float | None:
    """The best cosine of an answer; None without vectors."""
    similarities = scores.similarities[scores.answers]
    return None if np.isnan(similarities).all() else float(np.nanmax(similarities))


def gap(scores: Scores) -> float | None:
    """How much better the best of the named speaker's sayings is than the best of all others, but for being theirs.

    None where the answers hold none of one side.
    """
    theirs, others = scores.answers & (scores.parts["speaker"] > 0), scores.answers & (scores.parts["speaker"] <= 0)
    if not theirs.any() or not others.any():
        return None
    told = scores.total - scores.parts["speaker"]
    return float(told[theirs].max() - told[others].max())
