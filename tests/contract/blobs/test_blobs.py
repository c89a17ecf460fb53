"""What every store of blobs promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from palimpsest.adapters.aws.s3_blobs import PART_BYTES, S3Blobs
from palimpsest.domain.errors import BlobMissing, BlobsUnavailable
from palimpsest.ports.blobs import KEY_LIMIT, PART_LIMIT, Blobs

PATTERN = bytes(range(256)) * 4096  # 1 MB in which every place differs from its neighbours


def whole(blobs: Blobs, key: str, start: int = 0, end: int | None = None) -> bytes:
    return b"".join(blobs.read(key, start=start, end=end))


def test_what_was_put_is_read(blobs: Blobs) -> None:
    blobs.put("documents/doc_01JA/original", b"as it came")

    assert whole(blobs, "documents/doc_01JA/original") == b"as it came"
    assert blobs.size("documents/doc_01JA/original") == 10


def test_an_empty_blob_is_there(blobs: Blobs) -> None:
    blobs.put("erased/one", b"")
    blobs.put("erased/two", iter(()))

    assert blobs.size("erased/one") == blobs.size("erased/two") == 0
    assert whole(blobs, "erased/one") == whole(blobs, "erased/two", 0, 10) == b""
    assert blobs.list("erased/").keys == ("erased/one", "erased/two")


@pytest.mark.parametrize("pieces", [1, 2, 10])
def test_a_stream_is_put_whole(blobs: Blobs, pieces: int) -> None:
    blobs.put("a/stream", (PATTERN for _ in range(pieces)))

    assert blobs.size("a/stream") == pieces * len(PATTERN)
    assert whole(blobs, "a/stream") == PATTERN * pieces


def test_a_stream_may_come_in_one_piece_that_is_more_than_a_part(blobs: Blobs) -> None:
    content = PATTERN * (PART_BYTES // len(PATTERN)) + b"and one more"

    blobs.put("a/stream", iter([content]))

    assert whole(blobs, "a/stream", PART_BYTES - 1) == content[PART_BYTES - 1 :]


@pytest.mark.parametrize("pieces", [1, 10])
def test_of_a_stream_that_breaks_nothing_is_kept(blobs: Blobs, pieces: int) -> None:
    def broken() -> Iterator[bytes]:
        yield from (PATTERN for _ in range(pieces))
        raise EOFError("the sender is gone")

    blobs.put("a/kept", b"before")
    for key in ("a/kept", "a/new"):
        with pytest.raises(EOFError):
            blobs.put(key, broken())

    assert whole(blobs, "a/kept") == b"before"
    assert blobs.size("a/new") is None
    assert blobs.list("a/").keys == ("a/kept",)


def test_a_later_put_takes_the_place(blobs: Blobs) -> None:
    blobs.put("a/b", b"a longer one")
    blobs.put("a/b", b"short")

    assert whole(blobs, "a/b") == b"short"


@pytest.mark.parametrize(("start", "end"), [(0, 1), (3, 700_000), (262_143, 262_145), (1_048_575, None), (7, 7)])
def test_a_part_is_read_by_its_bounds(blobs: Blobs, start: int, end: int | None) -> None:
    blobs.put("a/b", PATTERN)

    assert whole(blobs, "a/b", start, end) == PATTERN[start:end]


def test_what_lies_behind_the_end_is_empty(blobs: Blobs) -> None:
    blobs.put("a/b", b"0123")

    assert whole(blobs, "a/b", 2, 100) == b"23"
    assert whole(blobs, "a/b", 4) == whole(blobs, "a/b", 9, 12) == b""


def test_what_is_not_there_is_missing_before_it_is_read(blobs: Blobs) -> None:
    for bounds in ((0, None), (5, 9), (5, 5)):
        with pytest.raises(BlobMissing, match="a/nothing"):
            blobs.read("a/nothing", start=bounds[0], end=bounds[1])
    assert blobs.size("a/nothing") is None


def test_what_is_deleted_is_gone_and_may_be_deleted_again(blobs: Blobs) -> None:
    blobs.put("a/b", b"1")
    blobs.put("a/c", b"2")

    blobs.delete("a/b")
    blobs.delete("a/b")
    blobs.delete("z/never")

    assert blobs.size("a/b") is None
    assert blobs.list("").keys == ("a/c",)


def test_a_list_is_in_order_and_holds_what_begins_so(blobs: Blobs) -> None:
    keys = ["a-b/c", "a/b", "a/b-c/d", "a/b.c", "a/b0", "a/B", "ab/c", "b/a"]
    for key in reversed(keys):
        blobs.put(key, b"")

    assert blobs.list("").keys == tuple(sorted(keys))
    assert blobs.list("a/").keys == tuple(sorted(key for key in keys if key.startswith("a/")))
    assert blobs.list("a/b").keys == tuple(sorted(key for key in keys if key.startswith("a/b")))
    assert blobs.list("c/").keys == ()


def test_a_list_begins_behind_any_place(blobs: Blobs) -> None:
    keys = [f"erased/{number:03d}/x" for number in range(0, 40, 2)]
    for key in keys:
        blobs.put(key, b"")

    for after in (*keys, "erased/007", "erased/008/", "erased/zz", "a", "z"):
        assert blobs.list("erased/", after=after).keys == tuple(key for key in keys if key > after)


@pytest.mark.parametrize("limit", [1, 3, 4, 100])
def test_a_list_comes_in_pages(blobs: Blobs, limit: int) -> None:
    keys = tuple(f"erased/{number:02d}" for number in range(8))
    for key in keys:
        blobs.put(key, b"")

    found: list[str] = []
    after: str | None = ""
    while after is not None:
        page = blobs.list("erased/", after=after, limit=limit)
        assert len(page.keys) <= limit
        found += page.keys
        after = page.after

    assert tuple(found) == keys


@pytest.mark.parametrize(
    "key",
    ["", "/", "/a", "a/", "a//b", "..", "a/../b", "./a", ".hidden", "a/.hidden", "-a", "a\\b", "a b", "a\n", "ł",
     "a\0b", "a" * (PART_LIMIT + 1), "/".join(["a" * 100] * 6)],
)  # fmt: skip
def test_a_key_that_is_none_is_refused_everywhere(blobs: Blobs, key: str) -> None:
    for use in (
        lambda: blobs.put(key, b""),
        lambda: blobs.read(key),
        lambda: blobs.size(key),
        lambda: blobs.delete(key),
    ):
        with pytest.raises(ValueError, match="no key"):
            use()


def test_a_prefix_that_no_key_has_is_refused(blobs: Blobs) -> None:
    for prefix in ("/", "../", "a//", ".a", "a" * (KEY_LIMIT + 1)):
        with pytest.raises(ValueError, match="no key"):
            blobs.list(prefix)


def test_the_longest_key_is_taken(blobs: Blobs) -> None:
    key = "/".join(["a" * PART_LIMIT] * 2 + ["b" * (KEY_LIMIT - 2 * PART_LIMIT - 2)])

    blobs.put(key, b"1")

    assert blobs.list("").keys == (key,)


def test_a_bucket_that_is_not_there_is_no_missing_blob(aws: Callable[[str], Any]) -> None:
    blobs = S3Blobs("no-such-bucket", aws("s3"))

    for use in (
        lambda: blobs.put("a", b""),
        lambda: blobs.read("a"),
        lambda: blobs.list(""),
    ):
        with pytest.raises(BlobsUnavailable, match="NoSuchBucket"):
            use()


def test_a_server_that_does_not_answer_is_told_as_ours(
    aws: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")

    with pytest.raises(BlobsUnavailable, match="can't be reached"):
        S3Blobs("any").size("a")


def test_a_stream_that_breaks_leaves_no_parts_behind(aws: Callable[[str], Any], bucket: str) -> None:
    def broken() -> Iterator[bytes]:
        yield PATTERN * 20
        raise EOFError

    with pytest.raises(EOFError):
        S3Blobs(bucket, aws("s3")).put("a/b", broken())

    assert aws("s3").list_multipart_uploads(Bucket=bucket).get("Uploads", []) == []
