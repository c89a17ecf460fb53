"""Tokens made clauses: what small words say is said of the words behind them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating.items import Clause, Item, Kind, Tense
from palimpsest.domain.restating.lexicon import Lexicon
from palimpsest.domain.restating.tokens import Sort, Token
from palimpsest.domain.restating.wordforms import Form, english_form, polish_form
from palimpsest.domain.restating.wordlists import words

_AGREEING: Final = frozenset({"to", "do", "not"})
_CHANGING: Final = words("all must can should could may might would not")
_NEVER: Final = frozenset({"nigdy", "się"})
_OWNING: Final = words("my your his her its our their")


@dataclass(slots=True)
class Reader:
    """Takes tokens and keeps what small words have said until the word comes that they are about."""

    lexicon: Lexicon
    language: Language
    clauses: list[Clause] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    role: str = ""
    mods: list[str] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    reason: str = ""
    copula: int = -1
    last: str = ""
    is_definite: bool = False
    is_apart: bool = False

    def take(self, token: Token) -> None:
        """Take the next token."""
        if token.sort in (Sort.BREAK, Sort.COMMA):
            self.end(is_comma=token.sort is Sort.COMMA)
        elif token.text == "=" and self.items:
            self._auxiliary(frozenset({"be"}))
        elif token.sort is Sort.WORD and not _is_content(token) and self._takes_small(token):
            pass
        else:
            self._take_item(token)
        self.last = token.text

    def end(self, *, is_comma: bool = False) -> None:
        """The clause is over: what was said of no word stands alone."""
        self._stand_alone()
        if self.items:
            self.clauses.append(Clause(tuple(self.items), self.reason, self.copula, self.is_apart))
            self.reason = ""
        self.items, self.copula, self.is_definite, self.is_apart = [], -1, False, is_comma

    def _takes_small(self, token: Token) -> bool:
        word, lexicon = token.text, self.lexicon
        if word in lexicon.joining:
            self.end()
        elif word in lexicon.reasons:
            self._reason(lexicon.reasons[word])
        elif word in lexicon.auxiliaries:
            self._auxiliary(lexicon.auxiliaries[word])
        elif word in lexicon.modifiers:
            self.mods.append(lexicon.modifiers[word])
        elif word in lexicon.prepositions:
            self.role = f"{self.role}+{lexicon.prepositions[word]}" if self.role else lexicon.prepositions[word]
        elif word == "it" and not self.items:
            return True
        elif word in lexicon.dropped:
            self.is_definite |= word == "the"
            self.copula = len(self.items) if word == "to" and self.items else self.copula
        else:
            return False
        return True

    def _reason(self, name: str) -> None:
        """``so`` makes a reason of the clause before it."""
        self.end()
        if name != "so":
            self.reason = name
        elif self.clauses:
            self.clauses[-1] = replace(self.clauses[-1], reason="because")

    def _auxiliary(self, marks: frozenset[str]) -> None:
        if "be" in marks and self.items and "perfect" not in self.marks:
            self.copula = len(self.items)
        self.marks |= marks

    def _take_item(self, token: Token) -> None:
        kind = self._kind(token)
        if kind is Kind.ADVERB:
            mods = () if token.text in _NEVER else tuple(self.mods)
            self.mods = self.mods[len(mods) :]
            self.items.append(Item(token.text, self._key(token), kind, mods=mods))
            return
        form = self._form(token) if kind is Kind.WORD else Form.PLAIN
        tense, is_passive = self._stood(form)
        item = Item(
            text=token.text,
            key=self._key(token) if kind is Kind.WORD else token.text,
            kind=kind,
            role=self._role(token),
            mods=tuple(self.mods),
            tense=tense,
            form=form,
            is_passive=is_passive,
            is_capital=token.is_capital,
            is_definite=self.is_definite or token.is_owner or token.text in _OWNING,
            may_agree=self.last in _AGREEING or "will" in self.marks or not _CHANGING.isdisjoint(self.mods),
        )
        self.items.append(item)
        self.role, self.mods, self.marks, self.is_definite = "", [], set(), False

    def _role(self, token: Token) -> str:
        if token.sort is Sort.VALUE and self.role in self.lexicon.timeless:
            is_when = not token.text.startswith(("num:", "qty:", "ord:"))
            return "" if is_when else self.role
        return f"{self.role}+owner" if token.is_owner else self.role

    def _stood(self, form: str) -> tuple[Tense, bool]:
        """When the next item is, and whether something is done to it; a bare *was* or *has* counts as a word."""
        marks = self.marks
        is_participle = form in (Form.PARTICIPLE, Form.EITHER) or (form == Form.IMPERSONAL and "be" in marks)
        is_passive = "be" in marks and is_participle
        if "perfect" in marks and not is_participle and "be" not in marks:
            self.items.append(Item("have", "have", Kind.WORD, tense=_tense(marks - {"perfect"}), form=Form.PLAIN))
            return Tense.PRESENT, False
        if marks & {"past", "perfect"} and not (is_participle or form == Form.ING):
            self.mods += ["was"] if "be" in marks else []
        if form in (Form.PAST, Form.EITHER, Form.IMPERSONAL) and not marks:
            return Tense.PAST, False
        return _tense(marks), is_passive

    def _stand_alone(self) -> None:
        left = [*self.mods, *([self.role] if self.role else [])]
        self.items += [Item(word, word, Kind.MARK) for word in left]
        if "perfect" in self.marks and "be" not in self.marks:
            self.items.append(Item("have", "have", Kind.WORD, tense=_tense(self.marks - {"perfect"})))
        elif self.marks & {"past", "will"}:
            self.items.append(Item("+".join(sorted(self.marks)), "+".join(sorted(self.marks)), Kind.MARK))
        self.role, self.mods, self.marks = "", [], set()

    def _kind(self, token: Token) -> Kind:
        if token.sort is Sort.VALUE or token.sort is Sort.NUMBER:
            return Kind.VALUE
        if token.sort is Sort.MARK:
            return Kind.MARK
        if token.text in self.lexicon.adverbs or (self.language is Language.ENGLISH and _is_adverb(token.text)):
            return Kind.ADVERB
        is_name = (token.is_capital and not token.is_first) or not (
            token.text[:1] + token.text[1:].replace("-", "")
        ).isalpha()
        return Kind.NAME if is_name else Kind.WORD

    def _key(self, token: Token) -> str:
        return self.lexicon.alike.get(token.text, token.text[:1] + token.text[1:].replace("-", ""))

    def _form(self, token: Token) -> str:
        return english_form(token.text) if self.language is Language.ENGLISH else polish_form(token.text)


def _is_content(token: Token) -> bool:
    """No small word, whatever its letters: ``Will``, ``IT``."""
    return token.is_owner or (token.is_capital and (not token.is_first or token.text in ("will", "may")))


def _tense(marks: set[str]) -> Tense:
    if marks & {"past", "perfect"}:
        return Tense.PAST
    return Tense.FUTURE if "will" in marks else Tense.PRESENT


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and len(word) > 5 and word not in ("family", "supply", "reply", "assembly", "butterfly")
