"""A sentence as rules read it: names, pronouns and the owner are markers, all other words stand casefolded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.naming.everyday import TITLES
from palimpsest.domain.naming.kinds_of_words import ACQUAINTANCES, KIN, PETS
from palimpsest.domain.naming.lines import Coded, Line
from palimpsest.domain.naming.mentions import Mention
from palimpsest.domain.naming.talk import OWNER_MARK, Talk
from palimpsest.domain.naming.tokens import Token
from palimpsest.domain.restating.wordlists import words

_GAP: Final = "¦"
"""Before a subject that is only understood, so that it joins no list."""

_ADVERBS: Final = words("also now still then po godzinach dziś teraz nadal też także obecnie wieczorami")

_OWNERS: Final = words("i we")
_POLISH_OWNERS: Final = words("ja my użytkownik użytkowniczka")
_OWNED: Final = words("my our")
_POLISH_OWNED: Final = words(
    """
    mój moja moje moi moją mojej mojego moim mojemu moich moimi mym nasz nasza nasze nasi naszą naszej naszego
    naszym naszych naszymi
    """
)
_SHORT: Final[Mapping[str, str]] = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_THEY_PERSON: Final = words("he she")
_POLISH_THEY_PERSON: Final = words("on ona")
_THEIRS: Final = words("his her jego jej")
_THEY_THING: Final = words("it")
_POLISH_THEY_THING: Final = words("ją go je")
_OWNED_NOUNS: Final = frozenset({*KIN, *ACQUAINTANCES, *PETS.replace("_", " ").split()}) | words(
    "favourite favorite older younger late little big ulubiony ulubiona ulubionym ulubioną starszy starsza młodszy "
    "młodsza"
)
_IS_BEHIND: Final = words("it he she that what there who here where how everything something this name")
_TEAMS: Final = words("team drużyna zespół ekipa")
_CARRIES: Final = words("and i a oraz , but ale")
_VERBS: Final = words(
    """
    lives works uses writes runs depends relies needs prefers knows has owns keeps leads maintains contributes belongs
    wrote built created founded designed attended sings plays manages is stores reads live work use pay write keep read
    have prefer know own lead maintain run store track manage
    """
)
_ZERO_PERSON: Final = words(
    """
    pracuje mieszka używa korzysta woli zna ma należy uczestniczył uczestniczyła wystąpił wystąpiła napisał napisała
    zbudował zbudowała stworzył stworzyła założył założyła rozwija prowadzi śpiewa gra jest był była
    """
)
_ZERO_THING: Final = words(
    "korzysta używa działa zależy wymaga potrzebuje zapisuje czyta jest stoi mieści znajduje należy opiera polega "
    "zakłada"
)
_TO_BE: Final = words("jest był była ma")
_POLISH_CARRIED: Final = _ZERO_PERSON | _ZERO_THING | words("trzyma pisze buduje tworzy utrzymuje kieruje leży")
PRONOUNS: Final = _THEY_PERSON | _POLISH_THEY_PERSON | _THEY_THING | _POLISH_THEY_THING | _THEIRS | _POLISH_CARRIED
"""Words that may stand for what was named before, or leave it out."""

_SPECIAL: Final = (
    _OWNERS | _POLISH_OWNERS | _OWNED | _POLISH_OWNED | _THEY_PERSON | _POLISH_THEY_PERSON | _THEIRS | _THEY_THING
    | _POLISH_THEY_THING | _VERBS | _POLISH_CARRIED | {*_SHORT, *(key.replace("'", "’") for key in _SHORT)}
    | _TEAMS | {"user", "'s", "’s"}
)  # fmt: skip
"""Words that are more than themselves."""


def code(tokens: Sequence[Token], mentions: Sequence[Mention], talk: Talk, *, is_polish: bool) -> Line:
    """The coded sentence; its mentions become part of the talk."""
    pieces = _Coder(tokens, talk, is_polish=is_polish).pieces(mentions)
    codes = [piece.code for piece in pieces]
    return Line(" ".join(codes), tuple(pieces), frozenset(codes))


@dataclass(slots=True)
class _Coder:
    tokens: Sequence[Token]
    talk: Talk
    is_polish: bool
    subject: str | None = None

    def pieces(self, mentions: Sequence[Mention]) -> list[Coded]:
        by_place = {mention.place: mention for mention in mentions}
        found: list[Coded] = []
        place = 0
        while place < len(self.tokens):
            mention = by_place.get(place)
            if mention is not None:
                _drop_title(found)
                same = [each for each in mentions if each.place == place]
                found += [Coded(self.talk.add(each), each.start, each.end) for each in same]
                place += mention.length
            else:
                token = self.tokens[place]
                place += 1
                if token.lower not in _SPECIAL:
                    found.append(Coded(token.lower, token.start, token.end))
                    continue
                found += self._word(place - 1, found)
            if self.subject is None and found and found[-1].code.startswith("«") and found[-1].code != "«m»":
                self.subject = found[-1].code
        return found

    def _word(self, place: int, before: Sequence[Coded]) -> list[Coded]:
        token = self.tokens[place]
        last = before[-1].code if before else ""
        lower = token.lower.replace("’", "'")
        if lower in _TEAMS and last == "«m»":
            return [Coded(OWNER_MARK, token.start, token.end)]
        if lower == "user" and last in ("the", ""):
            return [Coded(OWNER_MARK, token.start, token.end)]
        if lower == "'s":
            return self._apostrophe(token, last)
        piece = Coded(self._plain(lower, place), token.start, token.end)
        if self._is_carried(lower, place):
            return [*self._understood(lower, token), piece]
        if piece.code.startswith("«") and lower in _THEIRS:
            return [piece, Coded("'s", token.start, token.end)]
        return [piece]

    def _apostrophe(self, token: Token, last: str) -> list[Coded]:
        if last == OWNER_MARK:
            return [Coded("«m»", token.start, token.end)]
        return [Coded("is" if last in _IS_BEHIND else "'s", token.start, token.end)]

    def _plain(self, lower: str, place: int) -> str:
        if lower in (_POLISH_OWNERS if self.is_polish else _OWNERS):
            return OWNER_MARK
        if lower in (_POLISH_OWNED if self.is_polish else _OWNED):
            return "«m»"
        if lower in (_POLISH_THEY_PERSON if self.is_polish else _THEY_PERSON):
            return self.talk.person() or lower
        if lower in _THEIRS and self._owns_next(place):
            return self.talk.person() or lower
        if lower in (_POLISH_THEY_THING if self.is_polish else _THEY_THING):
            return self.talk.thing() or lower
        return _SHORT.get(lower, lower)

    def _owns_next(self, place: int) -> bool:
        return place + 1 < len(self.tokens) and self.tokens[place + 1].lower in _OWNED_NOUNS

    def _is_carried(self, lower: str, place: int) -> bool:
        """A verb without a subject of its own: behind 'and', or in Polish at the start."""
        after = self.tokens[place + 1].lower if place + 1 < len(self.tokens) else ""
        if lower not in (_POLISH_CARRIED if self.is_polish else _VERBS) or after in _POLISH_THEY_THING:
            return False
        if self.is_polish and self.tokens[place].is_first:
            return True
        back = place - 1
        while back > 0 and self.tokens[back].lower in _ADVERBS:
            back -= 1
        return self.tokens[back].lower in _CARRIES

    def _understood(self, lower: str, token: Token) -> list[Coded]:
        subject = self.subject
        if subject is None and self.is_polish:
            thing = self.talk.thing() if lower in _ZERO_THING else None
            person = self.talk.person() if lower in _ZERO_PERSON else None
            if lower in _TO_BE and not self.talk.is_topic(person):
                person = None
            subject = person if thing is None or lower not in ("korzysta", "używa", "należy") else thing
            subject = subject or thing
        return [Coded(_GAP, token.start, token.start), Coded(subject, token.start, token.start)] if subject else []


def _drop_title(found: list[Coded]) -> None:
    """Take Dr, or pan, off the end: what stands before it belongs to the name."""
    while found and found[-1].code == "." and len(found) > 1 and found[-2].code in TITLES:
        found.pop()
    while found and found[-1].code in TITLES:
        found.pop()
