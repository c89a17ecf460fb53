"""What is committed names no machine and no registry, says each idea with the glossary's word, and has a README."""

from __future__ import annotations

import re
from pathlib import Path

from tests.architecture import tree

# Written in pieces, so that this file does not name what it forbids.
FOREIGN = re.compile(
    "|".join(
        (
            "py" r"pi\.org|python" r"hosted\.org|registry\.np" r"mjs\.org|crates\." r"io\b|proxy\.golang\." r"org",
            r"repo1?\.maven\." r"(?:apache\.)?org|deb\.debian\." r"org|--index-" r"url|--find-" r"links",
            r"(?<![\w.])/(?:wo" r"rk|ro" r"ot|home/[a-z]|Us" r"ers/[a-z]|opt/wh" r"eels|tm" r"p/[a-z])",
            r"\.\./sha" r"red",
        )
    )
)
TEXT = {"", ".md", ".py", ".toml", ".txt", ".json", ".service", ".plist", ".yml", ".yaml", ".cfg", ".sh"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
FOLDERS = ("layers", "functions", "events", "tests", "docs")


def test_nothing_that_is_committed_names_a_machine_or_a_registry() -> None:
    named = {
        f"{path.relative_to(tree.ROOT)}: {found[0]}"
        for path in tree.committed()
        if path.suffix in TEXT and path.name not in ("Makefile", Path(__file__).name)
        for found in FOREIGN.finditer(path.read_text("utf-8"))
    }

    assert named == set()


def test_no_module_has_a_name_that_says_nothing() -> None:
    modules = tree.runtime() + tree.tests()

    assert [module.path for module in modules if set(Path(module.path).with_suffix("").parts) & VAGUE] == []


def test_the_words_that_the_glossary_replaces_are_used_nowhere() -> None:
    replaced = _replaced_words()
    pattern = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, replaced))})s?(?![a-z])")
    pages = [path for path in tree.committed() if path.suffix == ".md" and path.name != "glossary.md"]
    texts = {module.path: module.text for module in tree.runtime()}
    texts |= {str(path.relative_to(tree.ROOT)): path.read_text("utf-8") for path in pages}

    used = {f"{path}: {found[0]}" for path, text in texts.items() for found in pattern.finditer(text.lower())}

    assert len(replaced) >= 10
    assert used == set()


def test_each_top_folder_says_in_thirty_lines_what_lives_there() -> None:
    pages = {name: tree.ROOT / name / "README.md" for name in FOLDERS if (tree.ROOT / name).is_dir()}

    assert {name for name, page in pages.items() if len(page.read_text("utf-8").splitlines()) > 30} == set()


def _replaced_words() -> list[str]:
    """The last column of the glossary's tables: words in quotes."""
    glossary = (tree.ROOT / "docs/glossary.md").read_text("utf-8")
    rows = [line.rstrip("| ").rpartition("|")[2] for line in glossary.splitlines() if line.startswith("| ")]
    return [word for row in rows for word in re.findall(r"\"([a-z -]+)\"", row)]
