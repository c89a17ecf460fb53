"""Texts to pieces, as the model was trained on them: the unigram tokenizer of XLM-RoBERTa."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

_CACHED_WORDS = 50_000
_CACHED_WORD_CHARACTERS = 24
_UNKNOWN_PENALTY = 10.0  # SentencePiece: an unknown character scores this much below the worst piece


class Tokenizer:
    """Cuts a text into the pieces whose probabilities have the largest product.

    No piece spans a space, so each word is cut alone, and the frequent ones are remembered. Pieces with score 0 are
    control symbols such as ``</s>``: text that spells one is cut into ordinary pieces.

    Args:
        pieces: The vocabulary, by id; a piece that begins a word begins with a space.
        scores: The logarithm of each piece's probability.
        unknown: The id for a character that no piece covers.
        characters: What each character becomes first.
    """

    def __init__(
        self, pieces: Iterable[str], scores: Sequence[float], unknown: int, characters: Mapping[int, str]
    ) -> None:
        numbered = enumerate(zip(pieces, scores, strict=True))
        self._ids = {piece: i for i, (piece, score) in numbered if score}
        self._scores = scores
        self._unknown = unknown
        self._unknown_score = min(scores) - _UNKNOWN_PENALTY
        self._longest = max(map(len, self._ids))
        self._characters = {0: "", **characters}
        self._words: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str) -> list[int]:
        """The ids of the pieces of `text`, without special ones; spaces around and between words don't count."""
        well_formed = text.encode("utf-8", "replace").decode("utf-8")
        words = unicodedata.normalize("NFC", well_formed).translate(self._characters).split(" ")
        out: list[int] = []
        for word in filter(None, words):
            out += self._words.get(word) or self._cut(word)
        return out

    def _cut(self, word: str) -> tuple[int, ...]:
        ids = self._best_path(" " + word)
        if len(word) <= _CACHED_WORD_CHARACTERS:
            if len(self._words) >= _CACHED_WORDS:
                self._words = {}
            self._words[word] = ids
        return ids

    def _best_path(self, text: str) -> tuple[int, ...]:
        """Viterbi's algorithm: for each end the best last piece, then back from the end of `text`."""
        n = len(text)
        best = [0.0] + [-1e30] * n
        piece = [0] * (n + 1)
        start = [0] * (n + 1)
        find, scores = self._ids.get, self._scores
        for i in range(n):
            base = best[i]
            for end in range(i + 1, min(n, i + self._longest) + 1):
                k = find(text[i:end])
                if k is not None and base + scores[k] > best[end]:
                    best[end], piece[end], start[end] = base + scores[k], k, i
            if base + self._unknown_score > best[i + 1]:
                best[i + 1], piece[i + 1], start[i + 1] = base + self._unknown_score, self._unknown, i
        ids = []
        while n:
            ids.append(piece[n])
            n = start[n]
        return tuple(reversed(ids))
