"""The named things in one sentence, and capitalised words that may turn out to be some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.naming import packages
from palimpsest.domain.naming.cases import base_form
from palimpsest.domain.naming.everyday import (
    EVERYDAY,
    MONTHS,
    SEASONS,
    everyday_names,
    foreign_places,
    short_names,
)
from palimpsest.domain.naming.institutions import institution
from palimpsest.domain.naming.kinds_of_words import EVENT_ENDS
from palimpsest.domain.naming.known import UNKNOWN, Known, NameIndex
from palimpsest.domain.naming.mentions import HIDDEN, Mention, mention_of, spelled
from palimpsest.domain.naming.names import fault_of
from palimpsest.domain.naming.namesakes import (
    is_adjective,
    is_everyday_here,
    is_longer_name,
    is_part_of_title,
    is_titled,
)
from palimpsest.domain.naming.persons import full_name, given_name, without_titles
from palimpsest.domain.naming.proposals import Method
from palimpsest.domain.naming.runs import is_heading, is_shouted, quoted_titles, run_at
from palimpsest.domain.naming.tokens import Token

_SEEN_TYPE: Final = "concept"
"""Last resort: a phrase that was seen twice is a name, and nobody said of what."""


@dataclass(frozen=True, slots=True)
class Spotter:
    """Finds names in the sentences of one text."""

    known: Known
    is_inflected: bool

    def spot(self, tokens: Sequence[Token], words: frozenset[str]) -> list[Mention]:
        """The names of a sentence in order, none within another; `words` are all its tokens, casefolded."""
        found = packages.named(tokens, words)
        taken = {place for mention in found for place in range(mention.place, mention.place + mention.length)}
        shouted, titles = is_shouted(tokens), quoted_titles(tokens)
        place = 0
        small = self.known.names.beginnings | self.known.owner.beginnings
        while place < len(tokens):
            token = tokens[place]
            is_common = token.kind == "word" and token.text.islower() and token.lower[:2] not in small
            mention = None if is_common or place in taken else self._at(tokens, place, is_shouted=shouted)
            if mention is not None and not is_part_of_title(mention, titles):
                found.append(mention)
            place = mention.place + mention.length if mention else place + 1
        return sorted(found, key=lambda each: each.place)

    def _at(self, tokens: Sequence[Token], place: int, *, is_shouted: bool) -> Mention | None:
        kind = tokens[place].kind
        if kind == "handle":
            return self._handle(tokens, place)
        if kind != "word":
            return None
        length = 0 if is_shouted else run_at(tokens, place)
        known = self._known(tokens, place)
        if known is not None and (known.length >= length or not is_longer_name(known, tokens, length)):
            return known
        return (self._within(tokens, place, length) or self._of_run(tokens, place, length)) if length else None

    def _within(self, tokens: Sequence[Token], place: int, length: int) -> Mention | None:
        """A known name at the end of the run: what stands before it says what kind of thing it is.

        The first word of a sentence has its capital from there, so behind it any name counts.
        """
        end = place + length
        if tokens[place].is_first and self._whole(tokens, place, length) is not None:
            return None
        for start in range(place + 1, end):
            known = self._known(tokens, start)
            if known is not None and start + known.length >= end:
                return known
        is_free = length > 1 and tokens[place].is_first and tokens[place + 1].is_capital
        return self._whole(tokens, place + 1, length - 1) if is_free else None

    def _whole(self, tokens: Sequence[Token], place: int, length: int) -> Mention | None:
        return self._person(tokens, place, length) or self._common(tokens, place, length)

    def _handle(self, tokens: Sequence[Token], place: int) -> Mention | None:
        token = tokens[place]
        bare = [token._replace(text=token.text[1:], lower=token.lower[1:])]
        large = [bare[0]._replace(text=bare[0].text.capitalize())]  # a handle is written small, whatever the name is
        names = self.known.names
        entry = names.at(bare, 0, is_inflected=False) or names.at(large, 0, is_inflected=False)
        if entry is not None:
            return mention_of(tokens, place, 1, name=entry[0].name, type_=entry[0].type, method=Method.KNOWN)
        type_ = "technology" if "/" in token.text else "person"
        return mention_of(tokens, place, 1, name=token.text, type_=type_, method=Method.HANDLE)

    def _known(self, tokens: Sequence[Token], place: int) -> Mention | None:
        found = self._in(self.known.owner, tokens, place, method=Method.KNOWN)
        if found is not None:
            found.is_owner = True
            return found
        found = self._in(self.known.names, tokens, place, method=Method.KNOWN)
        if found is None or is_everyday_here(tokens, found):
            return None
        return found

    def _in(self, index: NameIndex, tokens: Sequence[Token], place: int, *, method: Method) -> Mention | None:
        hit = index.at(tokens, place, is_inflected=self.is_inflected)
        if hit is None:
            return None
        return mention_of(tokens, place, hit[1], name=hit[0].name, type_=hit[0].type, method=method)

    def _of_run(self, tokens: Sequence[Token], place: int, length: int) -> Mention | None:
        run = tokens[place : place + length]
        named = without_titles(run)
        skipped = length - len(named)
        if not named:
            return None
        if (skipped or is_titled(tokens, place)) and tokens[place + skipped].text.isalpha():
            name = full_name(named, is_inflected=self.is_inflected) or spelled(named)
            return mention_of(tokens, place + skipped, len(named), name=name, type_="person", method=Method.PERSON)
        for find in (self._person, self._seen, self._common, self._institution):
            found = find(tokens, place, length)
            if found is not None:
                return found
        return _candidate(tokens, place, length, is_inflected=self.is_inflected)

    def _person(self, tokens: Sequence[Token], place: int, length: int) -> Mention | None:
        run = tokens[place : place + length]
        name = full_name(run, is_inflected=self.is_inflected)
        if name is None and length == 1 and not (run[0].is_first and run[0].lower in EVERYDAY):
            name = given_name(run[0].lower, is_inflected=self.is_inflected)
            if name is None and run[0].lower not in MONTHS | SEASONS:
                name = short_names().get(run[0].lower)
        if name is None or fault_of(name) is not None:
            return None
        return mention_of(tokens, place, length, name=name, type_="person", method=Method.PERSON)

    def _seen(self, tokens: Sequence[Token], place: int, length: int) -> Mention | None:
        found = self._in(self.known.seen, tokens, place, method=Method.SEEN_TWICE)
        if found is None or found.length < length or is_heading(tokens[place : place + length]):
            return None
        if tokens[place].is_first and length == 1:
            return None
        found.type = _SEEN_TYPE
        return found

    def _institution(self, tokens: Sequence[Token], place: int, length: int) -> Mention | None:
        name = institution(tokens[place : place + length]) if self.is_inflected else None
        if name is None or fault_of(name) is not None:
            return None
        type_ = "event" if name.split()[0].casefold() in EVENT_ENDS else "organization"
        return mention_of(tokens, place, length, name=name, type_=type_, method=Method.CONTEXT)

    def _common(self, tokens: Sequence[Token], place: int, length: int) -> Mention | None:
        """A name that everybody knows, unless the words around it make another name of it."""
        found = self._in(everyday_names(), tokens, place, method=Method.DICTIONARY)
        found = found or self._in(foreign_places(), tokens, place, method=Method.DICTIONARY)
        if found is None or is_everyday_here(tokens, found) or is_adjective(tokens[place].lower, found.name):
            return None
        rest = length - found.length
        is_all = rest <= 0 or (self.is_inflected and self._whole(tokens, place + found.length, rest) is not None)
        return found if is_all else None


def _candidate(tokens: Sequence[Token], place: int, length: int, *, is_inflected: bool) -> Mention | None:
    run = tokens[place : place + length]
    name = base_form(run) if is_inflected else spelled(run)
    if name is None:
        return mention_of(tokens, place, length, name=spelled(run), type_=HIDDEN, method=None) if length > 1 else None
    found = mention_of(tokens, place, length, name=name, type_=UNKNOWN, method=None)
    found.is_weak = length == 1 and run[0].is_first
    return None if fault_of(found.name) is not None else found
