"""LoCoMo through the HTTP API: how much of the evidence for a question does recall find?

Each conversation is a space and each turn a memory; each question is one recall. Recall is told as the fraction of the
evidence found and as "any of it", apart; turn level and session level apart; categories 1 to 4 as macro mean over the
conversations, the adversarial category 5 apart. A session scores its best turn.
"""

from __future__ import annotations

import secrets
import time
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import asking, command, locomo_data, machine, ranking, report, saving, server
from harness.api import Json
from harness.asking import Found
from harness.locomo_data import ADVERSARIAL, CATEGORIES, Conversation, Question
from harness.report import Goal
from harness.server import Server

MEASURES = ("R@5", "R@10", "R@20", "any@5", "any@10", "any@20", "session any@5", "session R@10")
GOALS = {"R@10": 0.66, "session any@5": 0.93}


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with evidence: its measures by name."""

    conversation: str
    category: int
    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """A conversation with what was found for each of its questions.

    Attributes:
        turn_of: The first turn that was saved under a root id: turns of the same text are one memory.
        kept_as: The turn that stands for each turn.
    """

    conversation: Conversation
    turn_of: dict[str, str]
    kept_as: dict[str, str]
    found: tuple[Found, ...]


def main() -> None:
    options = _options()
    conversations = locomo_data.read(options.data)
    began = time.perf_counter()
    with server.given_or_own(options.url, options.key, has_extra=options.extra) as running:
        asked = [_ask(running, conversation) for conversation in conversations]
        wall_seconds = time.perf_counter() - began
        engine = running.api().get("/status").document["embedder"]["engine"]
    result: dict[str, object] = {"facts": machine.facts(engine), "wall_seconds": round(wall_seconds, 1)}
    result |= _tell(asked, conversations, wall_seconds)
    if options.corrections:
        result["corrected"] = _tell_corrected(asked, locomo_data.corrected(conversations, options.corrections))
    report.facts(machine.facts(engine))
    report.write(options.out, result)


def _options() -> Namespace:
    parser = command.parser(__doc__)
    command.add_data(parser)
    parser.add_argument("--corrections", type=Path, metavar="FILE", help="question ids with corrected evidence")
    return parser.parse_args()


def _ask(running: Server, conversation: Conversation) -> Asked:
    space = f"locomo-{conversation.name}-{secrets.token_hex(4)}"
    roots = saving.save_all(running, space, list(map(_draft, conversation.turns)))
    turn_of: dict[str, str] = {}
    for turn, root in zip(conversation.turns, roots, strict=True):
        turn_of.setdefault(root, turn.id)
    kept_as = {turn.id: turn_of[root] for turn, root in zip(conversation.turns, roots, strict=True)}
    found = tuple(asking.recall_each(running, space, [question.text for question in conversation.questions]))
    print(f"{conversation.name}: {len(roots)} turns, {len(turn_of)} memories, {len(found)} questions", flush=True)
    return Asked(conversation, turn_of, kept_as, found)


def _draft(turn: locomo_data.Turn) -> Json:
    return {
        "content": turn.content,
        "asserted_at": turn.said_at.isoformat(),
        "source": {"session": turn.session},
        "metadata": {"dialog": turn.id},
    }


def _tell(asked: Sequence[Asked], conversations: Sequence[Conversation], wall_seconds: float) -> dict[str, object]:
    judged = _judge(asked, conversations)
    headline = macro(each for each in judged if each.category != ADVERSARIAL)
    rows = [("1 to 4, macro", _count(judged, range(1, 5)), *headline.values())]
    rows += [(f"{c} {name}", _count(judged, (c,)), *_micro(judged, c).values()) for c, name in CATEGORIES.items()]
    report.table("LoCoMo", ("category", "questions", *MEASURES), rows)
    latency = asking.spread([found for each in asked for found in each.found])
    degraded = sum(bool(found.degraded) for each in asked for found in each.found)
    print(
        f"\nrecall of 100: p50 {latency.p50} ms, p95 {latency.p95} ms; {degraded} degraded; {wall_seconds:.0f} s in all"
    )
    report.goals([Goal(name, headline[name], goal, at_least=True) for name, goal in GOALS.items()])
    categories = {category: _micro(judged, category) for category in CATEGORIES}
    return {"headline": headline, "categories": categories, "recall_ms": latency, "degraded": degraded}


def _tell_corrected(asked: Sequence[Asked], conversations: Sequence[Conversation]) -> dict[str, float]:
    judged = _judge(asked, conversations)
    headline = macro(each for each in judged if each.category != ADVERSARIAL)
    row = ("1 to 4, macro", _count(judged, range(1, 5)), *headline.values())
    report.table("LoCoMo, corrected answer key", ("category", "questions", *MEASURES), [row])
    return headline


def _judge(asked: Sequence[Asked], conversations: Sequence[Conversation]) -> list[Judged]:
    """Every question that has evidence, in `conversations`, whose questions are those that were asked."""
    return [
        Judged(conversation.name, question.category, measures(question, found, each.turn_of, each.kept_as))
        for each, conversation in zip(asked, conversations, strict=True)
        for question, found in zip(conversation.questions, each.found, strict=True)
        if question.gold
    ]


def measures(question: Question, found: Found, turn_of: dict[str, str], kept_as: dict[str, str]) -> dict[str, float]:
    """Every measure of one question, by name."""
    gold = {kept_as[turn] for turn in question.gold}
    turns = [turn_of[root] for root in found.roots]
    gold_sessions = set(map(_session, question.gold))
    sessions = ranking.groups(map(_session, turns))
    values = {f"R@{k}": ranking.fraction(gold, turns, k) for k in (5, 10, 20)}
    values |= {f"any@{k}": ranking.any_hit(gold, turns, k) for k in (5, 10, 20)}
    values["session any@5"] = ranking.any_hit(gold_sessions, sessions, 5)
    values["session R@10"] = ranking.fraction(gold_sessions, sessions, 10)
    return values


def macro(judged: Iterable[Judged]) -> dict[str, float]:
    """The mean over conversations of the means over their questions; 0.0 when there is no question."""
    by_conversation: dict[str, list[Judged]] = {}
    for each in judged:
        by_conversation.setdefault(each.conversation, []).append(each)
    means = [_means(group) for group in by_conversation.values()]
    return {name: ranking.mean([each[name] for each in means]) if means else 0.0 for name in MEASURES}


def _micro(judged: Sequence[Judged], category: int) -> dict[str, float]:
    group = [each for each in judged if each.category == category]
    return _means(group) if group else dict.fromkeys(MEASURES, 0.0)


def _means(group: Sequence[Judged]) -> dict[str, float]:
    return {name: ranking.mean([each.values[name] for each in group]) for name in MEASURES}


def _count(judged: Sequence[Judged], categories: Iterable[int]) -> int:
    wanted = set(categories)
    return sum(each.category in wanted for each in judged)


def _session(turn: str) -> str:
    return turn.partition(":")[0]


if __name__ == "__main__":
    main()
