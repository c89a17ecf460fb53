"""Prove that a belief's versions are what was written."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller
from palimpsest.domain.belief import State
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import VersionRef
from palimpsest.usecases.readings import Link, Proof
from palimpsest.usecases.steps import Steps


@dataclass(frozen=True, slots=True)
class Prove:
    """Checks chains of content hashes."""

    steps: Steps

    def __call__(self, caller: Caller, ref: VersionRef) -> Proof:
        """The chain, oldest first; NotFound when the belief is unknown, in a foreign space or forgotten."""
        _, belief = self.steps.find(caller, ref.root)
        head = belief.head
        if head.state is State.FORGOTTEN:
            raise NotFound
        versions = self.steps.beliefs.versions_before(ref.root, head.count + 1, limit=head.count)[::-1]
        broken = set(lineage.broken_links(versions))
        links = tuple(
            Link(v.number, v.recorded_at, v.content_hash, v.previous_hash, position not in broken)
            for position, v in enumerate(versions, start=1)
        )
        return Proof(ref.root, links, not broken and len(versions) == head.count)
