"""What blobs are on one machine's disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.domain.errors import BlobsUnavailable


def modes(folder: Path) -> dict[str, int]:
    return {path.relative_to(folder).as_posix(): path.stat().st_mode & 0o777 for path in folder.rglob("*")}


def test_nobody_else_may_look_into_them(tmp_path: Path) -> None:
    BlobFiles(tmp_path / "ledger").put("erased/one", b"")

    assert modes(tmp_path) == {"ledger": 0o700, "ledger/erased": 0o700, "ledger/erased/one": 0o600}


def test_what_a_put_that_was_killed_left_is_never_listed_and_goes_with_its_key(tmp_path: Path) -> None:
    blobs = BlobFiles(tmp_path)
    blobs.put("documents/one", b"whole")
    blobs.put("documents/one.b", b"another")
    for name in (".one.0123456789abcdef.new", ".one.b.0123456789abcdef.new"):
        (tmp_path / "documents" / name).write_bytes(b"half of it")

    assert blobs.list("").keys == ("documents/one", "documents/one.b")
    blobs.delete("documents/one")

    left = sorted(path.name for path in (tmp_path / "documents").iterdir())
    assert left == [".one.b.0123456789abcdef.new", "one.b"]


def test_a_folder_that_is_a_file_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("")
    blobs = BlobFiles(tmp_path / "ledger")

    for use in (lambda: blobs.put("a/b", b""), lambda: blobs.list(""), lambda: blobs.size("a")):
        with pytest.raises(BlobsUnavailable, match="ledger can't be used"):
            use()
