"""Scrub: what is stored of the texts that somebody sends. Removed text goes no further than this."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from palimpsest.domain.errors import InvalidText
from palimpsest.domain.scrub.instructions import Mark, Marked, marks, stands_at
from palimpsest.domain.scrub.kinds import Found, Kind, Rules
from palimpsest.domain.scrub.markup import without_markup
from palimpsest.domain.scrub.nested import PathOf, clean_json
from palimpsest.domain.scrub.phone_numbers import phones
from palimpsest.domain.scrub.recognise import recognise
from palimpsest.domain.scrub.report import Caution, Place, Redaction, Report
from palimpsest.domain.scrub.treat import treat
from palimpsest.ports.markup import Markup
from palimpsest.ports.phones import PhoneBook
from palimpsest.stores.spaces import Space

_ORDER = {kind: place for place, kind in enumerate(Kind)}
_CALLED = {
    Kind.IBAN: "a bank account",
    Kind.CARD: "a payment card",
    Kind.ID: "the number of a person or a company",
    Kind.EMAIL: "an e-mail address",
    Kind.PHONE: "a phone number",
    Kind.WORD: "a word of the list of what is taken out",
}


@dataclass(frozen=True, slots=True)
class Scrub:
    """Scrubs for every space. `rules`: the installation's, where a space has none of its own."""

    phones: PhoneBook
    markup: Markup
    rules: Rules

    def of(self, space: Space | None) -> Scrubber:
        """For the texts of one save or change in a space; None for one that has not begun."""
        if space is None:
            return Scrubber(self, self.rules)
        rules = Rules(
            {**self.rules.treatments, **dict(space.redaction)},
            self.rules.regions if space.regions is None else space.regions,
            (*self.rules.words, *space.redaction_words),
        )
        return Scrubber(self, rules)

    def find_phones(self, text: str, regions: Sequence[str]) -> Iterable[Found]:
        """The phone numbers in a text."""
        book = self.phones
        return phones(text, is_number=book.is_number, national_groups=book.national_groups, regions=regions)


@dataclass(slots=True)
class Scrubber:
    """Scrubs the texts of one save or change, and can tell what it did. A text that comes again is told of once."""

    scrub: Scrub
    rules: Rules
    _done: dict[tuple[str, str], str] = field(default_factory=dict, init=False)
    _redacted: dict[Kind, list[Place]] = field(default_factory=lambda: defaultdict(list), init=False)
    _flagged: dict[Kind, list[Place]] = field(default_factory=lambda: defaultdict(list), init=False)
    _marked: dict[tuple[str, Marked], tuple[Place, ...] | None] = field(default_factory=dict, init=False)
    """Where each stands in what is stored; None when it went with the markup or under a mark."""

    def pasted(self, text: str, field: str) -> str:
        """A text in which HTML is markup: as its readers see it, scrubbed. InvalidText when nothing is left of it."""
        return self._once(text, field, is_pasted=True)

    def text(self, text: str, field: str) -> str:
        """A text that is no HTML, whatever it looks like, scrubbed."""
        return self._once(text, field, is_pasted=False)

    def alone(self, text: str) -> str:
        """A text that is no HTML, scrubbed, of which nothing is told: one of the thousands of a document."""
        found = recognise(text, self.scrub.find_phones, regions=self.rules.regions, listed=self.rules.words, called="")
        return treat(text, found, self.rules).text

    def json(self, text: str, field: str) -> str:
        """A JSON object as text, scrubbed in every name and value."""
        if (field, text) not in self._done:
            self._done[field, text] = clean_json(text, partial(self._clean, is_pasted=False), field)
        return self._done[field, text]

    @property
    def report(self) -> Report:
        """What was done so far."""
        redactions = [Redaction(kind, tuple(places)) for kind, places in self._redacted.items()]
        flagged = [Caution(kind, _flag_message(places, kind), tuple(places)) for kind, places in self._flagged.items()]
        marked = [
            Caution(
                mark.mark, _gone_message(field, mark) if places is None else _mark_message(field, mark), places or ()
            )
            for (field, mark), places in self._marked.items()
        ]
        return Report(tuple(sorted(redactions, key=lambda each: _ORDER[each.kind])), tuple(flagged + marked))

    def _once(self, text: str, field: str, *, is_pasted: bool) -> str:
        if (field, text) not in self._done:
            self._done[field, text] = self._clean(text, lambda _: field, "", is_pasted=is_pasted)
        return self._done[field, text]

    def _clean(self, text: str, field_of: PathOf, name: str, *, is_pasted: bool) -> str:
        plain = without_markup(text, self.scrub.markup.to_text) if is_pasted else text
        if is_pasted and not plain.strip():
            raise InvalidText(field_of(plain), f"{field_of(plain)} is nothing but markup; say something")
        found = recognise(
            plain, self.scrub.find_phones, regions=self.rules.regions, listed=self.rules.words, called=name
        )
        treated = treat(plain, found, self.rules)
        field = field_of(treated.text)
        self._marked.update({(field, mark): each for mark, each in _stored_marks(text, plain, treated.text, field)})
        for pieces, places in ((treated.redacted, self._redacted), (treated.flagged, self._flagged)):
            for piece in pieces:
                places[piece.kind].append(Place(field, piece.start, piece.end))
        return treated.text


def _stored_marks(text: str, plain: str, stored: str, field: str) -> Iterator[tuple[Marked, tuple[Place, ...] | None]]:
    """What is marked in a text as it came, with where that is in the text as it is stored."""
    marked = marks(text, plain)
    there = set(marked if stored == text else marks(stored, stored)) if marked else ()
    for each in marked:
        yield each, tuple(Place(field, *span) for span in stands_at(each, stored)) if each in there else None


def _flag_message(places: Sequence[Place], kind: Kind) -> str:
    fields = ", ".join(dict.fromkeys(place.field for place in places))
    return f"{fields} has {_CALLED[kind]} in it; this space keeps them"


def _gone_message(field: str, marked: Marked) -> str:
    if marked.mark is Mark.INSTRUCTIONS:
        return f"{field} had “{marked.pattern}” in what was taken out, as an instruction to a model; it is not stored"
    return f"{field} had characters that nobody sees in what was taken out; they are not stored"


def _mark_message(field: str, marked: Marked) -> str:
    if marked.mark is Mark.INVISIBLE:
        return f"{field} has characters in it that nobody sees; it is stored as it came"
    if marked.mark is Mark.BIDI:
        return f"{field} has characters in it that turn the direction of writing; it is stored as it came"
    said = f"{field} has “{marked.pattern}” in it, as an instruction to a model"
    return f"{said}; it is stored, and is data to every model"
