"""What is known of a text as something that was said: in which talk and when in it, by whom, and how."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Final, NamedTuple

import numpy as np

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.matching import Integers

REACH: Final = 2
"""Sayings before and after one that tell what it is about."""

AROUND: Final = 2 * REACH
"""What is looked up around one that may answer, since what stands within reach may answer, too."""

_DIGEST_BYTES: Final = 7
"""So that a talk's number fits 64 bits with a sign, and is never 0."""
_SPEAKER_CHARACTERS: Final = 40
_WORDS_OF_A_NAME: Final = 3


class Place(NamedTuple):
    """Where in which talk something was said.

    Attributes:
        talk: Which talk it is within its space: `talk_of` the name of a session, or the id of a conversation.
        turn: From 0, rising in the order of what was said. Numbers may be left out.
    """

    talk: int
    turn: int


class Cue(IntFlag):
    """How something is said, as far as that tells what questions it may answer."""

    NONE = 0
    QUESTION = 1
    """It ends with a question."""
    TIME = 2
    """It says when."""
    FIRST_PERSON = 4
    """Its speaker tells of themselves."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text as a saying; the default is a text that stands alone.

    Attributes:
        speaker: Who said it, folded, if it was said in a talk; "" when nobody is named.
    """

    place: Place | None = None
    speaker: str = ""
    cues: Cue = Cue.NONE


ALONE: Final = Said()


@dataclass(frozen=True, slots=True, eq=False)
class Sayings:
    """Some texts as sayings, column by column.

    Attributes:
        talks: The number of each one's talk, 0 for what stands alone; shape (texts,).
        turns: Where in its talk it stands, shape (texts,).
        cues: Its `Cue` as a number, shape (texts,).
    """

    talks: Integers
    turns: Integers
    speakers: Sequence[str]
    cues: Integers

    @classmethod
    def of(cls, each: Sequence[Said]) -> Sayings:
        """From rows."""
        places = [said.place or Place(0, 0) for said in each]
        return cls(
            np.array([place.talk for place in places], np.int64),
            np.array([place.turn for place in places], np.int64),
            [said.speaker for said in each],
            np.array([said.cues for said in each], np.int64),
        )

    @classmethod
    def alone(cls, texts: int) -> Sayings:
        """Of texts that stand alone."""
        zeros = np.zeros(texts, np.int64)
        return cls(zeros, zeros, [""] * texts, zeros)

    def take(self, rows: Sequence[int] | Integers) -> Sayings:
        """Those rows, in that order."""
        return Sayings(self.talks[rows], self.turns[rows], [self.speakers[row] for row in rows], self.cues[rows])

    def places(self) -> list[Place]:
        """Where those stand that stand in a talk, each once."""
        placed = self.talks > 0
        return list(dict.fromkeys(map(Place, self.talks[placed].tolist(), self.turns[placed].tolist())))


def joined(sayings: Sequence[Sayings]) -> Sayings:
    """All of them, one after the other."""
    return Sayings(
        np.concatenate([each.talks for each in sayings]) if sayings else np.empty(0, np.int64),
        np.concatenate([each.turns for each in sayings]) if sayings else np.empty(0, np.int64),
        [speaker for each in sayings for speaker in each.speakers],
        np.concatenate([each.cues for each in sayings]) if sayings else np.empty(0, np.int64),
    )


