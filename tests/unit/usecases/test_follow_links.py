"""What real relations lead to comes at three tenths of what led there, and fills what is left of the results."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import EmbedderUnavailable, TableThrottled
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Kind, Search
from palimpsest.ports.table import Query
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import AnyHit, ArmState, Hit, Recalled, RecallQuery
from palimpsest.usecases.candidates import Ranking, entry_key
from palimpsest.usecases.drafts import Draft, JudgeMode, Revision
from palimpsest.usecases.entities import NewEntity
from palimpsest.usecases.follow_links import Given
from tests.support.deriving import made_from
from tests.support.graph import entities
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import InterposingTable
from tests.support.metered_table import MeteredTable
from tests.support.passing_indexes import PassingIndexes
from tests.support.run_driving import WRITER, work

ASKED = "who keeps bees"
LEADER = "Ola Nowak works at Globex and keeps bees"
NEAR = ("Globex is based in Poznań", "Piotr Lis works at Globex")
CHUNK = "The post room: Ewa Sowa works at Globex."
FAR = ("Jan Kot lives in Poznań", "Piotr Lis lives in Opole")
MENTIONING = "Globex and Initech met in May"


class Wordless(HashingEmbedder):
    """An embedder that has vectors of what is saved and none of queries, so that only words find anything."""

    def query(self, text: str) -> Vector:
        raise EmbedderUnavailable("embedder_unreachable", "not now")

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return HashingEmbedder().passages(texts)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = fill(install(tmp_path, embedder=Wordless()))
    yield installed
    installed.sqlite.close()


def fill(memory: Installation) -> Installation:
    """What is linked with the leader, and what only names the same."""
    for text in (LEADER, *NEAR, *FAR, MENTIONING, "somebody keeps a kettle", "nobody keeps goats"):
        save(memory, text)
    memory.wired.service.add_document(OWNER, Sending("post.md", f"{CHUNK}\n".encode()))
    settle(memory)
    return memory


def save(memory: Installation, text: str) -> RootId:
    return memory.wired.service.remember(OWNER, Draft(text, judge=JudgeMode.OFF)).memory.head.root


def settle(memory: Installation) -> None:
    """Let everything be read and indexed, and the tail be behind."""
    work(memory)
    while rows := memory.doorbells():
        memory.wired.index_changes(rows)
        memory.wired.hear_changes(rows)
        memory.clock.turn(timedelta(minutes=1))
        work(memory)
    memory.clock.turn(timedelta(minutes=10))
    save(memory, "the newest of all")
    memory.index()


def recall(memory: Installation, query: str = ASKED, **more: object) -> Recalled:
    asked = {"limit": 50, "is_dry_run": True} | more
    return memory.wired.service.recall(OWNER, RecallQuery(query, **asked))  # type: ignore[arg-type]


def text(hit: AnyHit) -> str:
    return hit.memory.version.statement.content if isinstance(hit, Hit) else hit.chunk.text


def by_graph(recalled: Recalled) -> dict[str, float]:
    return {text(hit): hit.scores["graph"] for hit in recalled.hits if hit.why == ("graph",)}


def places(recalled: Recalled) -> dict[str, int]:
    return {text(hit): place for place, hit in enumerate(recalled.hits)}


def given(memory: Installation, root: RootId, *, seconds: float = 60) -> Given:
    """What one memory gives that has .8."""
    search = Search(memory.wired.build_index.spaces.ensure("default").id, (), lambda: None, kinds=tuple(Kind))
    ranking = Ranking({entry_key(root, 1): 0}, [0.8], [math.nan], {}, {})
    follow = memory.wired.service.recall.search_spaces.rank_space.follow_links
    return follow(search, ranking, (), time.perf_counter() + seconds)


def test_what_relations_lead_to_comes_at_three_tenths_a_hop_memories_and_chunks_alike(memory: Installation) -> None:
    found = recall(memory)

    (leader, *_) = found.hits
    score = leader.score / leader.scores["weight"]
    assert text(leader) == LEADER
    assert by_graph(found) == pytest.approx(
        dict.fromkeys((*NEAR, CHUNK), 0.3 * score) | dict.fromkeys(FAR, 0.09 * score)
    )
    assert by_graph(recall(memory, is_expanded=False)) == {}


def test_a_common_name_is_no_relation(memory: Installation) -> None:
    assert MENTIONING not in places(recall(memory))
    assert MENTIONING in places(recall(memory, "Globex"))


@pytest.mark.parametrize("query", [ASKED, "goats", "Ola Nowak", "where is Globex", "who lives in Poznań", "newest"])
@pytest.mark.parametrize("embedder", [HashingEmbedder(), Wordless()], ids=["vectors", "words"])
def test_the_best_stays_the_best_and_the_others_keep_their_order(
    tmp_path: Path, embedder: HashingEmbedder, query: str
) -> None:
    memory = fill(install(tmp_path, embedder=embedder))

    alone, found = recall(memory, query, is_expanded=False), recall(memory, query)

    graph = {text(hit) for hit in found.hits if {"graph", "entity"} & set(hit.why)}
    own = [text(hit) for hit in alone.hits if text(hit) not in graph]
    assert text(found.hits[0]) == text(alone.hits[0])
    assert [each for each in places(found) if each in own] == own
    memory.sqlite.close()


def test_a_candidate_keeps_its_own_score_where_that_is_higher(memory: Installation) -> None:
    found = {text(hit): hit for hit in recall(memory, "who keeps bees, based").hits}

    higher, lower = found["Globex is based in Poznań"], found["Piotr Lis works at Globex"]
    assert higher.why == ("keyword",)
    assert "graph" not in higher.scores
    assert lower.why == ("graph",)


def test_what_leads_on_has_to_pass_the_filters_and_be_of_the_kinds(memory: Installation) -> None:
    only = Filters(levels=("L0",), dated_from=START + timedelta(days=1))

    assert CHUNK not in by_graph(recall(memory, kinds=("memory",)))
    assert set(by_graph(recall(memory, kinds=("memory",)))) == {*NEAR, *FAR}
    assert set(by_graph(recall(memory, filters=Filters(levels=("L0",))))) == {*NEAR, CHUNK, *FAR}
    assert by_graph(recall(memory, filters=only)) == {}


def test_nothing_leads_on_where_an_entity_or_another_time_is_asked_for(memory: Installation) -> None:
    assert by_graph(recall(memory, entity="Ola Nowak")) == {}
    assert by_graph(recall(memory, filters=Filters(as_of=memory.clock.now()))) == {}
    assert by_graph(recall(memory, filters=Filters(believed_at=memory.clock.now()))) == {}


def test_what_was_forgotten_or_updated_is_not_led_to(memory: Installation) -> None:
    known = {each.version.statement.content: each.head.root for each in recall(memory).memories}
    memory.wired.service.forget(OWNER, VersionRef(known["Globex is based in Poznań"]))
    memory.wired.service.revise(OWNER, VersionRef(known["Piotr Lis works at Globex"]), Revision("Piotr Lis rests"))

    found = recall(memory)

    assert "Globex is based in Poznań" not in places(found)
    assert "Piotr Lis works at Globex" not in places(found)


def test_a_deleted_entity_leads_nowhere(memory: Installation) -> None:
    memory.wired.service.graph.entities.delete(WRITER, entities(memory)["Globex"].id)

    assert by_graph(recall(memory)) == {}


def test_a_merged_entity_leads_to_what_names_either(memory: Installation) -> None:
    memory.wired.service.graph.entities.declare(WRITER, NewEntity("Globex Holding", "organization"))
    save(memory, "Adam Mak works at Globex Holding")
    settle(memory)
    ids = entities(memory)
    memory.wired.service.graph.merge(WRITER, ids["Globex"].id, ids["Globex Holding"].id)

    assert {"Adam Mak works at Globex Holding", *NEAR} <= by_graph(recall(memory)).keys()


def test_what_was_made_from_the_same_is_two_hops_away(memory: Installation) -> None:
    one, other = save(memory, "Jan Lem works at Umbrella with walnuts"), save(memory, "Eva picks hazelnuts")
    made_from(memory, "both go for nuts", one, other)
    settle(memory)

    by_source, by_sum = recall(memory, "walnuts"), recall(memory, "nuts")

    assert set(by_graph(by_source)) == {"Eva picks hazelnuts"}  # what was made from a result is no result beside it
    assert (by_sum.duplicates_removed, by_graph(by_sum)) == (2, {})


def test_another_version_of_a_candidate_is_led_to_by_nothing(memory: Installation) -> None:
    """Else a candidate of an index that is late would give its place to the version that the graph knows."""
    root = save(memory, "bees: Zofia Rak works at Globex")
    settle(memory)
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("bees: Zofia Rak still works at Globex"))
    work(memory)
    memory.wired.hear_changes(memory.doorbells())  # the index hears nothing
    memory.clock.turn(timedelta(minutes=1))
    work(memory)

    found = {text(hit): hit for hit in recall(memory).hits}

    assert "keyword" in found["bees: Zofia Rak still works at Globex"].why


def test_a_table_that_can_not_say_what_leads_on_is_told_and_takes_nothing_else(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = fill(install(tmp_path, sqlite=sqlite, table=table, embedder=Wordless()))

    def refuse() -> None:
        raise TableThrottled

    table.interpose(lambda name, call: name == "query" and isinstance(call, Query) and call.pk.endswith("#R"), refuse)
    found = recall(memory)

    entity = next(arm for arm in found.arms if arm.name == "entity")
    assert (entity.state, entity.reason) == (ArmState.DEGRADED, "table_unavailable")
    assert text(found.hits[0]) == LEADER
    assert by_graph(found) == {}
    sqlite.close()


@pytest.mark.parametrize("is_remote", [False, True], ids=["here", "remote"])
def test_what_is_not_followed_in_time_is_lacking(tmp_path: Path, is_remote: bool) -> None:
    indexes = PassingIndexes(tmp_path, lambda inner: inner, is_remote=is_remote)
    memory = fill(install(tmp_path, embedder=Wordless(), indexes=indexes))
    leader = recall(memory, "bees").memories[0].head.root

    late, soon = given(memory, leader, seconds=-1), given(memory, leader)

    assert late == Given({}, "graph_late")
    assert sorted(soon.scores.values()) == pytest.approx([0.072, 0.072, 0.24, 0.24, 0.24])
    assert soon.lacking is None
    memory.sqlite.close()


def test_a_space_without_a_graph_costs_one_read(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = MeteredTable(sqlite)
    memory = install(tmp_path, sqlite=sqlite, table=table)
    save(memory, "somebody keeps bees")
    memory.index()
    recall(memory)

    calls = []
    for is_expanded in (False, True):
        table.begin()
        recall(memory, is_expanded=is_expanded)
        calls.append(table.calls)

    assert calls[1] - calls[0] == 1
    sqlite.close()
