"""What a folder's `.gitignore` files leave out, by git's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_FILE: Final = ".gitignore"


@dataclass(frozen=True, slots=True)
class Ignored:
    """The rules that hold in a folder, the nearest last. `rules`: each with the folder in which it stands."""

    rules: Sequence[tuple[Path, GitIgnoreSpec]] = ()

    @classmethod
    def around(cls, folder: Path) -> Ignored:
        """Those of the folders above, up to the one that is a repository of git; none where there is no such folder."""
        whole = folder.resolve()
        above = [whole, *whole.parents]
        root = next((place for place, each in enumerate(above) if (each / ".git").exists()), 0)
        found = cls()
        for each in reversed(above[1 : root + 1]):
            found = found.below(each)
        return found

    def below(self, folder: Path) -> Ignored:
        """With the rules of a folder that lies in the one before."""
        try:
            lines = (folder / _FILE).read_text("utf-8", "replace").splitlines()
        except OSError:
            return self
        from pathspec import GitIgnoreSpec

        return Ignored([*self.rules, (folder.resolve(), GitIgnoreSpec.from_lines(lines))])

    def has(self, path: Path, *, is_folder: bool) -> bool:
        """It is left out: the nearest rule that says anything of it decides, and of its file the last one."""
        place = path.parent.resolve() / path.name
        for folder, spec in reversed(self.rules):
            named = place.relative_to(folder).as_posix() + ("/" if is_folder else "")
            said = spec.check_file(named).include
            if said is not None:
                return said
        return False
