"""What a document is, by what its sender says, else by its path."""

from __future__ import annotations

import pytest

from palimpsest.adapters.documents.readers import all_readers
from palimpsest.domain.library.media_types import MediaTypes

KNOWN = MediaTypes({ending: each for reader in all_readers() for ending, each in reader.endings.items()})


@pytest.mark.parametrize(
    ("path", "said", "expected"),
    [
        ("a/b.MD", None, "text/markdown"),
        ("a.html", "", "text/html"),
        ("a.html", "text/plain; charset=utf-8", "text/plain"),
        ("a.html", "Text/CSV", "text/csv"),
        ("a.eml", "application/octet-stream", "message/rfc822"),
        ("a.exe", "application/octet-stream", None),
        ("a.md", "image/png", None),
        ("notes", None, "text/plain"),
        ("v1.5/notes", None, "text/plain"),
        ("..\\..\\a.json", None, "application/json"),
        ("../../etc/passwd", None, "text/plain"),
        ("a.exe/../b.csv", None, "text/csv"),
    ],
)
def test_what_a_sender_says_comes_before_the_ending(path: str, said: str | None, expected: str | None) -> None:
    assert KNOWN.of(path, said) == expected


def test_each_ending_and_each_media_type_has_one_reader() -> None:
    endings = [ending for reader in all_readers() for ending in reader.endings]
    media_types = [each for reader in all_readers() for each in set(reader.endings.values())]

    assert len(set(endings)) == len(endings)
    assert len(set(media_types)) == len(media_types)
