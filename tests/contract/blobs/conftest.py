"""Each test of the folder runs on each store of blobs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from palimpsest.adapters.aws.s3_blobs import S3Blobs
from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.ports.blobs import Blobs
from tests.contract.table.ministack import REGION, ministack
from tests.support.aws_clients import clients

_names = (f"bucket-{number}" for number in itertools.count())


@pytest.fixture(scope="session")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Clients of a server of this worker's own. That there is none to start is a failure."""
    with ministack(tmp_path_factory.mktemp("ministack")) as endpoint, clients(endpoint) as made:
        yield made


@pytest.fixture
def bucket(aws: Callable[[str], Any]) -> str:
    """The name of an empty bucket."""
    name = next(_names)
    aws("s3").create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
    return name


@pytest.fixture(params=["files", "s3"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    """An empty store."""
    if request.param == "files":
        return BlobFiles(tmp_path / "some" / "blobs")
    return S3Blobs(request.getfixturevalue("bucket"), request.getfixturevalue("aws")("s3"))
