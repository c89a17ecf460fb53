"""What two texts are compared by: the words that count, with all that small words say of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from palimpsest.domain.language import Language


class Kind(StrEnum):
    """What an item is."""

    WORD = "word"
    NAME = "name"
    """Written with a capital letter where a word would not be, or with digits or signs in it."""
    VALUE = "value"
    ADVERB = "adverb"
    MARK = "mark"
    """A sign, or a small word that stands alone."""


class Tense(StrEnum):
    """When it is."""

    PRESENT = ""
    PAST = "past"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Item:
    """A word that counts, or a value.

    Attributes:
        text: As written, in lower case; of a value its notation.
        key: What stands for it and those that say the same.
        role: What the preposition before it stands for, and ``of`` an owner.
        mods: What the modifiers before it stand for, in order.
        form: The form that it is in if it is a verb (`wordforms.Form`).
        is_passive: A participle behind a form of *be*.
        is_capital: Written with a capital letter, be it the first of its sentence.
        is_definite: ``the`` or an owner's word stands before it.
        may_agree: What stands before it makes ``take`` of ``takes`` and ``editors`` of ``editor``.
        case: ``any`` when it follows from the form of the sentence, so that another case says the same; ``predicate``
            where Polish has the nominative or the instrumental.
        is_turned: The verb of a sentence that was made active.
    """

    text: str
    key: str
    kind: Kind
    role: str = ""
    mods: tuple[str, ...] = ()
    tense: Tense = Tense.PRESENT
    form: str = ""
    is_passive: bool = False
    is_capital: bool = False
    is_definite: bool = False
    may_agree: bool = False
    case: str = ""
    is_turned: bool = False

    @property
    def is_adjunct(self) -> bool:
        """It says when or how, wherever in its clause it stands."""
        return self.kind is Kind.ADVERB or self.text.startswith(("date:", "time:", "weekday", "season:", "per:"))


@dataclass(frozen=True, slots=True)
class Clause:
    """Items that belong together.

    Attributes:
        reason: ``because`` and the like, when it is told as a reason: it may then stand before or behind the other.
        copula: How many items stand before its ``is``; -1 when it has none.
        is_apart: Only a comma or a bracket stands before it.
    """

    items: tuple[Item, ...]
    reason: str = ""
    copula: int = -1
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared.

    Attributes:
        items: All items of its clauses, in order.
        is_folded: Written without any letter that Polish has and English has not.
    """

    clauses: tuple[Clause, ...]
    items: tuple[Item, ...]
    language: Language
    is_folded: bool

    @property
    def has_time(self) -> bool:
        """A date, a weekday, a season or a time is told."""
        return any(item.text.startswith(("date:", "time:", "weekday", "season:")) for item in self.items)
