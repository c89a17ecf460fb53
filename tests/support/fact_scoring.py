"""How many of the labelled facts are found, and how much of what is found is right, as the corpus' README says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from palimpsest.domain.learning.fact import Fact
from palimpsest.domain.library.sentences import ends
from tests.support.corpora import Conversation, LabelledFact, Turn

Reader = Callable[[Conversation, Turn], Sequence[Fact]]


@dataclass
class Score:
    """Counts; `found` are labels, `right` and `wrong` what was found."""

    labels: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    same_type: int = 0
    same_phrase: int = 0
    kinds: dict[str, list[int]] = field(default_factory=dict)
    """Of each kind of label: how many were found, of how many."""

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.labels)

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {found}/{of}" for kind, (found, of) in sorted(self.kinds.items()))
        figures = f"precision {self.precision:.3f} ({self.right} right, {self.wrong} wrong), "
        figures += f"recall {self.recall:.3f} ({self.found} of {self.labels})"
        return f"{figures}; same type {self.same_type}, same phrase {self.same_phrase}; {kinds}"


def score(talks: Iterable[Conversation], read: Reader) -> Score:
    """What `read` makes of the talks."""
    total = Score()
    for talk in talks:
        for turn in talk.turns:
            _score_turn(total, turn, read(talk, turn))
    return total


def matched(turn: Turn, found: Sequence[Fact]) -> list[LabelledFact | None]:
    """The label that each of what was found is right by; None for what is wrong."""
    free = list(turn.facts)
    result: list[LabelledFact | None] = []
    for fact in found:
        label = next((each for each in free if _is_right(turn, each, fact)), None)
        if label is not None:
            free.remove(label)
        result.append(label)
    return result


def _score_turn(total: Score, turn: Turn, found: Sequence[Fact]) -> None:
    labels = matched(turn, found)
    for each in turn.facts:
        hit = each in labels
        if each.corrected_by is None or hit:
            kind = total.kinds.setdefault(each.kind, [0, 0])
            kind[0] += hit
            kind[1] += 1
            total.labels += 1
            total.found += hit
    for fact, label in zip(found, labels, strict=True):
        total.right += label is not None
        total.wrong += label is None
        if label is not None:
            total.same_type += label.memory_type == fact.memory_type
            total.same_phrase += label.date_phrase == (fact.day.phrase if fact.day else None)


def _is_right(turn: Turn, label: LabelledFact, fact: Fact) -> bool:
    day: date | None = fact.day.date if fact.day else None
    if label.subject != fact.subject or label.event_date != day:
        return False
    begin = turn.text.index(label.evidence)
    end = begin + len(label.evidence)
    shared = min(end, fact.evidence.end) - max(begin, fact.evidence.begin)
    first, last = _sentences(turn.text, begin, end)
    return 2 * shared >= end - begin and first <= fact.evidence.begin and fact.evidence.end <= last


def _sentences(text: str, begin: int, end: int) -> tuple[int, int]:
    """Where the first sentence that holds a part of it begins, and the last one ends."""
    borders = [0, *(each.at for each in ends(text)), len(text)]
    return max(each for each in borders if each <= begin), min(each for each in borders if each >= end)
