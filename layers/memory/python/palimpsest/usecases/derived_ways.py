"""From a memory to what it was made from and what was made from it.

Not to the turn that it was learned from: of the two only the better is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from typing import Final

from palimpsest.domain.belief import State
from palimpsest.domain.graph.links import MemorySource, Source
from palimpsest.domain.ids import RootId, SpaceId, parse_reference
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.derivations import Derivations
from palimpsest.stores.leads import Lead, Ref
from palimpsest.usecases.side_by_side import side_by_side

_MADE: Final = 5
"""Memories made from one that are looked at."""


@dataclass(frozen=True, slots=True)
class DerivedWays:
    """Finds them: a short list for each memory, then a batch of heads where there are any.

    Attributes:
        executor: Where the lists are read, side by side; None: in turn, since nobody waits for a network.
    """

    beliefs: Beliefs
    derivations: Derivations
    executor: Executor | None

    def __call__(
        self, space: SpaceId, refs: Sequence[Ref], leads: Mapping[Ref, Lead], seconds: float
    ) -> dict[Ref, list[Source]]:
        """Of each source those of the space, memories as they are now.

        Raises:
            TimeoutError: The lists took more than `seconds`.
        """
        memories = [ref for ref in refs if ref[1]]
        made = side_by_side(self._made_from, memories, self.executor, seconds)
        told = {ref: leads[ref].made_from if ref in leads else () for ref in memories}
        near = {ref: list(dict.fromkeys([*_roots(told[ref]), *made[ref]])) for ref in memories}
        roots = list(dict.fromkeys(root for some in near.values() for root in some))
        heads = self.beliefs.heads(roots, only_readable=True) if roots else {}
        live = {root: head for root, head in heads.items() if head.space == space and head.state is State.LIVE}
        return {ref: [MemorySource(root, live[root].current) for root in near[ref] if root in live] for ref in memories}

    def _made_from(self, ref: Ref) -> list[RootId]:
        return list(islice(self.derivations.made_from(ref[0]), _MADE))


def _roots(made_from: Sequence[str]) -> Iterator[RootId]:
    return (ref.root for ref in map(parse_reference, made_from) if ref is not None)
