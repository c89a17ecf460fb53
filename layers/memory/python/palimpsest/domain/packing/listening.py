"""What the last turns of a talk ask a memory, and when they ask nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from palimpsest.domain import stop_words
from palimpsest.domain.analysis import fold
from palimpsest.domain.library.sentences import ends
from palimpsest.domain.naming.persons import given_name
from palimpsest.domain.restating.wordlists import words

TURNS: Final = 10
"""Of a talk that are listened to, the last ones."""

_MAIN_CHARACTERS: Final = 600
"""Of the turn that asks: its end, where a question mostly stands; more only makes the embedding slower."""

_ASKED: Final = 10
"""Words and names of a query; the turns before give what the last one lacks."""

_FEWEST_NAMES: Final = 2
_RARE: Final = 7
"""Letters: words of English and Polish with as many are seldom."""

_NOT_TALK: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|^[^\S\n]*>[^\n]*", re.DOTALL | re.MULTILINE)
_COMMAND: Final = re.compile(r"\s*[/!]\w")
_WORD: Final = re.compile(r"[^\W_]+(?:[-.@_'’]\w+)*")
_NAME: Final = re.compile(r"(?=\w*[A-ZĄĆĘŁŃÓŚŹŻ])(?!I\b)\w|(?=\S*\d)\w|\S+[.@_]\w")
"""How a word begins that is a name wherever it stands: a capital, a digit in it, parts joined by a sign."""

_STOPPED: Final = frozenset(map(fold, stop_words.ENGLISH | stop_words.POLISH))
_SMALL_TALK: Final = frozenset(
    map(
        fold,
        words(
            """
            hi hello hey yo hiya morning afternoon evening night good thanks thank thx ty cheers please welcome much lot
            bye goodbye ok okay okey kay yes yeah yep yup no nope sure fine great cool nice perfect awesome super right
            agreed done got wow haha lol sorry wait hm hmm continue go ahead next
            cześć hej hejka siema witaj witam dzień dobry wieczór dobranoc dzięki dziękuję dzieki proszę pa papa nara
            tak nie no dobra dobrze jasne pewnie świetnie spoko zgoda okej oki fajnie przepraszam sorki chwila dalej
            """
        ),
    )
)


class Silence(StrEnum):
    """Why nothing is said."""

    NOTHING_SAID = "nothing_said"
    GREETING = "greeting"
    COMMAND = "command"
    TOO_SHORT = "too_short"
    NOTHING_RELEVANT = "nothing_relevant"
    RECENTLY_GIVEN = "recently_given"
    DISPUTED = "disputed"
    NO_ROOM = "no_room"
    SEARCH_DEGRADED = "search_degraded"


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said in a talk. `role`: ``user``, ``assistant``, or another."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What a memory is asked; without a query the reason why it is asked nothing."""

    query: str = ""
    silence: Silence | None = None


def hear(turns: Sequence[Turn], hint: str | None = None) -> Heard:
    """What the last turns ask: the hint or the last turn of the user, and names and rare words of those before.

    Code, links and quotations are passed over. A turn that is small talk, a command (``/clear``, ``!ls``) or without a
    word that counts asks nothing.
    """
    recent = turns[-TURNS:]
    place = _place(recent)
    said = hint if hint is not None and hint.strip() else recent[place].content if place is not None else ""
    main = _end(" ".join(_NOT_TALK.sub(" ", said).split()))
    silence = _silence(said, main)
    if silence is not None:
        return Heard(silence=silence)
    known = {fold(word.casefold()) for word in _WORD.findall(main)}
    before = [each.content for each in recent[: len(recent) if hint else place]]
    room = max(_FEWEST_NAMES, _ASKED - len(known - _STOPPED))
    return Heard(" ".join([main, *_salient(reversed(before), known, room)]))


def _place(turns: Sequence[Turn]) -> int | None:
    """That of the user's last turn."""
    return next((place for place in reversed(range(len(turns))) if turns[place].role == "user"), None)


def _silence(said: str, main: str) -> Silence | None:
    if not said.strip():
        return Silence.NOTHING_SAID
    if _COMMAND.match(said):
        return Silence.COMMAND
    told = [fold(word.casefold()) for word in _WORD.findall(main)]
    if told and all(word in _SMALL_TALK | _STOPPED for word in told) and not _SMALL_TALK.isdisjoint(told):
        return Silence.GREETING
    counting = [word for word in told if word not in _STOPPED and word not in _SMALL_TALK and len(word) > 1]
    return None if counting else Silence.TOO_SHORT


def _end(text: str) -> str:
    """The end of a long text, from the beginning of a sentence where there is one."""
    if len(text) <= _MAIN_CHARACTERS:
        return text
    tail = text[-_MAIN_CHARACTERS:]
    begin = next((end.at for end in ends(tail)), None)
    return tail[begin:] if begin is not None and begin < _MAIN_CHARACTERS // 2 else tail.partition(" ")[2]


def _salient(texts: Iterable[str], known: set[str], room: int) -> list[str]:
    """Names first, then rare words, those of the latest turns first; each once, none that is known."""
    names: dict[str, str] = {}
    rare: dict[str, str] = {}
    for text in texts:
        for word, is_first in _words(_NOT_TALK.sub(" ", text)):
            form = fold(word.casefold())
            if form in known or form in _STOPPED or form in _SMALL_TALK:
                continue
            if _NAME.match(word) and (not is_first or _is_name_anywhere(word)):
                names.setdefault(form, word)
            elif len(word) >= _RARE:
                rare.setdefault(form, word)
    return [*names.values(), *(word for form, word in rare.items() if form not in names)][:room]


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Each word, and whether it begins a sentence."""
    begins = {0, *(end.at for end in ends(text))}
    last = 0
    for found in _WORD.finditer(text):
        yield found[0], any(last <= begin <= found.start() for begin in begins)
        last = found.end()


def _is_name_anywhere(word: str) -> bool:
    """Whether it is a name where a capital says nothing."""
    return not word.isalpha() or given_name(word.casefold(), is_inflected=True) is not None
