"""Each test of the folder runs on each backend of the table."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from moto import mock_aws

from palimpsest.adapters.aws.dynamodb import DynamoTable
from palimpsest.adapters.aws.dynamodb_calls import dynamodb_client
from palimpsest.adapters.aws.dynamodb_schema import create_table_request, time_to_live_request
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Table
from tests.contract.table.exceptions import DEVIATIONS
from tests.contract.table.ministack import REGION, ministack

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

BACKENDS = ("sqlite_memory", "sqlite_file", "ministack", "moto")
_FOLDER = "tests/contract/table/"
_names = (f"table-{number}" for number in itertools.count())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and item.nodeid.startswith(_FOLDER):
            _expect_deviation(item)


def _expect_deviation(item: pytest.Function) -> None:
    backend = item.callspec.params.get("backend") if hasattr(item, "callspec") else None
    for deviation in DEVIATIONS:
        if deviation.backend == backend and deviation.test in {item.originalname, item.path.stem}:
            item.add_marker(pytest.mark.xfail(reason=deviation.reason, run=deviation.is_run, strict=True))


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def table(backend: str, request: pytest.FixtureRequest) -> Table:
    """An empty table of the backend."""
    chosen: Table = request.getfixturevalue(f"{backend}_table")
    return chosen


@pytest.fixture
def sqlite_memory_table() -> Iterator[Table]:
    with SqliteTable() as table:
        yield table


@pytest.fixture
def sqlite_file_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with SqliteTable(tmp_path_factory.mktemp("table") / "table.db") as table:
        yield table


@pytest.fixture(scope="session")
def ministack_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of this worker's own. That there is none to start is a failure."""
    with ministack(tmp_path_factory.mktemp("ministack")) as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def ministack_client(ministack_endpoint: str) -> Iterator[DynamoDBClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        client = dynamodb_client(REGION, ministack_endpoint)
    yield client
    client.close()


@pytest.fixture
def ministack_name(ministack_client: DynamoDBClient) -> Iterator[str]:
    """The name of a table that was made for one test."""
    name = next(_names)
    _make(ministack_client, name)
    yield name
    ministack_client.delete_table(TableName=name)


@pytest.fixture
def ministack_table(ministack_client: DynamoDBClient, ministack_name: str) -> Table:
    return DynamoTable(ministack_client, ministack_name)


@pytest.fixture(scope="module")
def moto_client() -> Iterator[DynamoDBClient]:
    """Moto within this process. For a module, because it takes its time to begin."""
    with mock_aws():
        client = dynamodb_client(REGION)
        yield client
        client.close()


@pytest.fixture
def moto_table(moto_client: DynamoDBClient) -> Iterator[Table]:
    name = next(_names)
    _make(moto_client, name)
    yield DynamoTable(moto_client, name)
    moto_client.delete_table(TableName=name)


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Asks again, a bounded number of times, until what a lagging index shows is so."""

    def ask(is_so: Callable[[], bool]) -> None:
        assert any(is_so() for _ in range(200))

    return ask


def _make(client: DynamoDBClient, name: str) -> None:
    client.create_table(**create_table_request(name))
    client.update_time_to_live(**time_to_live_request(name))
