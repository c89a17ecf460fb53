"""Which files `palimpsest add` sends, under which paths, and what it says of the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.local.cli.file_choice import LIMIT_BYTES, REQUEST_BYTES, Chosen, LeftOut, chosen


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / "deep" / "pears.md").write_text("Pears", "utf-8")
    (notes / "apples.md").write_text("Jabłka", "utf-8")
    return notes


def paths(given: Path, here: Path, named: str | None = None) -> list[str]:
    return [each.path for each in chosen(given, here, named)]


def test_of_a_folder_all_text_files_are_sent_in_order_with_those_below_it(folder: Path) -> None:
    assert list(chosen(folder, folder.parent)) == [
        Chosen("notes/apples.md", folder / "apples.md", 7),
        Chosen("notes/deep/pears.md", folder / "deep" / "pears.md", 5),
    ]


def test_a_path_is_relative_to_where_the_command_runs_and_else_tells_nothing_of_the_machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)

    assert paths(Path(), folder) == ["apples.md", "deep/pears.md"]
    assert paths(folder / "deep" / "pears.md", folder) == ["deep/pears.md"]
    assert paths(folder, folder / "deep") == ["notes/apples.md", "notes/deep/pears.md"]
    assert paths(folder / "apples.md", folder / "deep") == ["apples.md"]


def test_another_name_stands_for_the_path_of_a_file_and_before_those_of_a_folder(folder: Path) -> None:
    assert paths(folder / "apples.md", folder, "fruit.md") == ["fruit.md"]
    assert paths(folder, folder, "fruit/") == ["fruit/apples.md", "fruit/deep/pears.md"]


def test_what_is_not_sent_of_a_folder_is_told_with_its_reason(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("outside", "utf-8")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "never.md").write_text("never", "utf-8")
    (folder / "binary.bin").write_bytes(b"\xff\xfe\x00")
    (folder / "empty.md").write_bytes(b" \n")
    (folder / "inside.md").symlink_to(folder / "apples.md")
    with (folder / "large.txt").open("wb") as large:
        large.truncate(LIMIT_BYTES + 1)
    (folder / "nul.txt").write_bytes(b"a\0b")
    (folder / "out.md").symlink_to(tmp_path / "secret.md")
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)

    told = [each for each in chosen(folder, tmp_path) if isinstance(each, LeftOut)]

    assert told == [
        LeftOut("notes/.hidden", "hidden"),
        LeftOut("notes/binary.bin", "no text in UTF-8"),
        LeftOut("notes/empty.md", "empty"),
        LeftOut("notes/large.txt", "over 100 MB"),
        LeftOut("notes/nul.txt", "no text in UTF-8"),
        LeftOut("notes/out.md", "a link out of the folder"),
        LeftOut("notes/up", "a link to a folder"),
    ]


def test_a_folder_that_can_not_be_read_is_told_and_the_others_are_sent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = Path.iterdir

    def locked(place: Path) -> Iterator[Path]:
        if place.name == "deep":
            raise PermissionError(13, "Permission denied")
        return inside(place)

    monkeypatch.setattr(Path, "iterdir", locked)

    assert list(chosen(folder, folder.parent)) == [
        Chosen("notes/apples.md", folder / "apples.md", 7),
        LeftOut("notes/deep", "it can't be read"),
    ]
    assert list(chosen(folder / "deep", folder.parent)) == [LeftOut("notes/deep", "it can't be read", is_refused=True)]


def test_a_format_that_says_its_charset_need_not_be_utf_8(folder: Path) -> None:
    (folder / "page.HTML").write_bytes(b"<p>caf\xe9")

    assert Chosen("page.HTML", folder / "page.HTML", 7) in list(chosen(folder / "page.HTML", folder))


def test_what_was_named_and_can_not_be_sent_is_refused(folder: Path) -> None:
    (folder / "empty.md").write_bytes(b"")

    assert list(chosen(folder / "empty.md", folder)) == [LeftOut("empty.md", "empty", is_refused=True)]
    assert [each.is_refused for each in chosen(folder / "none.md", folder) if isinstance(each, LeftOut)] == [True]


def test_a_large_file_is_uploaded_and_only_its_beginning_is_looked_at(folder: Path) -> None:
    (folder / "apples.md").write_bytes(b"a" * (REQUEST_BYTES - 1) + "ż".encode() * 10)
    (folder / "deep" / "pears.md").write_bytes(b"a" * REQUEST_BYTES)

    found = [each for each in chosen(folder, folder.parent) if isinstance(each, Chosen)]

    assert [(each.path, each.is_large) for each in found] == [("notes/apples.md", True), ("notes/deep/pears.md", False)]
