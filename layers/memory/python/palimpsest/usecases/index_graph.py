"""Have the sources of a space read for entities, or entities that are one looked for."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound
from palimpsest.domain.graph.reading import ALL, OUTDATED
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.run import RunKind
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.begin_run import BeginRun
from palimpsest.usecases.runs import RunShown


@dataclass(frozen=True, slots=True)
class IndexGraph:
    """Begins runs over the graph."""

    spaces: Spaces
    begin: BeginRun

    def __call__(
        self, caller: Caller, space: str | None, *, is_anew: bool, idempotency: Idempotency | None = None
    ) -> RunShown:
        """The run, which has only been asked for when this returns.

        Args:
            caller: A writer; an owner for everything anew.
            space: Whose sources; the key's default space when None.
            is_anew: Everything, in place of what was found before; else what nobody has read, and what was read with
                another vocabulary, or by rules where there is a model.
            idempotency: The mark of a retry.

        Raises:
            NotAllowed: The key has not the role, or may not enter the space.
            NotFound: There is no such space.
        """
        caller.require(Role.OWNER if is_anew else Role.WRITER)
        kind, asked = (RunKind.REINDEX, ALL) if is_anew else (RunKind.INDEX, OUTDATED)
        return self.begin(caller, kind, self._space(caller, space), asked=asked, idempotency=idempotency)

    def resolve(
        self, caller: Caller, space: str | None, *, is_dry: bool = False, idempotency: Idempotency | None = None
    ) -> RunShown:
        """A run that looks for entities that are one; NotAllowed, NotFound as above."""
        caller.require(Role.WRITER)
        found = self._space(caller, space)
        return self.begin(caller, RunKind.RESOLVE_ENTITIES, found, asked="", is_dry=is_dry, idempotency=idempotency)

    def _space(self, caller: Caller, space: str | None) -> Space:
        found = self.spaces.find(caller.require_space(space))
        if found is None:
            raise NotFound("space")
        return found
