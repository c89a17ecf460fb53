"""Uploads straight to Amazon S3: a signed PUT of so many bytes under one key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.aws.clients import client
from palimpsest.domain.errors import BlobsUnavailable
from palimpsest.domain.upload import Upload
from palimpsest.ports.upload_places import UploadPlace


class S3Uploads:
    """The `UploadPlaces` port. The length is part of what is signed, so S3 takes no other.

    Args:
        bucket: Its name; None for a function that has no business with it.
        now: The time.
        s3: A client of S3; made at the first use from the environment when None.
    """

    def __init__(self, bucket: str | None, now: Callable[[], datetime], s3: Any = None) -> None:  # noqa: ANN401
        self._bucket = bucket
        self._now = now
        self._s3 = s3

    def place(self, upload: Upload) -> UploadPlace:
        if self._bucket is None:
            raise BlobsUnavailable("this function knows no bucket (PALIMPSEST_BUCKET)")
        if self._s3 is None:
            self._s3 = client("s3")
        seconds = max(1, int((upload.expires_at - self._now()).total_seconds()))
        wanted = {"Bucket": self._bucket, "Key": upload.blob, "ContentLength": upload.size}
        try:
            url = self._s3.generate_presigned_url("put_object", Params=wanted, ExpiresIn=seconds)
        except (BotoCoreError, ClientError) as error:
            raise BlobsUnavailable("no address for the upload could be signed") from error
        return UploadPlace(str(url), {"Content-Length": str(upload.size)})
