"""Small files and small functions, as CONTRIBUTING.md asks; what is larger has its reason in exceptions.toml."""

from __future__ import annotations

from tests.architecture import tree
from tests.architecture.tree import Module

CORE_LINES, OTHER_LINES, HARD_LINES, FUNCTION_LINES = 150, 250, 400, 30


def test_modules_hold_few_lines_of_code_or_say_why_not() -> None:
    sizes = {module.path: module.code_lines for module in _shipped() if module.code_lines > _aim(module)}

    assert {path: lines for path, lines in sizes.items() if lines > _allowed("modules", path)} == {}


def test_no_file_is_longer_than_four_hundred_lines_or_says_why() -> None:
    sizes = {module.path: module.lines for module in _shipped() + tree.tests() if module.lines > HARD_LINES}

    assert {path: lines for path, lines in sizes.items() if lines > _allowed("files", path)} == {}


def test_functions_are_short_or_say_why_not() -> None:
    sizes = {name: lines for name, lines in _functions().items() if lines > FUNCTION_LINES}

    assert {name: lines for name, lines in sizes.items() if lines > _allowed("functions", name)} == {}


def test_every_exception_has_a_reason_and_is_still_needed() -> None:
    modules = {module.path: module for module in _shipped() + tree.tests()}

    functions = _functions()

    listed = tree.exceptions()

    assert [path for path in listed["modules"] if modules[path].code_lines <= _aim(modules[path])] == []
    assert [path for path in listed["files"] if modules[path].lines <= HARD_LINES] == []
    assert [name for name in listed["functions"] if functions[name] <= FUNCTION_LINES] == []
    assert all(entry["why"] for table in listed.values() for entry in table.values())


def _aim(module: Module) -> int:
    return CORE_LINES if module.is_core else OTHER_LINES


def _allowed(table: str, name: str) -> int:
    return int(tree.exceptions()[table].get(name, {"lines": 0})["lines"])


def _functions() -> dict[str, int]:
    return {f"{module.path}:{name}": lines for module in _shipped() for name, lines in module.functions()}


def _shipped() -> tuple[Module, ...]:
    return tree.runtime() + tree.deployment()
