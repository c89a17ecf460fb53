"""Compare two versions of a belief."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import State
from palimpsest.domain.diff import diff
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import VersionRef
from palimpsest.usecases.readings import Diff
from palimpsest.usecases.steps import Steps


@dataclass(frozen=True, slots=True)
class Compare:
    """Compares versions."""

    steps: Steps

    def __call__(self, caller: Caller, ref: VersionRef, *, older: int | None, newer: int | None) -> Diff:
        """The word diff from `older` (default: the version before `newer`) to `newer` (default: the current one).

        Raises:
            NotFound: The belief is unknown, in a foreign space or forgotten, or has no such version.
        """
        _, belief = self.steps.find(caller, ref.root)
        if belief.head.state is State.FORGOTTEN:
            raise NotFound
        end = belief.head.current if newer is None else newer
        start = max(1, end - 1) if older is None else older
        versions = self.steps.beliefs.versions([(ref.root, start), (ref.root, end)])
        if (ref.root, start) not in versions or (ref.root, end) not in versions:
            raise NotFound("version")
        if self.steps.sources.hidden(versions.values()):
            raise NotFound
        texts = [versions[ref.root, number].statement.content for number in (start, end)]
        return Diff(ref.root, start, end, diff(*texts))
