"""What a coded sentence says that something is: "X is a Y"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from palimpsest.domain.naming.doubting import is_doubted, is_doubted_at, is_quoted
from palimpsest.domain.naming.kinds_of_words import CLASS_OF, KIN
from palimpsest.domain.naming.lines import Line
from palimpsest.domain.naming.names import OWNER
from palimpsest.domain.naming.proposals import ProposedAttribute
from palimpsest.domain.naming.talk import OWNER_MARK, Talk
from palimpsest.domain.restating.wordlists import words

_ENGLISH: Final = re.compile(
    r"(?P<s>«[a-hj-ln-z]\d*») (?:is|am) (?:(?:also|still|now|currently) )?an? "
    r"(?P<t>(?:«\w+» )?[^«».,;:!?()\"]+?)(?= [.,;:!?(]| «| and «| and ¦| , ¦| and (?:is|has|lives|works|loves|likes|"
    r"was|plays|"
    r"hates|uses|runs|teaches|"
    r"wants|does|keeps)| but| who| -| which| that| because| since| although| though| at «| in «| for «| with «| by «| "
    r"from «|"
    r" written in| built with| running on| living| working| based| when| and i|$)"
)
_POLISH: Final = re.compile(
    r"(?P<s>«[a-hj-ln-z]\d*») (?:(?:jest) (?:(?:za to|też|także|dziś|teraz|obecnie|również|wciąż|nadal) )?"
    r"(?P<t>(?:\w+(?:ym|im|ą) )?\w{3,}(?:em|ą)(?: \w+)*?)|to (?P<n>(?!nie |«|nasz|mój|moja|moje|że |bardzo |jest |był|"
    r"taki|"
    r"tylko |jedn|dobr|świetn|nic |coś |tak |już |ten |ta |te )\w{3,}(?: \w+)*?))"
    r"(?= [.,;:!?(–]| a | ale | i (?:ma|mieszka|pracuje|lubi|jest|uczy|gra|nie) | z siedzibą| w «| z «| na «| "
    r"który| która|"
    r" bo | i ¦| a ¦|$)"
)
_OF_ME: Final = re.compile(
    r"(?<!\S)(?:jestem) (?P<t>(?:\w+(?:ym|im|ą) )?\w{3,}(?:em|ą)(?: \w+)*?)"
    r"(?= [.,;:!?(–]| «| a | ale | i | z | w | na | od | który| która| bo |$)"
)
_RELATIONS: Final = (
    words(
        "member members part fan friend bit lot little few student pupil guest kind sort matter mess must joke pain "
        "pleasure "
        "problem issue reason half third quarter good bad great big long mix combination type boost way częścią "
        "członkiem członkinią uczniem uczennicą "
        "studentem studentką winą sprawą kwestią problemem fanem fanką autorem autorką"
    )
    | frozenset(KIN)
    | words(
        "friend friends neighbour neighbor colleague coworker boss roommate flatmate classmate teammate buddy mate "
        "pal landlord "
        "znajomym znajomą przyjacielem przyjaciółką kolegą koleżanką sąsiadem sąsiadką szefem szefową kumplem "
        "gospodarzem"
    )
)
"""Nouns and adjectives after which nothing is said that an entity is."""

_COPULAS: Final = frozenset({"is", "am", "jest", "jestem", "to"})
_OF_DEGREE: Final = frozenset({"good", "bad", "great", "big", "long", "little"})
_SURE: Final = 0.85
_WEAK_SUBJECTS: Final = frozenset("ui")


def describe(line: Line, talk: Talk, text: str, *, is_polish: bool) -> Iterator[ProposedAttribute]:
    """The attributes of one sentence of `text`."""
    if _COPULAS.isdisjoint(line.words) or is_doubted(line):
        return
    for match in (_POLISH if is_polish else _ENGLISH).finditer(line.text):
        groups = match.groupdict()
        group = "t" if groups.get("t") else "n"
        subject = match["s"]
        if _is_said(line, match, group) and not _is_unknown(subject, talk, match[group]):
            yield _attribute(line, match, text, subject=_name(subject, talk), group=group)
    for match in _OF_ME.finditer(line.text) if is_polish else ():
        if _is_said(line, match, "t"):
            yield _attribute(line, match, text, subject=OWNER, group="t")


def _is_said(line: Line, match: re.Match[str], group: str) -> bool:
    said = match[group].split()
    if any(word in _RELATIONS and word not in _OF_DEGREE for word in said[:3]) or set(said) <= _OF_DEGREE:
        return False
    return not is_quoted(line, match.start()) and not is_doubted_at(line, match.start(), match.end())


def _is_unknown(marker: str, talk: Talk, said: str) -> bool:
    """A capitalised word that nothing speaks for but this, unless it says what kind of thing it is."""
    is_kind = any(word in CLASS_OF for word in said.split()[:3])
    return marker[1] in _WEAK_SUBJECTS and not is_kind and talk.mentions[int(marker[2:-1])].method is None


def _name(marker: str, talk: Talk) -> str:
    return OWNER if marker == OWNER_MARK else talk.mentions[int(marker[2:-1])].name


def _attribute(line: Line, match: re.Match[str], text: str, *, subject: str, group: str) -> ProposedAttribute:
    said = line.span(match.start(group), match.end(group))
    return ProposedAttribute(subject, text[said.start : said.end], _SURE, line.span(match.start(), match.end()))
