"""What `.gitignore` files leave out of a folder, as git does it, and what is sent again of a followed folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from pathlib import Path

import pytest

from palimpsest.local.cli.file_choice import Chosen, LeftOut, chosen
from palimpsest.local.cli.progress import Progress
from palimpsest.local.cli.watching import Changed, looks


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    for name in ("notes/deep/a.md", "notes/deep/b.md", "notes/draft.md", "build/out.md", "notes/keep.tmp.md", "top.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("apples", "utf-8")
    (root / ".git").mkdir()
    (root / ".gitignore").write_text("build/\n*.tmp.md\n/top.md\n", "utf-8")
    (root / "notes" / ".gitignore").write_text("draft.md\n!keep.tmp.md\ndeep/*\n!deep/b.md\n", "utf-8")
    return root


def sent(folder: Path) -> list[str]:
    return [each.path for each in chosen(folder, folder) if isinstance(each, Chosen)]


def test_what_git_ignores_is_left_out_and_the_nearest_file_decides(checkout: Path) -> None:
    assert sent(checkout) == ["notes/deep/b.md", "notes/keep.tmp.md"]
    left = [each for each in chosen(checkout, checkout) if isinstance(each, LeftOut) and each.reason != "hidden"]
    assert left == [LeftOut(path, "in .gitignore") for path in ("build", "notes/deep/a.md", "notes/draft.md", "top.md")]


def test_rules_above_a_folder_hold_in_it_up_to_the_repository(checkout: Path) -> None:
    (checkout.parent / ".gitignore").write_text("*.md\n", "utf-8")

    assert sent(checkout / "notes") == ["deep/b.md", "keep.tmp.md"]


def test_a_file_that_is_named_is_sent_whatever_git_ignores(checkout: Path) -> None:
    assert sent(checkout / "top.md") != []


def test_of_a_folder_that_is_followed_only_what_changed_is_sent_again(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("apples", "utf-8")
    (tmp_path / "empty.md").write_text("", "utf-8")
    changed = Changed()

    def look() -> list[str]:
        return [each.path for each in changed.of(chosen(tmp_path, tmp_path))]

    first, second = look(), look()
    (tmp_path / "b.md").write_text("pears and plums", "utf-8")
    (tmp_path / "c.md").write_text("plums", "utf-8")
    os.utime(tmp_path / "a.md", ns=(1, 1))
    third = look()

    assert (first, second, third) == (["a.md", "b.md", "empty.md"], [], ["a.md", "b.md", "c.md"])


def test_who_does_not_watch_looks_once_and_who_does_after_each_pause() -> None:
    pauses: Iterator[None] = iter(())
    paused: list[object] = [pauses]

    assert len(list(looks(lambda: paused.append(1), is_watching=False))) == 1
    assert len(list(islice(looks(lambda: paused.append(1), is_watching=True), 4))) == 4
    assert len(paused) == 4


def test_a_bar_is_for_terminals_and_for_more_than_one() -> None:
    shown, silent, alone = StringIO(), StringIO(), StringIO()
    bar = Progress(shown, 4, 40)
    for name in ("a.md", "b.md", "c.md"):
        bar.step(name)
    Progress(silent, 4, None).step("a.md")
    Progress(alone, 1, 40).step("a.md")

    assert shown.getvalue().endswith("\r\x1b[K[##########          ] 2/4 c.md")
    assert (silent.getvalue(), alone.getvalue()) == ("", "")


def test_of_one_alone_a_bar_says_that_it_takes_its_time() -> None:
    shown, silent = StringIO(), StringIO()

    Progress(shown, 1, 40).at(0, "reading a.md")
    Progress(silent, 1, None).at(0, "reading a.md")

    assert (shown.getvalue(), silent.getvalue()) == ("\r\x1b[K[                    ] 0/1 reading a.md", "")
