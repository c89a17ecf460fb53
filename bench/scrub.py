"""Scrub: how much of what has to go goes, how much goes that has to stay, and how long two kilobytes take.

Recall and precision are counted by piece on the labelled texts of tests/corpora/scrub. The texts of LoCoMo and PoQuAD
have nothing that has to go, so what goes from them is wrong, and what is told of them is no attack. Times are processor
time of one text in this process, the fastest of several looks at each: other work on the machine is no part of it.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from harness import command, locomo_data, machine, poquad_data, report, scrub_corpus
from harness.report import Goal
from harness.scrub_corpus import Labelled
from harness.timing import percentile
from palimpsest.adapters.scrub.lexbor import Lexbor
from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.scrub.kinds import Found, Kind, Rules
from palimpsest.domain.scrub.recognise import recognise
from palimpsest.stores.spaces import Space
from palimpsest.usecases.scrub import Scrub

_SHARE, _PROSE_MS, _DIGITS_MS = 0.98, 2.0, 10.0
_LOOKS = 15
_SCRUB = Scrub(NumberingPlans(), Lexbor(), Rules(words=("Aurora", "Big Corp")))
_SPACE = Space(SpaceId("bench"), "bench", datetime(2026, 1, 1, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Counted:
    """Of one kind: labelled pieces, those that were found whole, and what was taken out rightly and wrongly."""

    kind: str
    labelled: int
    found: int
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Harmless:
    """What scrub did to texts to which it has nothing to do."""

    name: str
    texts: int
    words: int
    taken_out: int
    changed: int
    marked: int

    @property
    def row(self) -> tuple[object, ...]:
        rate = 10_000 * self.taken_out / self.words
        return self.name, self.texts, self.words, self.taken_out, rate, self.changed, self.marked


def main() -> None:
    options = _options()
    counted = _counted(scrub_corpus.labelled())
    harmless = [_harmless(name, texts) for name, texts in _harmless_texts(options)]
    times = _times(options)
    _tell(counted, harmless, times)
    facts = machine.facts("none")
    report.facts(facts)
    report.write(options.out, {"facts": facts, "corpus": counted, "harmless": harmless, "milliseconds": times})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="texts in English in which nothing has to go")
    parser.add_argument("--poquad", type=Path, metavar="FILE", help="the same in Polish")
    return parser.parse_args()


def _counted(texts: Sequence[Labelled]) -> list[Counted]:
    labelled, found, right, wrong = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for each in texts:
        pieces = recognise(each.text, _SCRUB.find_phones, regions=_SCRUB.rules.regions)
        for start, end, kind in each.spans:
            labelled[kind] += 1
            found[kind] += _covers(pieces, each.text, (start, end, kind))
        for piece in pieces:
            is_right = any(piece.start < end and start < piece.end for start, end, _ in each.spans)
            (right if is_right else wrong)[piece.kind] += 1
    kinds = [kind for kind in Kind if kind in labelled or kind in wrong]
    return [Counted(kind, labelled[kind], found[kind], right[kind], wrong[kind]) for kind in kinds]


def _covers(pieces: Sequence[Found], text: str, span: tuple[int, int, str]) -> bool:
    """Pieces of its kind cover all letters and digits of the span."""
    start, end, kind = span
    gone = {place for piece in pieces if piece.kind == kind for place in range(piece.start, piece.end)}
    return all(place in gone or not text[place].isalnum() for place in range(start, end))


def _harmless_texts(options: Namespace) -> list[tuple[str, list[str]]]:
    named = []
    if options.locomo:
        turns = [turn for conversation in locomo_data.read(options.locomo) for turn in conversation.turns]
        named.append(("LoCoMo", [turn.content for turn in turns]))
    if options.poquad:
        named.append(("PoQuAD", list(poquad_data.read(options.poquad).passages)))
    return named


def _harmless(name: str, texts: Sequence[str]) -> Harmless:
    taken_out = changed = marked = 0
    for text in texts:
        scrubber = _SCRUB.of(_SPACE)
        stored = scrubber.pasted(text, "content")
        taken_out += sum(len(redaction.places) for redaction in scrubber.report.redactions)
        marked += len(scrubber.report.cautions)
        changed += stored != text
    return Harmless(name, len(texts), sum(len(text.split()) for text in texts), taken_out, changed, marked)


def _times(options: Namespace) -> dict[str, list[float]]:
    """Milliseconds of each text, by what it is like."""
    prose = {name: scrub_corpus.prose(texts) for name, texts in _harmless_texts(options)}
    texts = {f"prose, {name}": parts for name, parts in (prose or {"made up": scrub_corpus.prose([])}).items()}
    texts |= {f"digits, {name}": [text] for name, text in scrub_corpus.digits().items()}
    return {name: sorted(_milliseconds(text) for text in parts) for name, parts in texts.items()}


def _milliseconds(text: str) -> float:
    looks = []
    for _ in range(_LOOKS):
        scrubber = _SCRUB.of(_SPACE)
        began = time.process_time()
        scrubber.pasted(text, "content")
        looks.append(1000 * (time.process_time() - began))
    return min(looks)


def _tell(counted: Sequence[Counted], harmless: Sequence[Harmless], times: dict[str, list[float]]) -> None:
    rows = [(each.kind, each.labelled, each.found, each.right, each.wrong) for each in counted]
    report.table("Labelled texts", ("kind", "labelled", "found", "rightly taken out", "wrongly"), rows)
    if harmless:
        report.table(
            "Texts in which nothing has to go",
            ("texts", "how many", "words", "taken out", "for 10,000 words", "changed", "marked"),
            [each.row for each in harmless],
        )
    spread = [(name, len(taken), percentile(taken, 50), taken[-1]) for name, taken in times.items()]
    report.table("Milliseconds for 2 KB", ("text", "texts", "median", "longest"), spread)
    report.goals(_goals(counted, times))


def _goals(counted: Sequence[Counted], times: dict[str, list[float]]) -> list[Goal]:
    labelled, found = sum(each.labelled for each in counted), sum(each.found for each in counted)
    right, wrong = sum(each.right for each in counted), sum(each.wrong for each in counted)
    slowest = {
        kind: max(taken[-1] for name, taken in times.items() if name.startswith(kind)) for kind in ("prose", "digits")
    }
    return [
        Goal("recall", found / labelled, _SHARE, at_least=True),
        Goal("precision", right / (right + wrong), _SHARE, at_least=True),
        Goal("2 KB of prose, longest, ms", slowest["prose"], _PROSE_MS),
        Goal("2 KB of digits, longest, ms", slowest["digits"], _DIGITS_MS),
    ]


if __name__ == "__main__":
    main()
