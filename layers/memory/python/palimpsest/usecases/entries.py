"""Index entries from what the table holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from palimpsest.domain import timeline
from palimpsest.domain.belief import Head, State, Status
from palimpsest.domain.language import Linguist
from palimpsest.domain.traits import Traits
from palimpsest.domain.version import Version
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import Entry, Kind
from palimpsest.stores.beliefs import Beliefs
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.featurise import features_of

_READ_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Entries:
    """Makes entries; embeds nothing."""

    beliefs: Beliefs
    linguist: Linguist
    clock: Clock

    def of(self, wanted: Sequence[tuple[Head, Sequence[int]]], model: Model) -> Iterator[Entry]:
        """The entries of those versions of those beliefs, with the vectors there are under `model`.

        Versions that no codec can read are left out, since no surface can show them either.
        """
        none = np.empty((0, model.dimensions), np.float32)
        rest = ((head, number) for head, numbers in wanted for number in numbers)
        while some := list(islice(rest, _READ_AT_ONCE)):
            refs = [(head.root, number) for head, number in some]
            versions = self.beliefs.versions(refs, only_readable=True)
            vectors = self.beliefs.vectors_of(refs, model)
            for head, number in some:
                version = versions.get((head.root, number))
                if version is not None:
                    yield self._entry(head, version, vectors.get((head.root, number), none))

    def _status(self, head: Head, number: int) -> Status:
        """How it stands, where a version that today's recall may have to answer with counts as current."""
        is_in_question = head.state is State.LIVE and not timeline.is_settled(head, self.clock.now())
        return Status.CURRENT if is_in_question else head.status(number)

    def _entry(self, head: Head, version: Version, vectors: Vector) -> Entry:
        said = version.statement
        features = features_of(said.content, vectors, self.linguist).at(said.place)
        traits = Traits.of(said, head.annotations.tags)
        return Entry(
            key=entry_key(head.root, version.number),
            space=head.space,
            kind=Kind.MEMORY,
            status=self._status(head, version.number),
            memory_type=traits.memory_type,
            level=traits.level,
            labels=traits.labels,
            dated_at=traits.dated_at,
            terms=features.terms,
            length=features.length,
            vectors=vectors,
            revision=head.revision,
            said=features.said,
        )
