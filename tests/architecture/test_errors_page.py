"""docs/reference/errors.md tells of every problem, and of no other."""

from __future__ import annotations

import ast
import re

from palimpsest.api import problem
from palimpsest.domain.errors import PalimpsestError
from tests.architecture import tree

REASON = re.compile(r"index_[a-z]+")
NO_REASONS = {"index_options"}  # the name of something else
SECTION = re.compile(r"^## ([a-z-]+)\n\n\*\*(\d{3}) (.+?)\.\*\* (\S[^#]+)", re.MULTILINE)


def test_the_page_has_a_section_for_each_type_of_problem_with_its_status_and_title() -> None:
    told = {slug: (int(status), title) for slug, status, title, _ in SECTION.findall(_page())}

    kinds = {problem.slug(error): kind for error, kind in problem.KINDS.items()} | {"internal-error": problem.INTERNAL}

    assert told == {slug: (kind.status, kind.title) for slug, kind in kinds.items()}


def test_every_error_that_can_be_raised_has_a_section_or_is_named_in_one() -> None:
    page = _page()

    untold = {error.__name__ for error in _tree(PalimpsestError) if error not in problem.KINDS}

    assert {name for name in untold if f"`{name}`" not in page} == set()


def test_the_page_tells_every_reason_for_which_the_index_fails_and_no_other() -> None:
    strings = {
        node.value
        for module in tree.runtime()
        for node in ast.walk(module.syntax)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    told = re.findall(r"^\| `(index_[a-z]+)` \|", _page(), re.MULTILINE)

    assert told == sorted({each for each in strings if REASON.fullmatch(each)} - NO_REASONS)


def _page() -> str:
    return (tree.ROOT / "docs/reference/errors.md").read_text("utf-8")


def _tree(error: type[Exception]) -> set[type[Exception]]:
    ours = {error} if error.__module__.startswith("palimpsest.") else set()
    return ours.union(*(_tree(child) for child in error.__subclasses__()))
