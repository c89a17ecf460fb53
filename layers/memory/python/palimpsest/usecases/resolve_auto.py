"""Have the model decide the conflicts of a space: a run, which can be approved, stopped and undone."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.run import RunKind
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.begin_run import BeginRun
from palimpsest.usecases.runs import RunShown


@dataclass(frozen=True, slots=True)
class ResolveAuto:
    """Begins such runs. `has_model`: there is one to ask."""

    spaces: Spaces
    begin: BeginRun
    has_model: bool

    def __call__(
        self,
        caller: Caller,
        space: str | None,
        *,
        is_dry: bool = False,
        idempotency: Idempotency | None = None,
    ) -> RunShown:
        """The run, which has only been asked for when this returns. It decides with the trust of the caller's key.

        Raises:
            NotAllowed: The key is no writer's, or may not enter the space.
            WrongState: There is no model.
            NotFound: There is no such space.
        """
        caller.require(Role.WRITER)
        name = caller.require_space(space)
        if not self.has_model:
            raise WrongState(
                "off", "this installation has no language model (PALIMPSEST_MODEL=off) to decide conflicts"
            )
        found = self.spaces.find(name)
        if found is None:
            raise NotFound("space")
        asked = caller.max_trust.value
        return self.begin(caller, RunKind.RESOLVE_AUTO, found, asked=asked, is_dry=is_dry, idempotency=idempotency)