_HEAD = re.compile(r"\s*\[[^\]\n]*\d[^\]\n]*\]\s*[^\W\d_][^:\n\[\]]{0,39}:\s+")
_LINE = re.compile(r"\s*(?:\[[^\]\n]{1,60}\]\s*)?(?P<speaker>[^\W\d_][^:\n\[\]]{0,39}):(?=\s)")
_NOTES = re.compile(r"(?:\s*\[[^\]]*\])+\s*$")
_TIMES: Final = {
    Language.ENGLISH: r"""
yesterday|today|tomorrow|tonight|ago|last|next|weeks?|weekends?|months?|years?|days?|morning|evening|since|recently|soon|
just|(?:in|by|since|until|till|of|last|next|this|early|late|mid)\smay|may\s\d+|\d+(?:st|nd|rd|th)?\s(?:of\s)?may|
monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|
october|november|december
""",
    Language.POLISH: r"""
wczoraj|przedwczoraj|dzis|dzisiaj|jutro|temu|ostatni\w*|zeszl\w+|ubiegl\w+|przyszl\w+|nastepn\w+|tydzien|tygodni\w*|
weekend\w*|miesiac\w*|miesiec\w*|rok|roku|lat|lata|dni|dzien|dniu|rano|wieczor\w*|niedawno|wkrotce|wlasnie|od|
poniedzial\w+|wtor(?:ek|k\w{1,4})|srod(?:a|e|y|o|zie)|czwart(?:ek|k\w{1,4})|piat(?:ek|k\w{1,4})|sobot\w{1,3}|
niedziel\w{1,3}|stycz(?:en|ni\w{1,2})|lut(?:y|ego|ym)|mar(?:zec|ca|cu)|kwie(?:cien|tni\w{1,2})|maj[au]?|
czerw(?:iec|ca|cu)|lip(?:iec|ca|cu)|sierp(?:ien|ni\w{1,2})|wrze(?:sien|sni\w{1,2})|pazdziernik\w{0,2}|
listopad\w{0,3}|grud(?:zien|ni\w{1,2})
""",
}
_FIRSTS: Final = {
    Language.ENGLISH: re.compile(r"\bI\b|\b(?:my|mine|we|our|ours|me|us)\b"),
    Language.POLISH: re.compile(
        r"\b(?:ja|mnie|mi|moj\w*|mam|my|nas|nam|nasz\w*|jestem|bylem|bylam)\b"
        r"|\b(?!problem\b)\w{3,}(?:lem|lam|lismy|lysmy)\b"
    ),
}


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{''.join(words.split())}|(?:19|20)\d\d)\b")


_ASKS_WHEN: Final = re.compile(
    r"\b(?:when|what (?:date|day|month|year|time)|which (?:day|month|year)|how long)\b"
    r"|\b(?:kiedy|jak dlugo|o ktorej|ktor\w+ (?:dni\w+|roku|miesiac\w*)|jak\w+ (?:dni\w+|roku|miesiac\w*))\b"
)
_WHENS: Final = {language: _pattern(words) for language, words in _TIMES.items()}


def talk_of(session: str) -> int:
    """The number of the talk that a session is, above 0: a digest, so that no name stands in an index."""
    return _numbered("session", session)


def talk_in(document: str) -> int:
    """The number of the talk that a document holds: another one than that of a session of that name.

    What was learned from a conversation has its document as its session, and turns of its own.
    """
    return _numbered("document", document)


def _numbered(kind: str, name: str) -> int:
    return 1 + int.from_bytes(hashlib.blake2b(f"{kind} {name}".encode(), digest_size=_DIGEST_BYTES).digest())


def words_said(content: str) -> str:
    """What was said, without a head such as "[8 May, 2023] Anna:" that says when and by whom.

    A vector of it is found better by what was said: 1 in 100 more among the first ten (LoCoMo). A head without a date
    stays, since it may be what the text is about: "Deadline: Friday".
    """
    head = _HEAD.match(content)
    return content[head.end() :] if head and content[head.end() :].strip() else content


def said(
    content: str, languages: Sequence[Language], *, place: Place | None = None, speaker: str | None = None
) -> Said:
    """A text as a saying.

    Args:
        content: The text; "Anna: yes" and "[8 May, 2023] Anna: yes" say who speaks. So does "Deadline: Friday", which
            therefore tells something in a talk alone.
        languages: What it may be written in.
        speaker: Who said it, where that is known otherwise.
    """
    line = _LINE.match(content)
    if line is not None and not _is_name(line["speaker"]):
        line = None
    words = content[line.end() :] if line else content
    named = speaker or (line["speaker"] if line else "")
    return Said(place, fold(named.casefold())[:_SPEAKER_CHARACTERS].strip(), _cues(words, languages))


def _is_name(text: str) -> bool:
    """It may be what somebody is called: few words, each further one with a capital."""
    words = text.split()
    return len(words) <= _WORDS_OF_A_NAME and all(not word[0].islower() for word in words[1:])


def asks_when(query: str) -> bool:
    """It asks for a time."""
    return _ASKS_WHEN.search(fold(query.casefold())) is not None


def _cues(words: str, languages: Sequence[Language]) -> Cue:
    bare = _NOTES.sub("", words).rstrip(" \n\"'”’»)")
    folded = fold(bare.casefold())
    cues = Cue.QUESTION if bare.endswith("?") else Cue.NONE
    for language in languages or tuple(Language):
        cues |= Cue.TIME if _WHENS[language].search(folded) else Cue.NONE
        told = bare if language is Language.ENGLISH else folded
        cues |= Cue.FIRST_PERSON if _FIRSTS[language].search(told) else Cue.NONE
    return cues
