"""Findings in the table: found by id, listed by state through index one, one for each pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from palimpsest.domain import instants
from palimpsest.domain.belief import State
from palimpsest.domain.errors import ConditionFailed, FindingMoved
from palimpsest.domain.finding import Finding, FindingKind, FindingState
from palimpsest.domain.ids import ConflictId, FindingId, KeyId, SpaceId, VersionRef
from palimpsest.ports.table import All, Check, Equals, Index, Item, Missing, Put, Query, Table, Value
from palimpsest.stores import edges, keys
from palimpsest.stores.codec import Reader, decimal, item
from palimpsest.stores.conflict_codec import read_ref
from palimpsest.stores.moves import Guarded


@dataclass(frozen=True, slots=True)
class Findings:
    """Reads and opens findings."""

    table: Table

    def open(self, finding: Finding) -> None:
        """Keep a finding.

        Nothing happens when its pair has one already, of the same versions or of later ones, nor when one of the two
        versions is no longer current: so nothing of an erased belief comes back.
        """
        known = self.find([finding.id]).get(finding.id)
        if known is None:
            put = Put(_item(finding), Missing("pk"))
        elif _numbers(known) < _numbers(finding):
            put = Put(_item(replace(finding, revision=known.revision + 1)), Equals("revision", known.revision))
        else:
            return
        with suppress(ConditionFailed):
            sides = [_is_current(ref) for ref in (finding.existing, finding.incoming)]
            self.table.transact([put, *edges.doubts(*finding.roots), *sides])

    def find(self, findings: Sequence[FindingId]) -> dict[FindingId, Finding]:
        """Those that exist, strongly read."""
        found = self.table.get([keys.finding(each) for each in findings]).items.values() if findings else ()
        return {finding.id: finding for finding in map(read, found)}

    def walk(self, space: SpaceId, state: FindingState, before: str | None) -> Iterator[tuple[str, Finding]]:
        """(place, finding) of each of the space in that state, newest first, below the place `before`."""
        partition, cursor = keys.findings(space, state), None
        while True:
            query = Query(partition, index=Index.ONE, descending=True, high=before, limit=50, after=cursor)
            page = self.table.query(query)
            places = [place for entry in page.items if (place := Reader(entry).text("g1sk")) != before]
            ids = [FindingId(place.rpartition("#")[2]) for place in places]
            found = {each.id: each for each in self.find(ids).values() if each.state is state}  # the index may lag
            yield from ((at, found[each]) for at, each in zip(places, ids, strict=True) if each in found)
            cursor = page.next_cursor
            if cursor is None:
                return


def _is_current(ref: VersionRef) -> Check:
    is_so = (Equals("state", State.LIVE), Equals("current", ref.number or 0))
    return Check(keys.head(ref.root), All(is_so))


def moved(before: Finding, after: Finding) -> Guarded:
    """The write of the next state of a finding; FindingMoved when somebody else answered first."""
    return Put(_item(after), Equals("revision", before.revision)), FindingMoved


def read(stored: Item) -> Finding:
    """The finding in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Finding(
        id=FindingId(r.text("pk").removeprefix("F#")),
        space=SpaceId(r.text("space")),
        existing=r.parsed("existing", read_ref),
        incoming=r.parsed("incoming", read_ref),
        similarity=r.number("similarity"),
        reason=r.text("reason"),
        judged_by=r.text("judged_by"),
        opened_at=r.instant("opened_at"),
        opened_by=KeyId(r.text("opened_by")),
        kind=r.choice("kind", FindingKind),
        state=r.choice("state", FindingState),
        revision=r.integer("revision"),
        answered_at=r.optional("answered_at", r.instant),
        answered_by=r.optional("answered_by", lambda name: KeyId(r.text(name))),
        conflict=r.optional("conflict", lambda name: ConflictId(r.text(name))),
    )


def _item(finding: Finding) -> dict[str, Value]:
    return item(
        keys.finding(finding.id),
        space=finding.space,
        existing=str(finding.existing),
        incoming=str(finding.incoming),
        similarity=decimal(round(finding.similarity, 6)),
        reason=finding.reason,
        judged_by=finding.judged_by,
        opened_at=finding.opened_at,
        opened_by=finding.opened_by,
        kind=finding.kind,
        state=finding.state,
        revision=finding.revision,
        answered_at=finding.answered_at,
        answered_by=finding.answered_by,
        conflict=finding.conflict,
        g1pk=keys.findings(finding.space, finding.state),
        g1sk=f"{instants.write(finding.opened_at)}#{finding.id}",
    )


def _numbers(finding: Finding) -> int:
    """Versions only grow, so the sum says which finding of a pair is of later ones."""
    return (finding.existing.number or 0) + (finding.incoming.number or 0)
