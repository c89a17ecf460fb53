"""Show what is known about the owner of a space."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.profile import MOST, Profile, Profiled


@dataclass(frozen=True, slots=True)
class ShowProfile:
    """Shows profiles."""

    profile: Profile
    spaces: Spaces

    def __call__(self, caller: Caller, space: str | None, most: int = MOST) -> tuple[str, Profiled]:
        """The space's name and its profile, with at most `most` lines; an empty one where nothing was written yet.

        Raises:
            NotAllowed: The key may not enter the space.
        """
        name = caller.require_space(space)
        found = self.spaces.find(name)
        return name, Profiled() if found is None else self.profile(found, most)
