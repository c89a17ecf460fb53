"""Results that say the same are one: the better is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from palimpsest.domain.library.fragments import Turn
from palimpsest.usecases.answers import Hit, RecallQuery
from palimpsest.usecases.distinct import distinct
from palimpsest.usecases.drafts import Draft, JudgeMode
from tests.support.installation import OWNER, install
from tests.support.learning import taught


def _hits(tmp_path: Path, *contents: str) -> list[Hit]:
    memory = install(tmp_path)
    for content in contents:
        memory.wired.service.remember(OWNER, Draft(content, judge=JudgeMode.OFF))
    memory.index()
    found = memory.wired.service.recall(OWNER, RecallQuery("kiwi", is_dry_run=True)).hits
    return [hit for hit in found if isinstance(hit, Hit)]


def _levelled(hit: Hit, *sources: str) -> Hit:
    said = replace(hit.memory.version.statement, level="L1", derived_from=sources)
    return replace(hit, memory=replace(hit.memory, version=replace(hit.memory.version, statement=said)))


def test_what_was_consolidated_takes_the_place_of_its_sources_when_it_is_better(tmp_path: Path) -> None:
    whole, source, other = _hits(tmp_path, "kiwi one", "kiwi two", "kiwi three")
    consolidated = _levelled(whole, str(source.memory.version.ref))

    assert distinct([consolidated, source, other]) == [consolidated, other]
    assert distinct([source, other, consolidated]) == [source, other]


def test_a_fact_and_the_turn_that_it_was_learned_from_are_one(tmp_path: Path) -> None:
    memory = install(tmp_path)
    taught(memory, [Turn("user", "I don't eat pork. We moved to Leeds on Saturday.", "Jan")])
    memory.index()

    found = memory.wired.service.recall(OWNER, RecallQuery("who does not eat pork", is_dry_run=True)).hits

    about = [hit.memory.version.statement.content if isinstance(hit, Hit) else hit.chunk.text for hit in found]
    assert len([text for text in about if "pork" in text]) == 1


def test_sources_of_one_level_stand_beside_each_other(tmp_path: Path) -> None:
    hits = _hits(tmp_path, "kiwi one", "kiwi two")

    assert distinct(hits) == hits


def test_the_same_words_are_one_result_unless_others_say_them(tmp_path: Path) -> None:
    first, second = _hits(tmp_path, "kiwi one", "kiwi two")
    said = replace(second.memory.version.statement, content=first.memory.version.statement.content)
    again = replace(second, memory=replace(second.memory, version=replace(second.memory.version, statement=said)))
    hers = replace(said, attributed_to="Anna")
    by_her = replace(second, memory=replace(second.memory, version=replace(second.memory.version, statement=hers)))

    assert distinct([first, again]) == [first]
    assert distinct([first, by_her]) == [first, by_her]
