"""What a language's small words mean for a comparison, and which of its words say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.restating import numbers
from palimpsest.domain.restating.calendar import DAYS, EITHER_DAYS, EVERY, MONTHS, PLURAL_DAYS, SEASONS


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a language that are more, or less, than content. All others count as they are.

    Attributes:
        dropped: Say nothing of their own.
        joining: Begin a new clause, and say nothing else.
        reasons: Begin a clause that may stand before or behind the other one, by what they stand for.
        prepositions: By what they stand for.
        timeless: Prepositions that say nothing before a date or a time.
        modifiers: Change the next word: negation, quantity, modality; by what they stand for.
        adverbs: May stand anywhere in their clause.
        auxiliaries: By their marks: ``be``, ``past``, ``perfect``, ``will``.
        phrases: Several words that stand for others.
        alike: Words that say the same, by the one that stands for them.
        verbs: In the present, where no ending tells.
    """

    dropped: frozenset[str]
    joining: frozenset[str]
    reasons: Mapping[str, str]
    prepositions: Mapping[str, str]
    timeless: frozenset[str]
    modifiers: Mapping[str, str]
    adverbs: frozenset[str]
    auxiliaries: Mapping[str, frozenset[str]]
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], tuple[str, ...]]]]
    alike: Mapping[str, str] = field(default_factory=dict)
    verbs: frozenset[str] = frozenset()


def small_words(lexicon: Lexicon, language: Language) -> frozenset[str]:
    """The words of a language that are known here: small ones, verbs, and those of values."""
    values = (MONTHS, DAYS, PLURAL_DAYS, EITHER_DAYS, SEASONS)
    known = {word for each in values for word in each[language]} | numbers.words(language) | EVERY[language]
    known |= lexicon.dropped | lexicon.joining | lexicon.adverbs | set(lexicon.reasons) | set(lexicon.prepositions)
    known |= set(lexicon.modifiers) | set(lexicon.auxiliaries) | set(lexicon.alike) | lexicon.verbs
    return frozenset(known)


def unfolded(lexicon: Lexicon) -> dict[str, str]:
    """Each known word of Polish by its form without diacritics, where that is no other one."""
    known = small_words(lexicon, Language.POLISH) | frozenset(numbers.UNITS)
    return {fold(word): word for word in known if fold(word) not in known}
