"""Made-up talk that is shaped like LoCoMo's: dated turns of named speakers, and questions on them.

Words are drawn by Zipf's law from a vocabulary of twenty thousand, so that stop words, common and rare words come
as often as in real talk: a search engine's work depends on that, not on meaning. Rare words are two common ones joined.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

SPEAKERS = ("Marta", "Jan", "Ewa", "Piotr", "Ola", "Caroline", "Nate", "Joanna", "Tim", "Deborah", "Maria", "John")

_STOP = (
    "the to and I a you it that in of for was my is so with have we on your me be this do are at but just what not had"
    " all about from by an or if there they how them when as would can who been were will out up our his her which than"
)
_COMMON = (
    "time good great love family work friend home year week day kids book dog music trip city game walk school painting"
    " park garden dinner birthday photo team movie beach weekend house morning night summer winter river mountain car"
    " train coffee tea bread cake recipe kitchen table window door light color song guitar piano concert dance class"
    " teacher student lesson exam job office boss meeting project plan idea dream goal health doctor yoga run race bike"
    " swim hike camp forest tree flower bird cat horse fish farm market shop dress shoes hat coat bag gift card letter"
    " phone call message story poem novel author museum art gallery statue church bridge street hotel flight ticket map"
    " boat lake island storm rain snow sun cloud wind star moon sky garden fence roof wall lamp chair sofa bed pillow"
    " blanket candle clock mirror camera film actor stage theater comedy drama news paper radio channel screen computer"
    " keyboard program code robot science planet rocket ocean wave shell sand stone rock cave desert valley village"
    " neighbor sister brother mother father aunt uncle cousin baby wedding marriage party festival holiday tradition"
    " culture language country border peace volunteer charity support group community shelter hospital nurse medicine"
    " vitamin fruit apple orange lemon berry tomato potato carrot onion garlic pepper salt sugar honey cheese butter"
    " soup salad pasta pizza rice noodle chicken beef pork shrimp salmon sauce spice herb wine beer juice water ice"
    " fire smoke ash coal oil gas metal iron silver gold diamond ring necklace bracelet watch wallet money bank loan"
    " rent tax budget price sale discount store customer client brand design logo website podcast video album band drum"
    " violin flute singer voice choir opera ballet sculpture pottery clay brush canvas frame sketch pencil ink marker"
)
_VOCABULARY = 20_000
_SHIFT, _EXPONENT = 2.7, 1.22
"""Zipf and Mandelbrot, so that a half are stop words and 45,000 words of talk hold 6,000 different ones."""
_OPENERS = ("What did", "When did", "Where did", "Why did", "How did", "Did")
_ENDS = (".", ".", "!", "?")
_VERBS = ("say about", "think of", "do with", "hear of", "decide on", "tell about")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Talk:
    """An endless conversation, the same one for each seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._words = _vocabulary()
        ranks = np.arange(len(self._words))
        weights = 1 / (ranks + _SHIFT) ** _EXPONENT
        self._all = np.cumsum(weights) / weights.sum()
        weights[: len(_STOP.split())] = 0
        self._content = np.cumsum(weights) / weights.sum()
        self._said: set[str] = set()

    def turns(self, count: int) -> Iterator[str]:
        """So many turns, no two of them alike."""
        at = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
        while count:
            at += timedelta(minutes=float(self._random.exponential(40)))
            speaker = self._one_of(SPEAKERS)
            turn = f"[{_date(at)}] {speaker}: {self._sentences()}"
            if self._is_new(turn):
                count -= 1
                yield turn

    def questions(self, count: int) -> Iterator[str]:
        """So many questions, no two of them alike; their words are as rare as those of the turns."""
        while count:
            opener, speaker, verb = map(self._one_of, (_OPENERS, SPEAKERS, _VERBS))
            words = self._draw(self._content, int(self._random.integers(2, 5)))
            question = f"{opener} {speaker} {verb} {' '.join(words[:-1])} and {words[-1]}?"
            if self._is_new(question):
                count -= 1
                yield question

    def _sentences(self) -> str:
        length = min(90, max(5, int(self._random.lognormal(3.0, 0.5))))
        words = self._draw(self._all, length)
        cuts = [0, *sorted(self._random.integers(1, length, length // 9).tolist()), length]
        parts = [" ".join(words[a:b]) for a, b in itertools.pairwise(cuts) if b > a]
        return " ".join(part[0].upper() + part[1:] + self._one_of(_ENDS) for part in parts)

    def _one_of(self, choices: Sequence[str]) -> str:
        return choices[int(self._random.random() * len(choices))]

    def _draw(self, cumulative: npt.NDArray[np.float64], count: int) -> list[str]:
        places = np.searchsorted(cumulative, self._random.random(count))
        return [self._words[min(place, len(self._words) - 1)] for place in places.tolist()]

    def _is_new(self, text: str) -> bool:
        is_new = text not in self._said
        self._said.add(text)
        return is_new


def _vocabulary() -> list[str]:
    """Words by rank, the most frequent first."""
    common = list(dict.fromkeys(_COMMON.split()))
    joined = (a + b for gap in range(1, len(common)) for a, b in zip(common, common[gap:], strict=False))
    return [*_STOP.split(), *common, *itertools.islice(joined, _VOCABULARY - len(common))]


def _date(at: datetime) -> str:
    return f"{at:%I:%M} {'am' if at.hour < 12 else 'pm'} on {at.day} {_MONTHS[at.month - 1]}, {at.year}"
