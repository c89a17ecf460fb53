"""Each decision fills one page of a known form, and no runtime dependency comes in without one."""

from __future__ import annotations

import re
import tomllib

from tests.architecture import tree

FOLDER = tree.ROOT / "docs/adr"
FORM = ["## Context", "## Decision", "## Consequences", "## Alternatives"]
HELD_BACK = {"python-dateutil"}  # not ours: named to hold its version where botocore can use it


def test_every_decision_has_the_four_parts_and_decides_in_one_sentence() -> None:
    for page in sorted(FOLDER.glob("0*.md")):
        text = page.read_text("utf-8")
        decision = text.partition("## Decision")[2].partition("## Consequences")[0].strip()

        assert re.findall(r"^## .*", text, re.MULTILINE) == FORM, page.name
        assert not re.search(r"[.!?]\s", decision), page.name
        assert len(text.splitlines()) <= 60, page.name


def test_the_list_of_decisions_names_every_page() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")

    assert re.findall(r"\((0\d{3}-[a-z0-9-]+\.md)\)", index) == sorted(page.name for page in FOLDER.glob("0*.md"))


def test_every_runtime_dependency_has_a_decision() -> None:
    with (tree.ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    wanted = project["dependencies"] + [one for extra in project["optional-dependencies"].values() for one in extra]
    names = {re.split(r"[<>=\[]", requirement)[0].lower() for requirement in wanted} - HELD_BACK

    decided = {page.stem[5:] for page in FOLDER.glob("0*.md")}

    assert names - decided == set()
