"""Import every module of the package and every handler, and print what they do besides defining things.

Run by test_environment.py in an interpreter of its own. Only what our own code does counts: libraries read their files
and variables as they like.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from types import FrameType

WATCHED = ("open", "os.", "socket.", "sqlite3.", "subprocess.", "tempfile.", "shutil.", "_thread.start_new_thread")
STANDARD = ("<", __file__, sysconfig.get_path("stdlib"))
OTHERS = sysconfig.get_path("purelib")


class WatchedEnvironment(MutableMapping[str, str]):
    """The environment, telling of each look at it."""

    def __init__(self, real: MutableMapping[str, str], note: Callable[[str], None]) -> None:
        self._real = real
        self._note = note

    def __getitem__(self, name: str) -> str:
        self._note(f"reads {name}")
        return self._real[name]

    def __setitem__(self, name: str, value: str) -> None:
        self._note(f"sets {name}")
        self._real[name] = value

    def __delitem__(self, name: str) -> None:
        self._note(f"deletes {name}")
        del self._real[name]

    def __iter__(self) -> Iterator[str]:
        self._note("reads the environment")
        return iter(self._real)

    def __len__(self) -> int:
        return len(self._real)

    def copy(self) -> dict[str, str]:
        return dict(self)


def main(root: Path) -> None:
    """Print one line for each thing that should not have happened."""
    source, functions = root / "layers/memory/python", root / "functions"
    found: list[str] = []

    def note(what: str) -> None:
        frame = _responsible(sys._getframe(1))
        if frame is not None and frame.f_code.co_filename.startswith((str(source), str(functions))):
            found.append(f"{Path(frame.f_code.co_filename).relative_to(root)}:{frame.f_lineno}: {what}")

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith(WATCHED):
            note(f"{event} {arguments[0] if arguments else ''}")

    sys.path.insert(0, str(source))
    sys.dont_write_bytecode = True
    os.environ = WatchedEnvironment(os.environ, note)  # type: ignore[assignment]  # noqa: B003 - watched, not cleared
    sys.addaudithook(audit)
    for name in _modules(source):
        importlib.import_module(name)
    for handler in sorted(functions.glob("*/handler.py")):
        _import_file(f"functions.{handler.parent.name}.handler", handler)
    found.extend(f"a thread runs: {thread.name}" for thread in threading.enumerate()[1:])
    sys.stdout.writelines(f"{line}\n" for line in found)


def _modules(source: Path) -> Iterator[str]:
    for path in sorted((source / "palimpsest").rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        if parts[-1] != "__main__":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _import_file(name: str, path: Path) -> None:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _responsible(frame: FrameType | None) -> FrameType | None:
    """The nearest caller outside the standard library; None when it is the import system that is at work."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib"):
            return None
        if file.startswith(OTHERS) or not file.startswith(STANDARD):
            return frame
        frame = frame.f_back
    return None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
