"""A conversation to one text as it is stored, and its turns as fragments of that text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from palimpsest.domain import instants
from palimpsest.domain.library.cutting import PROSE, Measure, cut

_SHARE: Final = 3
"""Who speaks takes a third of the window at most."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side said, in one go.

    Attributes:
        role: What they are in the conversation: ``user``, ``assistant``.
        text: Whole characters only; blank when nothing was said.
        speaker: Their name.
        external_id: What the source calls the turn.
    """

    role: str
    text: str
    speaker: str | None = None
    at: datetime | None = None
    external_id: str | None = None


class Span(NamedTuple):
    """From the first one on, up to the last one and without it."""

    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Fragment:
    """A turn, or a part of a long one.

    Attributes:
        text: As it was said, without white space around it.
        turn: What it is of.
        index: The turn's place in the conversation, from 0; blank turns have places too.
        position: The fragment's own place, from 0.
        label: Who speaks, as it stands before the text where it is embedded; "" when it would take too much room.
        chars: Where it stands in the whole text, in characters (code points).
        bytes: The same in the text's UTF-8.
        ordinal: How many equal ones stand before it; with the digest it says which of them this is.
    """

    text: str
    turn: Turn
    index: int
    position: int
    label: str
    chars: Span
    bytes: Span
    ordinal: int

    @property
    def headed(self) -> str:
        """The text after who says it: what is embedded and searched."""
        return self.label + self.text

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of who said what and when, wherever it stands."""
        return _digest(self.turn, self.text)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The whole text, and what is found in it.

    Attributes:
        text: Each turn as a line that says who and when, what was said, and a blank line. So the text of a
            conversation with more turns begins with the text of the one without.
        fragments: In the order of the turns as they were given; those of turns that were there before are the same.
    """

    text: str
    fragments: tuple[Fragment, ...]


def converse(turns: Sequence[Turn], measure: Measure, window: int) -> Conversation:
    """The turns as one text and its fragments, each within the window together with who speaks.

    A turn that does not fit is cut at paragraphs, then sentences, then spaces; blank ones have no fragment. The order
    is the one that is given, whatever the dates say: only so does a later turn change nothing that stands.

    Raises:
        ValueError: The window is below 1.
    """
    if window < 1:
        raise ValueError("a window holds at least one token")
    writing = _Writing(measure, window)
    for index, turn in enumerate(turns):
        writing.add(index, turn)
    return Conversation("".join(writing.texts), tuple(writing.fragments))


class _Writing:
    """The text up to a turn."""

    def __init__(self, measure: Measure, window: int) -> None:
        self.texts: list[str] = []
        self.fragments: list[Fragment] = []
        self._measure = measure
        self._window = window
        self._chars = 0
        self._bytes = 0
        self._labels: dict[str, tuple[str, int]] = {}
        self._seen: dict[str, int] = {}

    def add(self, index: int, turn: Turn) -> None:
        self._write(_line(turn))
        label, taken = self._label(turn)
        for part, chars, octets in self._parts(turn.text, self._window - taken):
            digest = _digest(turn, part)
            ordinal = self._seen.get(digest, 0)
            self._seen[digest] = ordinal + 1
            position = len(self.fragments)
            self.fragments.append(Fragment(part, turn, index, position, label, chars, octets, ordinal))
        self._write(turn.text + "\n\n")

    def _parts(self, text: str, room: int) -> Iterator[tuple[str, Span, Span]]:
        counted = begun = 0
        for begin, end, _ in cut(text, PROSE, self._measure, room):
            part = text[begin:end]
            begun += _octets(text[counted:begin])
            ended = begun + _octets(part)
            chars = Span(self._chars + begin, self._chars + end)
            yield part, chars, Span(self._bytes + begun, self._bytes + ended)
            counted, begun = end, ended

    def _label(self, turn: Turn) -> tuple[str, int]:
        """Who speaks, and what that takes."""
        label = f"{_one_line(turn.speaker or turn.role)}: "
        if label not in self._labels:
            taken = self._measure(label)
            self._labels[label] = (label, taken) if taken <= self._window // _SHARE else ("", 0)
        return self._labels[label]

    def _write(self, text: str) -> None:
        self.texts.append(text)
        self._chars += len(text)
        self._bytes += _octets(text)


def _line(turn: Turn) -> str:
    role = _one_line(turn.role)
    who = f"{_one_line(turn.speaker)} ({role})" if turn.speaker else role
    return f"{who}, {instants.write(turn.at)}:\n" if turn.at else f"{who}:\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _octets(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _digest(turn: Turn, text: str) -> str:
    said = [turn.role, turn.speaker, instants.write(turn.at) if turn.at else None, turn.external_id, text]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
