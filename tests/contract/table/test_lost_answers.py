"""When DynamoDB did what was asked and its answer was lost on the way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from palimpsest.adapters.aws.dynamodb import DynamoTable
from palimpsest.adapters.aws.dynamodb_calls import Backoff, dynamodb_client
from palimpsest.domain.errors import TableUnavailable
from palimpsest.ports.table import Add, Equals, Key, Missing, Put, Set, Table, Update
from tests.contract.table.ministack import REGION

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY = Key("M#1", "H")


class LosesAnswers(BaseHTTPRequestHandler):
    """Hands a request on, and hangs up on the first answers to each kind of call that it should lose."""

    server_endpoint: ClassVar[str]
    to_lose: ClassVar[dict[str, int]] = {}

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        status, answer = self._ask(Request(self.server_endpoint, body, headers))
        call = self.headers["X-Amz-Target"].partition(".")[2]
        if self.to_lose.get(call, 0) > 0:
            self.to_lose[call] -= 1
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def _ask(self, request: Request) -> tuple[int, bytes]:
        try:
            with urlopen(request, timeout=5) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            with error:
                return error.code, error.read()


@pytest.fixture
def lossy(ministack_endpoint: str) -> Iterator[str]:
    """The address of a server that loses the answers in `LosesAnswers.to_lose`."""
    LosesAnswers.server_endpoint = ministack_endpoint
    LosesAnswers.to_lose.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), LosesAnswers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def unlucky(lossy: str, ministack_name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table whose answers are lost."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    client: DynamoDBClient = dynamodb_client(REGION, lossy)
    yield DynamoTable(client, ministack_name, Backoff(first_seconds=0.0))
    client.close()


def test_a_transaction_whose_answer_was_lost_is_done_once(unlucky: Table, ministack_table: Table) -> None:
    LosesAnswers.to_lose["TransactWriteItems"] = 3

    unlucky.transact(
        [Update(KEY, (Add("count", 1),)), Put({"pk": "M#1", "sk": "V#1"}, Missing("pk"))],
    )

    assert ministack_table.get([KEY]).items == {KEY: {"pk": "M#1", "sk": "H", "count": 1}}
    assert LosesAnswers.to_lose["TransactWriteItems"] == 0


def test_a_write_that_can_be_repeated_is(unlucky: Table, ministack_table: Table) -> None:
    LosesAnswers.to_lose.update(PutItem=2, UpdateItem=2, DeleteItem=1, Query=1, GetItem=1, BatchWriteItem=1)

    unlucky.write(Put({"pk": "M#1", "sk": "H"}))
    unlucky.write(Update(KEY, (Set("state", "live"),)))
    unlucky.write_batch([Put({"pk": "M#1", "sk": "V#1"})])

    assert unlucky.get([KEY]).items == {KEY: {"pk": "M#1", "sk": "H", "state": "live"}}
    assert len(ministack_table.get([KEY, Key("M#1", "V#1")]).items) == 2


@pytest.mark.parametrize(
    "write",
    [
        Update(KEY, (Add("count", 1),)),
        Update(KEY, (Set("count", 1),), Equals("count", 0)),
    ],
    ids=["addition", "condition"],
)
def test_a_write_that_would_count_twice_is_not_repeated(unlucky: Table, ministack_table: Table, write: Update) -> None:
    ministack_table.write(Put({"pk": "M#1", "sk": "H", "count": 0}))
    LosesAnswers.to_lose["UpdateItem"] = 1

    with pytest.raises(TableUnavailable, match="not known whether"):
        unlucky.write(write)

    assert ministack_table.get([KEY]).items == {KEY: {"pk": "M#1", "sk": "H", "count": 1}}


def test_a_server_that_never_answers_makes_the_table_unavailable(unlucky: Table) -> None:
    LosesAnswers.to_lose["GetItem"] = 1_000

    with pytest.raises(TableUnavailable):
        unlucky.get([KEY])
