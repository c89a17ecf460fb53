"""Contexts over the embedded parts: what is in them, and what never is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotAllowed
from palimpsest.domain.ids import KeyId, VersionRef
from palimpsest.domain.packing.counting import count_tokens
from palimpsest.domain.packing.entry import Section
from palimpsest.domain.version import MemoryType
from palimpsest.ports.work_queue import Job, Work
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import Confidence, ContextHit
from palimpsest.usecases.drafts import Draft, Revision
from palimpsest.usecases.pack_context import Context, ContextQuery
from tests.support import conflicting
from tests.support.deriving import made_from
from tests.support.installation import OWNER, START, Installation
from tests.unit.jobs.test_slices import unlimited

READER = Caller(KeyId("reader"), Role.READER, spaces=("default",))
RECENT = (Section.RECENT,)


def save(memory: Installation, content: str, kind: MemoryType = MemoryType.FACT, **fields: object) -> VersionRef:
    saved = memory.wired.service.remember(OWNER, Draft(content, memory_type=kind, **fields))  # type: ignore[arg-type]
    return VersionRef(saved.memory.head.root)


def context(memory: Installation, query: str, *sections: Section, budget: int = 500, dry: bool = False) -> Context:
    asked = ContextQuery(query, budget, sections or tuple(Section), is_dry_run=dry)
    return memory.wired.service.supply.context(OWNER, asked)


def told(found: Context) -> dict[str, list[str]]:
    """The texts by part, of the parts that have any."""
    return {part.name: [each.entry.text for each in part.placed] for part in found.packed.parts if part.placed}


def test_each_part_has_what_belongs_there(memory: Installation) -> None:
    save(memory, "Answer in Polish.", pinned=True)
    save(memory, "I prefer green tea to coffee.", MemoryType.PREFERENCE)
    save(memory, "A deploy begins with a tag on the main branch.", MemoryType.PROCEDURE)
    save(memory, "We decided that deploys happen on Thursdays.", MemoryType.EPISODE)
    save(memory, "We had cake after the deploy.", MemoryType.EPISODE)
    memory.index()

    found = context(memory, "when do deploys happen?")

    assert told(found) == {
        "pinned": ["Answer in Polish."],
        "profile": ["I prefer green tea to coffee."],
        "relevant": ["We had cake after the deploy."],
        "decisions": [
            "We decided that deploys happen on Thursdays.",
            "A deploy begins with a tag on the main branch.",
        ],
    }
    assert found.packed.tokens == count_tokens(found.packed.text) <= 500


def test_what_is_pinned_is_there_whatever_is_asked_for_and_at_once(memory: Installation) -> None:
    save(memory, "The cat is called Mia.")
    save(memory, "Answer in Polish.", pinned=True)

    assert told(context(memory, "the cat", Section.RELEVANT)) == {
        "pinned": ["Answer in Polish."],
        "relevant": ["The cat is called Mia."],
    }


def test_what_is_forgotten_or_replaced_or_over_is_in_no_part(memory: Installation) -> None:
    gone = save(memory, "I prefer the old harbour.", MemoryType.PREFERENCE, pinned=True)
    old = save(memory, "The harbour opens at six.", MemoryType.PROCEDURE)
    save(memory, "The harbour is closed.", valid_until=START - timedelta(days=1))
    save(memory, "The harbour will be sold.", valid_from=START + timedelta(days=900))
    memory.index()
    memory.wired.service.forget(OWNER, gone)
    memory.wired.service.revise(OWNER, old, Revision("The harbour opens at seven."))

    found = context(memory, "the harbour")

    assert told(found) == {"decisions": ["The harbour opens at seven."]}


def test_what_is_disputed_is_left_out_and_counted(memory: Installation) -> None:
    rome = conflicting.save(memory, Draft("Ola lives in Rome", pinned=True))
    conflicting.save(memory, Draft("Ola lives in Oslo"), rome)
    save(memory, "Ola has a cat.")

    found = context(memory, "where does Ola live?")

    assert told(found) == {"relevant": ["Ola has a cat."]}
    assert found.disputed == 2
    assert "(2 left out because they are disputed)" in found.packed.text


def test_other_spaces_are_never_in_it_and_named_ones_are_together(memory: Installation) -> None:
    save(memory, "The cat is called Mia.")
    memory.save("The cat is called Tom.", "other")

    both = ContextQuery("the cat", 500, spaces=("default", "other"))

    assert "Tom" not in context(memory, "the cat").packed.text
    assert "Tom" in memory.wired.service.supply.context(OWNER, both).packed.text
    with pytest.raises(NotAllowed):
        memory.wired.service.supply.context(READER, both)


def test_a_space_that_nobody_wrote_to_gives_an_empty_context(memory: Installation) -> None:
    found = context(memory, "anything")

    assert (found.packed.text, found.packed.tokens, found.confidence) == ("", 0, Confidence.NONE)


def test_what_is_handed_out_is_remembered_as_recalled_and_nothing_else(memory: Installation) -> None:
    save(memory, "Deploys happen on Thursdays.")
    memory.save("The cat is called Mia.")
    service = memory.wired.service

    found = context(memory, "when do deploys happen?", Section.RELEVANT, budget=110)
    dry = context(memory, "when do deploys happen?", dry=True)

    space = memory.wired.build_index.spaces.ensure("default").id
    (record,) = service.recall.record.recalls.recent(space, OWNER.key, memory.clock.now())
    assert record.recall == found.id
    assert [str(ref) for ref in record.refs] == [each.entry.key for each in found.packed.placed]
    assert (found.is_recorded, dry.is_recorded) == (True, False)


def test_recent_is_what_was_said_last_also_when_an_old_memory_was_updated(memory: Installation) -> None:
    first = save(memory, "The meeting is on Monday.")
    save(memory, "Marta was born in Gdynia.", asserted_at=START - timedelta(days=400))
    save(memory, "The cat is called Mia.")
    memory.index()
    memory.clock.turn(timedelta(days=2))
    memory.wired.service.revise(OWNER, first, Revision("The meeting is on Friday."))

    assert told(context(memory, "x", *RECENT)) == {
        "recent": ["The meeting is on Friday.", "The cat is called Mia.", "Marta was born in Gdynia."]
    }


def test_parts_of_documents_are_entries_with_the_place_where_they_stand(memory: Installation) -> None:
    text = b"# Runbook\n\n## Restart\n\nThe ingest worker is restarted with systemctl."
    document = memory.wired.service.add_document(OWNER, Sending("ops/runbook.md", text)).document.id
    memory.wired.worker(Work(Job.INGEST, document), unlimited)
    memory.index()

    found = context(memory, "how is the worker restarted?", Section.RELEVANT)

    (placed,) = found.packed.placed
    assert "[1] runbook.md > Runbook > Restart: The ingest worker is restarted with systemctl." in found.packed.text
    assert isinstance(found.found[placed.entry.key], ContextHit)


def test_what_was_made_from_others_does_not_come_beside_them_nor_without_them(memory: Installation) -> None:
    source = save(memory, "The depot has nine bays.")
    made_from(memory, "The depot has nine bays and two gates.", source.root)
    memory.index()

    beside = context(memory, "depot bays")
    memory.wired.service.forget(OWNER, source)
    without = context(memory, "depot bays")

    assert len(beside.packed.placed) == 1
    assert (without.packed.text, without.found) == ("", {})
