"""What is committed names no machine and no registry, says each idea with the glossary's word, and has a README."""

from __future__ import annotations

import re
from pathlib import Path

from tests.architecture import tree

HOSTS = {
    "127.0.0.1",
    "169.254.169.254",
    "api.anthropic.com",
    "api.openai.com",
    "aws.amazon.com",
    "developers.openai.com",
    "docs.aws.amazon.com",
    "example.com",
    "github.com",
    "graphml.graphdrawing.org",
    "json-schema.org",
    "keepachangelog.com",
    "platform.claude.com",
    "semver.org",
    "spec.openapis.org",
    "www.apache.org",
    "www.apple.com",
    "www.rfc-editor.org",
}
URL_HOST = re.compile(r"https?://([\w.-]*\w)")
MACHINE = re.compile(
    r"(?<![\w.~$)}>])/(?:[w]ork|[r]oot|[h]ome/[a-z]|[U]sers/[a-z]|[o]pt/wheels|[t]mp/[a-z])|[.]{2}/shared|--[fi]n\w+-(?:url|links)"
)
TEXT = {"", ".md", ".py", ".toml", ".txt", ".json", ".service", ".plist", ".yml", ".yaml", ".cfg", ".sh"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
FOLDERS = ("layers", "functions", "infra", "events", "tests", "docs")


def test_nothing_that_is_committed_names_a_machine_or_a_registry() -> None:
    texts = {
        path: path.read_text("utf-8") for path in tree.committed() if path.suffix in TEXT and path.name != "Makefile"
    }

    hosts = {
        f"{path.name}: {host}" for path, text in texts.items() for host in URL_HOST.findall(text) if _is_foreign(host)
    }
    machines = {f"{path.name}: {found[0]}" for path, text in texts.items() for found in MACHINE.finditer(text)}

    assert hosts == set()
    assert machines == set()


def test_no_module_has_a_name_that_says_nothing() -> None:
    modules = tree.runtime() + tree.deployment() + tree.tests()

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


def _is_foreign(host: str) -> bool:
    return "." in host and not host.endswith((".example", ".invalid", ".test")) and host not in HOSTS


def _replaced_words() -> list[str]:
    """The last column of the glossary's tables: words in quotes."""
    glossary = (tree.ROOT / "docs/glossary.md").read_text("utf-8")
    rows = [line.rstrip("| ").rpartition("|")[2] for line in glossary.splitlines() if line.startswith("| ")]
    return [word for row in rows for word in re.findall(r"\"([a-z -]+)\"", row)]
