"""Forget or erase many at once, by what they are: a run, which can be looked at before, approved and stopped."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.language import Linguist
from palimpsest.domain.run import RunKind
from palimpsest.domain.selection import Selection
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases import selecting
from palimpsest.usecases.begin_run import BeginRun
from palimpsest.usecases.naming_memories import NamingMemories
from palimpsest.usecases.runs import RunShown


@dataclass(frozen=True, slots=True)
class ChangeMany:
    """Begins runs of one kind over a selection. `role`: who may."""

    spaces: Spaces
    begin: BeginRun
    linguist: Linguist
    naming: NamingMemories
    kind: RunKind
    role: Role

    def __call__(
        self,
        caller: Caller,
        space: str | None,
        selection: Selection,
        *,
        is_dry: bool = False,
        idempotency: Idempotency | None = None,
    ) -> RunShown:
        """The run, which has only been asked for when this returns.

        Raises:
            NotAllowed: The key has not the role, or may not enter the space.
            NotFound: There is no such space, or in it no such entity.
            Invalid: The selection means everything, its words have none to look for, or its dates are reversed.
        """
        caller.require(self.role)
        selection.require_meaning()
        selecting.require_words(selection.words, self.linguist)
        found = self.spaces.find(caller.require_space(space))
        if found is None:
            raise NotFound("space")
        if selection.entity is not None and self.begin.earlier(caller, idempotency) is None:
            self._require_entity(found, selection.entity)  # the run of an earlier request may have taken it away
        asked = selecting.written(selection)
        return self.begin(caller, self.kind, found, asked=asked, is_dry=is_dry, idempotency=idempotency)

    def _require_entity(self, space: Space, entity: str) -> None:
        if not self.naming.group(space.id, entity):
            raise NotFound("entity")
