"""Words that mean nearly the same, English and Polish: what a word of a query may be called in a text.

Written down from general knowledge. Words are compared by their terms (`domain.analysis`), so that inflected ones are
met, too; a short form of a given name stands for the name, and the name for each of its short forms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from palimpsest.domain.analysis import fold
from palimpsest.domain.graph.diminutives import FULL_NAMES
from palimpsest.domain.language import Language, Linguist

Groups: TypeAlias = tuple[tuple[str, ...], ...]

WEIGHT: Final = 0.5
"""What a synonym's score counts beside that of the word itself; Loomem's weight of an expanded query."""

MOST: Final = 12
"""Terms that are added to one word."""

_GROUPS: Final = """
car, auto, automobile; bike, bicycle; flat, apartment; house, home; job, work, employment; salary, wage, pay; boss,
manager; doctor, physician; holiday, vacation; trip, journey, travel; movie, film; picture, photo, photograph; phone,
telephone; kid, child; mum, mom, mother; dad, father; grandma, grandmother; grandpa, grandfather; begin, start;
finish, end, complete; buy, purchase; repair, fix; error, bug, fault; big, large; quick, fast; ill, sick; dish, meal;
shop, store; rubbish, trash; meeting, appointment; price, cost; contract, agreement; customer, client; test, exam;
town, city; fall, autumn; sofa, couch; samochód, auto, wóz; rower, jednoślad; mieszkanie, lokum; praca, robota,
posada, etat; pensja, płaca, wynagrodzenie, wypłata; szef, przełożony, kierownik; lekarz, doktor; urlop, wakacje;
podróż, wyjazd, wycieczka; zdjęcie, fotografia, fotka; telefon, komórka; dziecko, dzieciak; mama, matka; tata, ojciec;
babcia, babka; dziadek, dziadzio; zaczynać, rozpocząć; kupić, nabyć; naprawić, zreperować; błąd, usterka, awaria;
duży, wielki; szybki, prędki; chory, niezdrowy; sklep, market; spotkanie, zebranie; cena, koszt; umowa, kontrakt;
klient, kontrahent; egzamin, sprawdzian; pies, psiak; kot, kociak
"""


def own_groups() -> Groups:
    """The groups of everyday words, and of given names with their short forms."""
    everyday = (tuple(word.strip() for word in group.split(",")) for group in _GROUPS.split(";"))
    return (*everyday, *((full, short) for short, full in FULL_NAMES.items()))


@dataclass(frozen=True, slots=True)
class Synonyms:
    """What may stand for the words of a query. They are stemmed when they are needed first."""

    linguist: Linguist
    groups: Groups
    _of_term: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def added(self, forms: Sequence[str]) -> tuple[str, ...]:
        """The terms that may stand for a word with these forms, and are none of them; at most 12."""
        if self.groups and not self._of_term:
            self._of_term.update(_by_term(self.groups, self.linguist))
        found = dict.fromkeys(term for form in forms for term in self._of_term.get(form, ()))
        return tuple(term for term in found if term not in forms)[:MOST]


def _by_term(groups: Groups, linguist: Linguist) -> Mapping[str, tuple[str, ...]]:
    words = list(dict.fromkeys(word.casefold() for group in groups for word in group))
    written, typed = _terms(words, linguist), _terms([fold(word) for word in words], linguist)
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for group in groups:
        for word in (each.casefold() for each in group):
            others = [term for other in group if other.casefold() != word for term in written[other.casefold()]]
            for term in (*written[word], *typed[fold(word)]):
                found[term].update(dict.fromkeys(others))
    return {term: tuple(others) for term, others in found.items()}


def _terms(words: Sequence[str], linguist: Linguist) -> dict[str, tuple[str, ...]]:
    stems = [linguist.stems(words, language) for language in Language]
    return {word: tuple(dict.fromkeys(map(fold, forms))) for word, *forms in zip(words, *stems, words, strict=True)}
