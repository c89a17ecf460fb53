"""Read one memory, or one version of it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Memory, State
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import VersionRef
from palimpsest.usecases.steps import Steps


@dataclass(frozen=True, slots=True)
class Read:
    """Reads memories."""

    steps: Steps

    def __call__(self, caller: Caller, ref: VersionRef, *, include_forgotten: bool = False) -> Memory:
        """The version that `ref` names, the current one when it names none.

        Raises:
            NotFound: Unknown, in a foreign space, or forgotten and not asked for, itself or what it was made from.
            NotAllowed: Forgotten ones are for writers.
        """
        if include_forgotten:
            caller.require(Role.WRITER)
        memory = self.steps.show(caller, ref.root, ref.number)
        if memory.head.state is State.FORGOTTEN and not include_forgotten:
            raise NotFound
        if not include_forgotten:
            self.steps.sources.require_shown(memory.version)
        return memory
