"""Uploads to one machine: a path of its own server, which its signature opens."""

from __future__ import annotations

from palimpsest.domain import instants
from palimpsest.domain.upload import Upload
from palimpsest.ports.upload_places import UploadPlace
from palimpsest.stores.deployment import Deployment

UPLOADS = "/uploads/"
"""What the path begins with."""


class UploadPaths:
    """The `UploadPlaces` port."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment

    def place(self, upload: Upload) -> UploadPlace:
        signature = self._deployment.mac("upload", upload.id, str(upload.size), instants.write(upload.expires_at))
        return UploadPlace(f"{UPLOADS}{upload.id}?signature={signature}", {"Content-Length": str(upload.size)})
