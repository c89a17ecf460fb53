"""Blobs in the cloud: Amazon S3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.aws.clients import client
from palimpsest.domain.errors import BlobMissing, BlobsUnavailable
from palimpsest.ports.blobs import PAGE_LIMIT, BlobPage, checked_key, checked_prefix

PART_BYTES: Final = 8 * 1024 * 1024
"""S3 takes no part below 5 MB but the last, and 10,000 parts at most."""

_ATTEMPTS: Final = 3  # every call may be done twice: a put puts the same again
_READ_SECONDS: Final = 10.0
_CHUNK: Final = 256 * 1024
_NOT_THERE: Final = frozenset({"404", "NoSuchKey", "NotFound"})
_PAST_ITS_END: Final = "InvalidRange"


class S3Blobs:
    """The `Blobs` port over one bucket, which keeps no old versions.

    Args:
        bucket: Its name; None for a function that has no business with it.
        s3: A client of S3; made at the first use from the environment when None.
    """

    def __init__(self, bucket: str | None, s3: Any = None) -> None:  # noqa: ANN401 - boto3 makes its clients at run time
        self._bucket = bucket
        self._s3 = s3

    def put(self, key: str, content: bytes | Iterable[bytes]) -> None:
        place = self._place(key)
        if isinstance(content, bytes):
            with _told():
                self._client().put_object(**place, Body=content)
            return
        parts = _parts(content)
        first, second = next(parts, b""), next(parts, None)
        if second is None:
            self.put(key, first)
        else:
            self._put_parts(place, chain((first, second), parts))

    def read(self, key: str, *, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        place = self._place(key)
        if end is not None and end <= start:  # S3 knows no empty range
            if self.size(key) is None:
                raise BlobMissing(f"there is no blob {key}")
            return iter(())
        part = {"Range": f"bytes={start}-{'' if end is None else end - 1}"} if start or end is not None else {}
        try:
            with _told(key):
                return _chunks(self._client().get_object(**place, **part)["Body"])
        except BlobsUnavailable as error:
            if _code(error.__cause__) == _PAST_ITS_END:
                return iter(())
            raise

    def size(self, key: str) -> int | None:
        with suppress(BlobMissing), _told(key):
            return int(self._client().head_object(**self._place(key))["ContentLength"])
        return None

    def delete(self, key: str) -> None:
        with _told():
            self._client().delete_object(**self._place(key))

    def list(self, prefix: str, *, after: str = "", limit: int = PAGE_LIMIT) -> BlobPage:
        behind = {"StartAfter": after} if after else {}
        wanted = min(limit, PAGE_LIMIT)
        with _told():
            page = self._client().list_objects_v2(
                Bucket=self._named(), Prefix=checked_prefix(prefix), MaxKeys=wanted, **behind
            )
        keys = tuple(str(each["Key"]) for each in page.get("Contents", ()))
        return BlobPage(keys, keys[-1] if page.get("IsTruncated") and keys else None)

    def _place(self, key: str) -> dict[str, str]:
        return {"Bucket": self._named(), "Key": checked_key(key)}

    def _named(self) -> str:
        if self._bucket is None:
            raise BlobsUnavailable("this function knows no bucket (PALIMPSEST_BUCKET)")
        return self._bucket

    def _put_parts(self, place: dict[str, str], parts: Iterable[bytes]) -> None:
        s3 = self._client()
        with _told():
            upload = {**place, "UploadId": s3.create_multipart_upload(**place)["UploadId"]}
        try:
            done = []
            for number, part in enumerate(parts, start=1):
                with _told():
                    etag = s3.upload_part(**upload, PartNumber=number, Body=part)["ETag"]
                done.append({"PartNumber": number, "ETag": etag})
            with _told():
                s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": done})
        except BaseException:  # also when the process is told to stop: parts that stay are paid for
            with suppress(ClientError, BotoCoreError):  # the bucket's own rule takes it away some days later
                s3.abort_multipart_upload(**upload)
            raise

    def _client(self) -> Any:  # noqa: ANN401
        if self._s3 is None:
            self._s3 = client("s3", attempts=_ATTEMPTS, read_seconds=_READ_SECONDS)
        return self._s3


@contextmanager
def _told(key: str | None = None) -> Iterator[None]:
    """What S3 says in the port's words; `key`: what is not found is its blob."""
    try:
        yield
    except ClientError as error:
        if key is not None and _code(error) in _NOT_THERE:
            raise BlobMissing(f"there is no blob {key}") from error
        raise BlobsUnavailable(f"S3 does not do it ({_code(error)})") from error
    except BotoCoreError as error:
        raise BlobsUnavailable("S3 can't be reached") from error


def _code(error: BaseException | None) -> str:
    return str(error.response.get("Error", {}).get("Code", "")) if isinstance(error, ClientError) else ""


def _parts(content: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in parts of one size, but for the last."""
    waiting = bytearray()
    for chunk in content:
        waiting += chunk
        while len(waiting) >= PART_BYTES:
            yield bytes(waiting[:PART_BYTES])
            del waiting[:PART_BYTES]
    if waiting:
        yield bytes(waiting)


def _chunks(body: Any) -> Iterator[bytes]:  # noqa: ANN401
    with body, _told():
        yield from body.iter_chunks(_CHUNK)
