"""List what checks have noticed, and answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import FindingMoved, HeadMoved, LostRace, NotFound, RequestRepeated, WrongState
from palimpsest.domain.finding import Finding, FindingState, Reply
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import FindingId, VersionRef, conflict_between
from palimpsest.domain.judgement import Opinion, Relation
from palimpsest.domain.lineage import Stamp
from palimpsest.stores import findings as stored
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.findings import Findings
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.moves import Guarded
from palimpsest.stores.spaces import Space
from palimpsest.usecases.both_sides import both_sides
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.paging import page
from palimpsest.usecases.readings import FindingQuery, FindingsListed, ShownFinding
from palimpsest.usecases.steps import ATTEMPTS, Steps


@dataclass(frozen=True, slots=True)
class ManageFindings:
    """Lists and answers findings. One of which a side is forgotten, hidden or says something else by now is hidden."""

    steps: Steps
    findings: Findings
    confront: Confront
    cursors: Cursors

    def page(self, caller: Caller, query: FindingQuery) -> FindingsListed:
        """One page, newest first.

        Raises:
            NotAllowed: The key may not enter the space.
            CursorRefused: Not a cursor of this query and this key.
        """
        caller.require(Role.READER)
        name = caller.require_space(query.space)
        binding = ("findings", name, query.state, caller.key)
        before = self.cursors.open(query.cursor, *binding) if query.cursor else None
        space = self.steps.spaces.find(name)
        if space is None:
            return FindingsListed((), None)
        walk = self.findings.walk(space.id, query.state, before)
        found, place = page(walk, query.limit, self._visible)
        following = None if place is None else self.cursors.seal(place, *binding)
        return FindingsListed(tuple(self._show(space, found)), following)

    def one(self, caller: Caller, finding_id: FindingId) -> ShownFinding:
        """The finding with both sides; NotFound when it is unknown, in a foreign space, or hidden."""
        caller.require(Role.READER)
        return self._shown(*self._find(caller, finding_id))

    def answer(
        self, caller: Caller, finding_id: FindingId, reply: Reply, idempotency: Idempotency | None = None
    ) -> ShownFinding:
        """The finding after the answer; a confirmed one is a conflict.

        Raises:
            NotFound: Unknown, in a foreign space, or hidden.
            NotAllowed: The key is no writer.
            WrongState: It was answered already, or somebody has decided on the two.
        """
        caller.require(Role.WRITER)
        for _ in range(ATTEMPTS):
            earlier = self.steps.answered(caller, idempotency)
            space, finding = self._find(caller, finding_id)
            if earlier is not None:
                return self._shown(space, finding)
            stamp = Stamp(self.steps.clock.now(), caller.key)
            try:
                after = self._answer(caller, finding, reply, stamp, idempotency)
            except (FindingMoved, HeadMoved, RequestRepeated):
                continue
            return self._shown(space, after)
        raise LostRace(ATTEMPTS)

    def _answer(
        self, caller: Caller, finding: Finding, reply: Reply, stamp: Stamp, idempotency: Idempotency | None
    ) -> Finding:
        conflict = conflict_between(*finding.roots) if reply is Reply.CONFIRM else None
        after = finding.answered(reply, stamp, conflict)
        writes = [stored.moved(finding, after), *self._record(caller, after, idempotency)]
        if conflict is None:
            self.steps.beliefs.commit_all([], also=writes)
            return after
        seen = Opinion(finding.existing, Relation.CONTRADICTORY, finding.similarity, finding.reason, finding.judged_by)
        pending = self.confront(caller, finding.incoming.root, seen, compared=finding.incoming, also=writes)
        if pending is None:
            raise WrongState("resolved", "somebody has decided on these two already; revert that decision first")
        return after

    def _record(self, caller: Caller, finding: Finding, idempotency: Idempotency | None) -> list[Guarded]:
        if idempotency is None:
            return []
        answered = Answered(finding.id, 0, finding.state)
        put = self.steps.idempotency.record(caller.key, idempotency, answered, self.steps.clock.now())
        return [(put, RequestRepeated)]

    def _find(self, caller: Caller, finding_id: FindingId) -> tuple[Space, Finding]:
        finding = self.findings.find([finding_id]).get(finding_id)
        if finding is None or not caller.may_enter((space := self.steps.spaces.by_id(finding.space)).name):
            raise NotFound("finding")
        if not self._visible([finding]) or not self._show(space, [finding]):
            raise NotFound("finding")
        return space, finding

    def _visible(self, findings: Sequence[Finding]) -> list[Finding]:
        heads = self.steps.beliefs.heads(sorted({root for each in findings for root in each.roots}))
        return [
            each
            for each in findings
            if all(_is_shown(each, ref, heads.get(ref.root)) for ref in (each.existing, each.incoming))
        ]

    def _shown(self, space: Space, finding: Finding) -> ShownFinding:
        both = self._show(space, [finding])
        if not both:
            raise NotFound("finding")
        return both[0]

    def _show(self, space: Space, findings: Sequence[Finding]) -> list[ShownFinding]:
        shown = both_sides(self.steps, space, [(each.existing, each.incoming) for each in findings])
        pairs = zip(findings, shown, strict=True)
        return [ShownFinding(finding, space.name, *sides) for finding, sides in pairs if sides is not None]


def _is_shown(finding: Finding, ref: VersionRef, head: Head | None) -> bool:
    """The side still says what the finding is about; a confirmed one is told also after what was decided."""
    if head is None or head.state not in (State.LIVE, State.RETIRED):
        return False
    is_said = head.state is State.LIVE and head.current == ref.number
    return is_said or finding.state is FindingState.CONFIRMED
