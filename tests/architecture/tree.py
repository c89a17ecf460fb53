"""The checkout as text: what the architecture tests read."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "layers/memory/python/palimpsest"
CORE = ("domain", "ports", "stores", "usecases", "jobs")


@dataclass(frozen=True)
class Module:
    """One file of Python source.

    Attributes:
        path: From the root of the checkout, with slashes.
    """

    path: str
    text: str

    @property
    def lines(self) -> int:
        """All lines."""
        return self.text.count("\n")

    @property
    def code_lines(self) -> int:
        """Lines that are neither blank nor comment nor docstring: nobody should save on those."""
        words = set(range(1, self.lines + 1))
        for node in ast.walk(self.syntax):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                words -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        text = self.text.splitlines()
        return sum(1 for number in words if (line := text[number - 1].strip()) and not line.startswith("#"))

    @property
    def is_core(self) -> bool:
        package = PACKAGE.relative_to(ROOT).as_posix()
        return any(self.path.startswith(f"{package}/{room}/") for room in CORE)

    @property
    def syntax(self) -> ast.Module:
        return ast.parse(self.text)

    def functions(self) -> Iterator[tuple[str, int]]:
        """Each function's name with its classes, and the lines of its body without the docstring."""
        yield from _functions(self.syntax, "")


@cache
def runtime() -> tuple[Module, ...]:
    """Every module that runs in the product: the package and the functions."""
    return _modules(PACKAGE) + _modules(ROOT / "functions")


@cache
def deployment() -> tuple[Module, ...]:
    """Every module of the deployment."""
    return _modules(ROOT / "infra")


@cache
def tests() -> tuple[Module, ...]:
    """Every module of the tests."""
    return _modules(ROOT / "tests")


@cache
def committed() -> tuple[Path, ...]:
    """Every file that is or would be committed."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode:  # an archive without its history
        return tuple(path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts)
    names = listing.stdout.decode().split("\0")
    return tuple(path for name in names if name and (path := ROOT / name).is_file())


def exceptions() -> dict[str, dict[str, dict[str, str | int]]]:
    """What may be otherwise, with reasons: ``exceptions.toml``."""
    with Path(__file__).with_name("exceptions.toml").open("rb") as file:
        return tomllib.load(file)


def _modules(folder: Path) -> tuple[Module, ...]:
    return tuple(
        Module(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in sorted(folder.rglob("*.py"))
    )


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, int]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}", _body_lines(child)
        name = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix
        yield from _functions(child, name)


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
