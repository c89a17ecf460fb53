"""The echo guard on labelled saves, and in the loop that filled a memory with one hallucination."""

from __future__ import annotations

from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, Outcome, SourceClaim
from palimpsest.usecases.readings import ListQuery
from tests.support.corpora import EchoPair, echo_pairs
from tests.support.installation import OWNER, Installation

ASSISTANT = SourceClaim("assistant_generated")
PAIRS = [pair for pair in echo_pairs() if pair.kind != "translated"]
"""The embedder of tests knows no translations; bench/echo.py asks the real one about all pairs."""

CAUGHT_AT_LEAST = 0.85
SWALLOWED_AT_MOST = 0.005

WAYS = (
    "As you told me, {}",
    "Reminder: {}!",
    "From memory: {}",
    "I remember that {}",
    "Noted earlier - {}.",
    "{}!!",
    "You told me before that {}",
)


def is_swallowed(memory: Installation, pair: EchoPair) -> bool:
    for recalled in pair.recalled.split("\n"):
        memory.save(recalled, pair.id)
    memory.wired.service.recall(OWNER, RecallQuery(pair.recalled, spaces=(pair.id,)))
    saved = memory.wired.service.remember(OWNER, Draft(pair.saved, space=pair.id, source=ASSISTANT))
    return saved.outcome in (Outcome.ECHO, Outcome.UNCHANGED)


def test_most_echoes_are_caught_and_no_honest_save_is_swallowed(memory: Installation) -> None:
    swallowed = {pair.id for pair in PAIRS if is_swallowed(memory, pair)}
    echoes = {pair.id for pair in PAIRS if pair.is_echo}
    honest = {pair.id for pair in PAIRS} - echoes

    assert len(swallowed & echoes) >= CAUGHT_AT_LEAST * len(echoes)
    assert len(swallowed & honest) <= SWALLOWED_AT_MOST * len(honest), swallowed & honest


def test_a_loop_of_recall_and_store_keeps_one_copy(memory: Installation) -> None:
    """mem0ai/mem0#4573: of 10,134 entries 668 were copies of one hallucination, each recalled and stored again."""
    hallucination = "the user prefers Vim"
    memory.save(hallucination)

    for n in range(668):
        memory.wired.service.recall(OWNER, RecallQuery("which editor does the user prefer"))
        memory.wired.service.remember(OWNER, Draft(WAYS[n % len(WAYS)].format(hallucination), source=ASSISTANT))

    listed = memory.wired.service.list_memories(OWNER, ListQuery()).memories
    assert [each.version.statement.content for each in listed] == [hallucination]
