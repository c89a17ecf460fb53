"""Index files that are damaged, foreign, of another release, locked or changed by another process."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.traits import tag_labels
from tests.contract.search_index.sample import HERE, MODEL, entry, generation, keys, removals, search, vectors

GENERATION = generation(1)
ROOT = Path(__file__).parents[3]
WRITER = """
import sys
from pathlib import Path
from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from tests.contract.search_index.sample import HERE, entry, generation, removals
indexes = EmbeddedIndexes(Path(sys.argv[1]))
index = indexes.open(generation(1))
name = sys.argv[2]
for number in range(40):
    index.upsert([entry(f"{name}-{number:02d}", "kot", number)])
index.remove(HERE, removals(*[f"{name}-{number:02d}" for number in range(20)], "ours"))
indexes.close()
"""


@pytest.fixture
def indexes(tmp_path: Path) -> Iterator[EmbeddedIndexes]:
    indexes = EmbeddedIndexes(tmp_path / "index")
    indexes.create(GENERATION).upsert([entry("ours", "kot", 1)])
    yield indexes
    indexes.close()


@pytest.fixture
def file(indexes: EmbeddedIndexes, tmp_path: Path) -> Path:
    """The file at rest: nobody has it open."""
    indexes.close()
    return tmp_path / "index" / f"index-{GENERATION.id}.db"


def test_a_generation_is_one_file_that_only_its_owner_may_read(file: Path) -> None:
    assert [path.name for path in file.parent.iterdir()] == [f"index-{GENERATION.id}.db"]
    assert file.stat().st_mode & 0o077 == 0


def test_what_another_process_wrote_and_removed_is_seen(indexes: EmbeddedIndexes, tmp_path: Path) -> None:
    index = indexes.open(GENERATION)
    assert keys(index.vector(search("", 1))) == ["ours"]

    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, tmp_path / "index", name], cwd=ROOT, env=_environment())
        for name in ("one", "two")
    ]
    for number in range(30):
        index.upsert([entry("third", "kot", number)])
        assert len(index.vector(search("kot", 1))) >= 1
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]

    expected = sorted([f"{name}-{number:02d}" for name in ("one", "two") for number in range(20, 40)] + ["third"])
    assert sorted(keys(index.vector(search("", 1)))) == expected
    assert sorted(keys(index.keyword(search("kot")).candidates)) == expected
    assert index.statistics(HERE, ["kot"]).frequencies == {"kot": 41}


def test_a_reader_that_missed_removals_that_are_forgotten_reads_anew(indexes: EmbeddedIndexes, tmp_path: Path) -> None:
    index = indexes.open(GENERATION)
    index.upsert([entry("a", "kot", 1), entry("b", "kot", 2), entry("c", "kot", 3)])
    assert len(index.vector(search("", 1))) == 4
    other = EmbeddedIndexes(tmp_path / "index")
    other.open(GENERATION).remove(HERE, removals("a", "b"))
    other.close()
    with _sqlite(tmp_path / "index" / f"index-{GENERATION.id}.db") as connection:
        connection.execute("DELETE FROM removals WHERE change < (SELECT max(change) FROM removals)")

    assert sorted(keys(index.vector(search("", 1)))) == ["c", "ours"]


@pytest.mark.parametrize("content", [b"", b"this is no database" * 1_000, b"\0" * 8_192])
def test_a_file_with_other_content_is_corrupt(indexes: EmbeddedIndexes, file: Path, content: bytes) -> None:
    file.write_bytes(content)

    assert _refusal(indexes) == "index_corrupt"


def test_a_file_cut_in_the_middle_is_corrupt_at_the_latest_when_it_is_searched(
    indexes: EmbeddedIndexes, file: Path
) -> None:
    file.write_bytes(file.read_bytes()[: 4_096 * 3])

    with pytest.raises(IndexUnavailable) as refused:
        indexes.open(GENERATION).keyword(search("kot", 1))

    assert refused.value.reason == "index_corrupt"


def test_another_database_is_corrupt(indexes: EmbeddedIndexes, file: Path) -> None:
    file.unlink()
    with _sqlite(file) as connection:
        connection.execute("CREATE TABLE about (generation TEXT)")

    assert _refusal(indexes) == "index_corrupt"


def test_a_file_of_another_release_is_missing(indexes: EmbeddedIndexes, file: Path) -> None:
    with _sqlite(file) as connection:
        connection.execute("PRAGMA user_version = 0")

    assert _refusal(indexes) == "index_missing"


@pytest.mark.parametrize(
    "other",
    [
        replace(GENERATION, model=replace(MODEL, revision="2")),
        replace(GENERATION, model=replace(MODEL, dimensions=9)),
        replace(GENERATION, schema=2),
    ],
)
def test_a_file_of_another_model_or_schema_is_not_opened_as_this_one(indexes: EmbeddedIndexes, other: object) -> None:
    assert isinstance(other, type(GENERATION))

    with pytest.raises(IndexUnavailable) as refused:
        indexes.open(other)

    assert refused.value.reason == "index_corrupt"


def test_a_file_under_another_generations_name_is_corrupt(indexes: EmbeddedIndexes, file: Path) -> None:
    file.rename(file.with_name(f"index-{generation(2).id}.db"))

    with pytest.raises(IndexUnavailable) as refused:
        indexes.open(generation(2))

    assert refused.value.reason == "index_corrupt"


def test_a_generation_can_be_made_anew_over_any_rubbish(indexes: EmbeddedIndexes, file: Path) -> None:
    file.write_bytes(b"rubbish")
    file.with_name(file.name + "-wal").write_bytes(b"more rubbish")

    index = indexes.create(GENERATION)
    index.upsert([entry("a", "kot", 1)])

    assert keys(index.keyword(search("kot")).candidates) == ["a"]


def test_a_folder_that_cannot_be_made_is_unreachable(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file, not a folder")

    with pytest.raises(IndexUnavailable) as refused:
        EmbeddedIndexes(tmp_path / "index").create(GENERATION)

    assert refused.value.reason == "index_unreachable"


def test_vectors_of_another_size_are_refused(indexes: EmbeddedIndexes) -> None:
    index = indexes.open(GENERATION)
    wrong = replace(entry("a", "kot"), vectors=vectors(1, dimensions=9))

    with pytest.raises(ValueError, match="does not belong into an index of 8"):
        index.upsert([wrong])
    with pytest.raises(ValueError, match="does not belong into an index of 8"):
        index.vector(replace(search("kot", 1), vector=lambda: vectors(1, dimensions=9)[0]))
    assert keys(index.keyword(search("kot")).candidates) == ["ours"]


def test_words_that_no_entry_has_any_more_are_not_in_the_file(indexes: EmbeddedIndexes, tmp_path: Path) -> None:
    index = indexes.open(GENERATION)
    index.upsert([entry("a", "kot tajemnica", 1, tags=("sekretne",))])
    index.remove(HERE, removals("a"))

    indexes.close()

    left = b"".join(path.read_bytes() for path in (tmp_path / "index").iterdir())
    assert b"kot" in left
    assert b"tajemnica" not in left
    assert b"sekretne" not in left
    assert all(label not in left for label in tag_labels(["sekretne"]))


def _refusal(indexes: EmbeddedIndexes) -> str:
    with pytest.raises(IndexUnavailable) as refused:
        indexes.open(GENERATION)
    return refused.value.reason


def _sqlite(path: Path) -> sqlite3.Connection:
    return _Closing(path, isolation_level=None)


class _Closing(sqlite3.Connection):
    """Closed when its block is left."""

    def __exit__(self, *error: object) -> None:  # type: ignore[override]
        self.close()


def _environment() -> dict[str, str]:
    return {"PYTHONPATH": f"{ROOT / 'layers/memory/python'}:{ROOT}"}


def test_files_that_nobody_names_are_swept_and_nothing_else(indexes: EmbeddedIndexes, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    indexes.create(generation(2)).upsert([entry("theirs", "kot", 1)])
    indexes.close()
    left = [folder / f"index-{generation(2).id}.db{suffix}" for suffix in ("-wal", "-shm")]
    for path in left:
        path.touch()
    (folder / "notes.txt").write_text("mine")

    swept = indexes.sweep([GENERATION.id])

    assert swept == 1
    assert {path.name for path in folder.iterdir()} == {f"index-{GENERATION.id}.db", "notes.txt"}
    assert keys(indexes.open(GENERATION).vector(search("", 1))) == ["ours"]


def test_a_sweep_of_a_folder_that_is_not_there_finds_nothing(tmp_path: Path) -> None:
    assert EmbeddedIndexes(tmp_path / "nowhere").sweep([]) == 0
