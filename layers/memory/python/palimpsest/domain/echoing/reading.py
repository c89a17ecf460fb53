"""A text read for what it commits itself to: numbers, dates, names, denials and plain words, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.echoing import numerals, senses
from palimpsest.domain.echoing.sentences import clauses, sentences, unframed
from palimpsest.domain.echoing.vocabulary import DENIALS, ENDS, FREE, HALVES, SHORT_DENIALS, SHORT_IS, TENSES
from palimpsest.domain.language import Linguist

_WORD: Final = re.compile(
    r"(?<!\w)[-−]?\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?![^\W\d_])|\w+(?:-\w+)*(?:['’]\w+)?|[^\w\s.,:;!?'’\"„”“()\[\]–—-]"
)


class Kind(Enum):
    """What a word commits a text to."""

    NUMBER = auto()
    DATE = auto()
    NAME = auto()
    DENIAL = auto()
    QUALIFIER = auto()
    PERSON = auto()
    TENSE = auto()
    WORD = auto()
    FREE = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One word.

    Attributes:
        form: Casefolded, without diacritics; of a number its digits.
        senses: What it can stand for: two words can say the same when they share one. A free word has none.
        is_capital: It begins with a capital letter, in a text that is not all capitals.
        is_past: A verb that tells of the past.
    """

    form: str
    kind: Kind
    senses: frozenset[str] = frozenset()
    is_capital: bool = False
    is_past: bool = False


Clause = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words up to a full stop, clause by clause."""

    clauses: tuple[Clause, ...]

    @property
    def words(self) -> Clause:
        """All of them, free ones as well."""
        return tuple(token for clause in self.clauses for token in clause)


def read(text: str, linguist: Linguist, *, is_framed: bool = False) -> tuple[Sentence, ...]:
    """The sentences of a text that have a word that counts; `is_framed`: without what may lead into them."""
    parts = [unframed(part) if is_framed else part for part in sentences(text)]
    cut = [[list(_words(clause)) for clause in clauses(part)] for part in parts]
    stems = _stems([word for part in cut for clause in part for word in clause], text, linguist)
    is_shouted = text.upper() == text
    found = (_sentence([clause for clause in part if clause], stems, is_shouted=is_shouted) for part in cut)
    return tuple(sentence for sentence in found if any(token.senses for token in sentence.words))


def _sentence(cut: Sequence[list[str]], stems: Mapping[str, frozenset[str]], *, is_shouted: bool) -> Sentence:
    read_clauses = []
    for number, words in enumerate(cut):
        tokens: list[Token] = []
        forms: list[str] = []
        for at, word in enumerate(words):
            is_capital = word[0].isupper() and not is_shouted
            begins = number == 0 and at == 0
            token = _token(word, stems.get(word.casefold(), frozenset()), is_capital=is_capital, begins=begins)
            if token.kind is Kind.FREE and token.form in ENDS and at == len(words) - 1:
                token = Token(token.form, Kind.WORD, frozenset({token.form}))
            is_past = token.kind is Kind.WORD and senses.is_past(word.casefold(), forms[-2:])
            tokens.append(replace(token, is_past=True) if is_past else token)
            forms.append(token.form)
        read_clauses.append(tuple(_joined(tokens)))
    return Sentence(tuple(read_clauses))


def _words(clause: str) -> Iterator[str]:
    """The words of a clause: what an apostrophe shortens stands apart, and a phrase is what it stands for."""
    words: list[str] = []
    for part in _WORD.findall(clause):
        head, mark, tail = part.replace("’", "'").partition("'")
        if mark and tail.casefold() == "t" and head.casefold().endswith("n"):
            words += [SHORT_DENIALS.get(head.casefold(), head[:-1]), "not"]
        elif mark and tail.casefold() == "s" and head.casefold() not in SHORT_IS:
            words.append(f"{head}'s")
        else:
            words.append(head)
    folded = [fold(word.casefold()) for word in words]
    at = 0
    while at < len(words):
        length, told = senses.phrase(folded[at : at + senses.LONGEST_PHRASE])
        yield from told or words[at : at + 1]
        at += length


def _stems(words: Sequence[str], text: str, linguist: Linguist) -> Mapping[str, frozenset[str]]:
    distinct = list(dict.fromkeys(word.casefold() for word in words))
    found: dict[str, frozenset[str]] = dict.fromkeys(distinct, frozenset())
    for language in linguist.languages(text):
        for word, stem in zip(distinct, linguist.stems(distinct, language), strict=True):
            found[word] |= {f"~{root}" for root in senses.roots(fold(stem))}
    return found


def _token(word: str, stems: frozenset[str], *, is_capital: bool, begins: bool) -> Token:
    form = fold(word.casefold())
    is_name = is_capital and not begins
    number = numerals.value(form)
    if number is not None:
        return Token(number, Kind.NUMBER, frozenset({f"#{number}"}))
    if form in DENIALS:
        return Token(form, Kind.DENIAL, frozenset({f"!{DENIALS[form]}"}))
    if form in FREE and not (is_name and len(form) > 1):
        return Token(form, Kind.FREE)
    known = _known(form, stems, is_name=is_name)
    if known is not None:
        return known
    group = senses.group(form)
    if is_name and group is None:
        return Token(form, Kind.NAME, frozenset({form}), is_capital)
    return Token(form, Kind.WORD, frozenset({form, *stems, *filter(None, [group])}), is_capital)


def _known(form: str, stems: frozenset[str], *, is_name: bool) -> Token | None:
    """The token of a word that is known as more than a plain one."""
    person, date = senses.person(form), senses.date(form)
    if person is not None:
        return Token(form, Kind.PERSON, frozenset({f"+{person}"}))
    if form in TENSES:
        return Token(form, Kind.TENSE, frozenset({"=past"}))
    if date is not None and (form != "may" or is_name):
        return Token(form, Kind.DATE, frozenset({date}))
    return Token(form, Kind.QUALIFIER, stems | {form}) if senses.is_qualifier(form) else None


def _joined(tokens: Sequence[Token]) -> Iterator[Token]:
    """With an hour and the half of the day behind it as one time."""
    for at, token in enumerate(tokens):
        after = tokens[at + 1].form if at + 1 < len(tokens) else ""
        if after in HALVES and _is_hour(token):
            hour = f"{int(token.form) % 12 + HALVES[after]}:00"
            yield replace(token, form=hour, senses=frozenset({f"#{hour}"}))
        elif not (token.form in HALVES and at and _is_hour(tokens[at - 1])):
            yield token


def _is_hour(token: Token) -> bool:
    return token.kind is Kind.NUMBER and token.form.isdigit() and len(token.form) < 3
