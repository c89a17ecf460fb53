"""Beliefs in the table: each step one transaction on the head that was read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from palimpsest.domain.belief import Head
from palimpsest.domain.errors import ConditionFailed, Erased, NotFound, RequestRepeated, TextTaken, VersionMissing
from palimpsest.domain.ids import RootId
from palimpsest.domain.lineage import Step
from palimpsest.domain.traits import Traits
from palimpsest.domain.version import Version
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Check, Equals, Item, Put, Query, Table
from palimpsest.stores import belief_codec, changes, events, keys, vectors
from palimpsest.stores.changes import Features
from palimpsest.stores.codec import readable
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.events import Event
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.standing import IS_THERE
from palimpsest.stores.texts import Texts, Words, handed_over


@dataclass(frozen=True, slots=True)
class Belief:
    """A head, its current version, and that version's vectors, shape (n, dimensions); n = 0 when there are none."""

    head: Head
    current: Version
    vectors: Vector


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Reads beliefs and commits steps. `model`: whose vectors are read and written."""

    table: Table
    deployment: Deployment
    ids: Ids
    model: Model

    def heads(self, roots: Sequence[RootId], *, only_readable: bool = False) -> dict[RootId, Head]:
        """The heads that exist, strongly read; `only_readable`: without those that no codec can read."""
        found = self.table.get([keys.head(root) for root in roots]).items.values()
        return {head.root: head for head in (readable if only_readable else map)(belief_codec.read_head, found)}

    def read(self, root: RootId) -> Belief:
        """The belief as it stands; NotFound when there is none; Erased, or VersionMissing for a lost version."""
        head = self.heads([root]).get(root)
        if head is None:
            raise NotFound
        if head.state.is_erased:
            raise Erased(head.space)
        places = [keys.version(root, head.current), keys.vectors(root, self.model, head.current)]
        found = self.table.get(places).items
        version, stored = found.get(places[0]), found.get(places[1])
        if version is None:
            if self.heads([root])[root].state.is_erased:  # since it was read
                raise Erased(head.space)
            raise VersionMissing(*places[0], space=head.space, number=head.current)
        return Belief(
            head,
            belief_codec.read_version(version),
            self.no_vectors() if stored is None else vectors.read(stored),
        )

    def versions(
        self, refs: Sequence[tuple[RootId, int]], *, only_readable: bool = False
    ) -> dict[tuple[RootId, int], Version]:
        """The versions that exist among `refs`; `only_readable`: without those that no codec can read."""
        found = self.table.get([keys.version(*ref) for ref in refs]).items.values()
        versions = (readable if only_readable else map)(belief_codec.read_version, found)
        return {(version.root, version.number): version for version in versions}

    def heads_and_versions(
        self, refs: Sequence[tuple[RootId, int]]
    ) -> tuple[dict[RootId, Head], dict[tuple[RootId, int], Version]]:
        """Both for each ref, strongly read in one batch; without those that no codec can read."""
        places = [keys.head(root) for root, _ in refs] + [keys.version(root, number) for root, number in refs]
        found = self.table.get(list(dict.fromkeys(places))).items
        known = readable(belief_codec.read_head, (stored for place, stored in found.items() if place.sk == "H"))
        heads = {head.root: head for head in known}
        versions = readable(belief_codec.read_version, (each for place, each in found.items() if place.sk != "H"))
        return heads, {(v.root, v.number): v for v in versions if v.root in heads}

    def vectors_of(self, refs: Sequence[tuple[RootId, int]], model: Model) -> dict[tuple[RootId, int], Vector]:
        """The vectors that exist for `refs` under `model`."""
        places = {keys.vectors(root, model, number): (root, number) for root, number in refs}
        found = self.table.get(list(places)).items
        return {places[place]: vectors.read(stored) for place, stored in found.items()}

    def versions_before(self, root: RootId, number: int, *, limit: int) -> list[Version]:
        """At most `limit` versions below `number`, newest first."""
        low, high = keys.version_range(max(1, number - limit), number - 1)
        query = Query(f"M#{root}", low=low, high=high, descending=True, consistent=True)
        return [belief_codec.read_version(stored) for stored in self._everything(query)]

    def events_between(self, root: RootId, low: int, high: int, *, limit: int) -> list[Event]:
        """The newest `limit` events with revisions from `low` to `high`, newest first."""
        bounds = keys.event_range(low, high)
        query = Query(f"M#{root}", low=bounds[0], high=bounds[1], descending=True, limit=limit, consistent=True)
        return [events.read(stored) for stored in self._everything(query, limit=limit)]

    def find_text(self, space: Space, words: Words) -> list[RootId]:
        """Live beliefs of the space whose current words are the same, white space aside, and of the same one."""
        return self.texts.find(space, words)

    def no_vectors(self) -> Vector:
        """Shape (0, dimensions)."""
        return np.empty((0, self.model.dimensions), np.float32)

    def commit(
        self,
        step: Step,
        space: Space,
        features: Features | None,
        *,
        text_before: Words | None,
        answer: Put | None = None,
    ) -> Step:
        """Write one step: `commit_all` of `Move(step, space, features, text_before)` alone."""
        return self.commit_all([Move(step, space, features, text_before)], answer=answer)[0]

    def commit_all(
        self, moves: Sequence[Move], *, also: Sequence[Guarded] = (), answer: Put | None = None
    ) -> list[Step]:
        """Write steps of different beliefs as one transaction, and give them as they were written.

        Args:
            also: Further writes, each with the failure that its condition stands for.
            answer: The idempotency record of the request.

        Raises:
            HeadMoved: Another step of one of the beliefs came first.
            TextTaken: A new belief, and another one of the space says the same.
            RequestRepeated: The same request was answered meanwhile.
        """
        owned = handed_over([(each, at) for at, move in enumerate(moves) for each in self._writes(move)])
        writes: list[Guarded] = [*(each for each, _ in owned), *also]
        if answer is not None:
            writes.append((answer, RequestRepeated))
        try:
            self.table.transact([write for write, _ in writes])
        except ConditionFailed as error:
            reason = _reason([writes[position][1] for position in error.failed])
            taken = {owned[at][1] for at in error.failed if writes[at][1] is TextTaken}
            if reason is not TextTaken or any(moves[at].step.before is None for at in taken):
                raise reason(error.failed) from error
            moves = [move.without_text() if at in taken else move for at, move in enumerate(moves)]
            return self.commit_all(moves, also=also, answer=answer)
        return [move.step for move in moves]

    def announce(
        self, head: Head, space: Space, features: Features, now: datetime, traits: Traits | None = None
    ) -> None:
        """Write a fresh row of the change log for a belief as it is. It is no step; nothing when one came meanwhile."""
        partition = LogPartition(space.id, keys.shard_of(head.root, space.write_shards))
        place = self.ids.ulid()
        told = partition, place, head.root, head.revision, head.current, now, features
        is_so = Check(keys.head(head.root), Equals("revision", head.revision))
        row = changes.row(*told, model=keys.model_digest(self.model), traits=traits, tags=head.annotations.tags)
        with suppress(ConditionFailed):
            self.table.transact([is_so, row, changes.named(head.root, place, head.revision)])

    def add_vectors(self, made: dict[tuple[RootId, int], Vector], model: Model) -> None:
        """Keep vectors beside their versions, unless those are erased; a version's under one model never change."""
        for (root, number), made_of_it in made.items():
            stored = Put(vectors.to_item(root, number, model, made_of_it))
            with suppress(ConditionFailed):
                self.table.transact([Check(keys.head(root), IS_THERE), stored])

    def _writes(self, move: Move) -> list[Guarded]:
        return [*move.writes(self.ids.ulid(), self.model), *self.texts.writes(move.space, *move.texts())]

    @property
    def texts(self) -> Texts:
        """The records of texts."""
        return Texts(self.table, self.deployment)

    def _everything(self, query: Query, limit: int | None = None) -> list[Item]:
        found: list[Item] = []
        cursor = None
        while True:
            page = self.table.query(replace(query, after=cursor))
            found += page.items
            cursor = page.next_cursor
            if cursor is None or (limit is not None and len(found) >= limit):
                return found[:limit]


def _reason(failed: list[type[ConditionFailed]]) -> type[ConditionFailed]:
    """The failure that decides: a repeated request is answered from its record, whatever else failed."""
    order = (RequestRepeated, *(reason for reason in failed if reason is not TextTaken), TextTaken)
    return next(reason for reason in order if reason in failed)
