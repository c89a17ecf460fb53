"""Shells complete the command line as the parser has it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from palimpsest.local.cli.completing import SHELLS, commands, script
from palimpsest.local.cli.parser import VERBS, build_parser

BASH = shutil.which("bash") or "bash"


def completed(folder: Path, *words: str) -> set[str]:
    """What bash offers for the last word."""
    file = folder / "palimpsest.bash"
    file.write_text(script("bash", build_parser()), "utf-8")
    line = " ".join(f"'{word}'" for word in ("palimpsest", *words))
    asked = f"source '{file}'; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _palimpsest; echo \"${{COMPREPLY[@]}}\""
    done = subprocess.run([BASH, "-c", asked], capture_output=True, text=True, timeout=20, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("re",), {"recall", "restore", "resolve-auto", "revert", "rebuild-index", "reindex"}),
        (("--space", "home", "hi"), {"history"}),
        (("keys", ""), {"list", "create", "rotate", "revoke"}),
        (("keys", "create", "--ro"), {"--role"}),
        (("keys", "create", "--role", ""), {"reader", "writer", "owner"}),
        (("list", "--status", "f"), {"forgotten"}),
        (("list", "--q", ""), set()),
        (("completion", ""), {"bash", "zsh", "fish"}),
        (("save", "a text", "--t"), {"--type", "--tag", "--trust", "--timeout"}),
    ],
)
def test_bash_offers_what_may_follow(tmp_path: Path, words: tuple[str, ...], offered: set[str]) -> None:
    found = completed(tmp_path, *words)

    assert found == offered or (
        words[-1] == "" and offered <= found and all(w.startswith("--") for w in found - offered)
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_names_every_verb_and_option(shell: str) -> None:
    text = script(shell, build_parser())

    assert [verb.name for verb in VERBS if verb.name not in text] == []
    options = {option.name for command in commands(build_parser()) for option in command.options}
    assert [name for name in options if name.removeprefix("--") not in text] == []
