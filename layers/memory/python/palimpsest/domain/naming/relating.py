"""What a coded sentence states between the things that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.naming.cases import from_genitive
from palimpsest.domain.naming.doubting import is_doubted, is_doubted_at, is_quoted
from palimpsest.domain.naming.everyday import VERBS_AFTER_NAMES
from palimpsest.domain.naming.kinds_of_words import ACQUAINTANCES, KIN
from palimpsest.domain.naming.lines import Line
from palimpsest.domain.naming.mentions import Mention
from palimpsest.domain.naming.names import OWNER
from palimpsest.domain.naming.proposals import Method, ProposedRelation
from palimpsest.domain.naming.rules import Rule
from palimpsest.domain.naming.talk import OWNER_MARK, Talk
from palimpsest.domain.restating.wordlists import words

_MARKER: Final = re.compile(r"«([a-z])(\d*)»")
_PRECISE: Final = 0.9
"""Confidence of what a rule reads; all are meant to be right nineteen times of twenty."""

_MANY: Final = words(
    """
    sisters brothers daughters sons children kids aunts uncles cousins nieces nephews parents grandparents twins friends
    neighbours neighbors colleagues coworkers roommates flatmates dogs cats kittens parrots rabbits hamsters goats
    chickens
    hens sheep horses bracia siostry córki synowie dzieci kuzyni wnuki rodzice znajomi znajomych przyjaciele koledzy
    sąsiedzi koty psy papugi owce konie kury kozy kotki morskie know knows znam znamy zna znają are są to
    """
)
"""Words behind which several are named."""

_GENITIVE: Final = frozenset({"używa", "używają", "używam", "używamy"})
_IN_ACCUSATIVE: Final = words(
    "psa kota królika chomika żółwia konia szczura jeża węża kanarka kociaka owczarka labradora"
)
_PREPOSITIONS: Final = words("at in of with for from to by about on near w we z ze do od dla o na u przy po za przez")
_VERBS_BEHIND: Final = VERBS_AFTER_NAMES - {"and", "i", "oraz", "'s"}
_SAYS_HOW: Final = frozenset({"family_of", "knows"})


@dataclass(frozen=True, slots=True)
class Relater:
    """Reads relations by rules; what stands in a relation gets its type by it."""

    rules: Mapping[str, Sequence[Rule]]
    talk: Talk
    is_inflected: bool = False

    def relate(self, line: Line) -> Iterator[ProposedRelation]:
        """The relations of one sentence, in the order of the rules."""
        rules = called_for(self.rules, line)
        doubted = bool(rules) and is_doubted(line)
        for rule in rules:
            if doubted and not rule.holds_always:
                continue
            for match in rule.pattern.finditer(line.text):
                if self._is_stated(rule, match, line):
                    yield from self._read(rule, match, line)

    def _is_stated(self, rule: Rule, match: re.Match[str], line: Line) -> bool:
        if is_quoted(line, match.start()) or _is_within_phrase(match, line.text):
            return False
        return rule.holds_always or not is_doubted_at(
            line, match.start(), match.end(), denies_itself=rule.denies_itself
        )

    def _read(self, rule: Rule, match: re.Match[str], line: Line) -> Iterator[ProposedRelation]:
        groups = match.groupdict()
        before = "".join(line.text[: match.start("o")].split()[-1:]) if groups.get("o") else ""
        sources = self._ends(rule, "s", groups.get("s") or OWNER_MARK, "")
        targets = self._ends(rule, "o", _listed(rule, match, line.text), before) if groups.get("o") else [OWNER]
        phrase = _phrase(groups.get("k") or "", rule.predicate)
        evidence = line.span(match.start(), match.end())
        for source in sources:
            for target in targets:
                if source != target:
                    yield ProposedRelation(source, rule.predicate, target, _PRECISE, phrase, evidence)

    def _ends(self, rule: Rule, group: str, markers: str, before: str) -> list[str]:
        names: list[str] = []
        for marker in _MARKER.finditer(markers):
            if marker[0] == OWNER_MARK:
                names.append(OWNER)
            elif marker[2]:
                mention = self.talk.mentions[int(marker[2])]
                if self.is_inflected and mention.method is None and _is_oblique(mention.name, rule, before):
                    continue
                settle(mention, rule.types.get(group, ""))
                if group == "o" and mention.method is Method.CONTEXT and not _GENITIVE.isdisjoint(rule.words):
                    mention.name = from_genitive(mention.name)
                names.append(mention.name)
        return names


def _is_within_phrase(match: re.Match[str], text: str) -> bool:
    """The name that it begins with belongs to what stands before it: everyone at X, the docs of X."""
    before = text[: match.start()].split()[-1:]
    if " , which " in match[0] or " , któr" in match[0]:
        return False
    return match[0].startswith("«") and not match[0].startswith("«m»") and before != [] and before[0] in _PREPOSITIONS


def _is_oblique(name: str, rule: Rule, before: str) -> bool:
    """Nobody knows the name, and it stands in a case that does not tell its base form: w Xxxu, psa Xxxa."""
    if rule.predicate in ("works_at", "located_in", "attended", "part_of"):
        return name.endswith(("u", "ie"))
    return name.endswith("a") and before in _IN_ACCUSATIVE


def _listed(rule: Rule, match: re.Match[str], text: str) -> str:
    """The targets that the rule may have: one when the noun before them is for one, none that begins a new clause."""
    listed = match["o"]
    first, _, rest = listed.partition(" ")
    if not rest or match.start("o") == match.start():
        return listed
    after = text[match.end("o") :].split()
    if rule.predicate in _SAYS_HOW or rule.types["o"] == "animal":
        before = text[match.start() : match.start("o")].replace("called ", "").replace(", ", "").split()
        is_many = (bool(before) and before[-1] in _MANY) or after[1:2] == ["«m»"]
        return listed if is_many else first
    return listed[: listed.rindex(" «")] if after[:1] != [] and after[0] in _VERBS_BEHIND else listed


def settle(mention: Mention, type_: str) -> None:
    """Give a name the type that its place in a sentence asks for; a pet may be called what people are called."""
    is_guess = mention.method is Method.SEEN_TWICE
    if type_ and (is_guess or (type_ == "animal" and mention.method is Method.PERSON)):
        mention.type = type_
    elif type_:
        mention.believe(type_, Method.CONTEXT)


def called_for(rules: Mapping[str, Sequence[Rule]], line: Line) -> list[Rule]:
    """The rules that one of the line's words calls for, each once, in their order."""
    found = {rule.number: rule for word in rules.keys() & line.words for rule in rules[word]}
    return [found[number] for number in sorted(found)]


def _phrase(word: str, predicate: str) -> str:
    if predicate not in _SAYS_HOW:
        return ""
    bare = word.replace(" ", "_")
    return (KIN.get(word) or ACQUAINTANCES.get(bare) or word).replace("_", " ")
