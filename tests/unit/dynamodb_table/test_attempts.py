"""Which of DynamoDB's errors are worth another attempt, and what the others come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ConnectionClosedError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
)
from botocore.stub import ANY, Stubber

from palimpsest.adapters.aws.dynamodb import DynamoTable
from palimpsest.adapters.aws.dynamodb_calls import Backoff, dynamodb_client
from palimpsest.adapters.aws.dynamodb_errors import Again, judge
from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.domain.errors import ConditionFailed, CorruptItem, ItemTooLarge, TableThrottled, TableUnavailable
from palimpsest.ports.table import Add, Delete, Equals, Key, Put, Query, Set, Table, Units, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY = Key("M#1", "H")
WIRE_KEY = {"pk": {"S": "M#1"}, "sk": {"S": "H"}}
PUT = Put({"pk": "M#1", "sk": "H"})
CONSUMED: dict[str, Any] = {"ConsumedCapacity": [{"TableName": "t", "CapacityUnits": 2.0}]}


class Cloud:
    """A client whose answers are prepared, and a table on it that pauses for no time."""

    def __init__(self, client: DynamoDBClient) -> None:
        self.pauses: list[float] = []
        self.stub = Stubber(client)
        backoff = Backoff(attempts=4, sleep=self.pauses.append, chance=lambda: 1.0)
        self.table: Table = DynamoTable(client, "t", backoff)

    def fails(self, method: str, code: str, message: str = "", status: int = 400, **more: Any) -> None:
        self.stub.add_client_error(method, code, message, status, modeled_fields=more or None)

    def answers(self, method: str, expected: dict[str, Any] | None = None, /, **answer: Any) -> None:
        self.stub.add_response(method, answer, expected)


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    client = dynamodb_client("eu-central-1")
    made = Cloud(client)
    with made.stub:
        yield made
        made.stub.assert_no_pending_responses()
    client.close()


def cancelled(cloud: Cloud, *codes: str, message: str = "") -> None:
    reasons = [{"Code": code, "Message": message} for code in codes]
    cloud.fails("transact_write_items", "TransactionCanceledException", CancellationReasons=reasons)


@pytest.mark.parametrize(
    "code",
    [
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "TransactionConflictException",
    ],
)
def test_what_is_busy_is_asked_again_a_little_later_each_time(cloud: Cloud, code: str) -> None:
    for _ in range(3):
        cloud.fails("update_item", code)
    cloud.answers("update_item", Attributes=WIRE_KEY)

    cloud.table.write(Update(KEY, (Add("count", 1),), Equals("count", 0)))

    assert cloud.pauses == [0.025, 0.05, 0.1]


def test_what_stays_busy_is_throttled(cloud: Cloud) -> None:
    for _ in range(4):
        cloud.fails("query", "ThrottlingException")

    with pytest.raises(TableThrottled):
        cloud.table.query(Query("P"))

    assert len(cloud.pauses) == 3


def test_a_transaction_in_conflict_is_sent_again_as_it_is(cloud: Cloud) -> None:
    cancelled(cloud, "None", "TransactionConflict")
    cancelled(cloud, "ThrottlingError", "None")
    cloud.fails("transact_write_items", "TransactionInProgressException")
    cloud.answers("transact_write_items", **CONSUMED)

    assert cloud.table.transact([PUT, Delete(Key("M#2", "H"))]) == Units(write=Decimal(2))


def test_a_transaction_keeps_its_token_over_its_attempts_and_no_other_has_it(cloud: Cloud) -> None:
    tokens: list[str] = []
    events = cloud.stub.client.meta.events
    events.register(
        "provide-client-params.dynamodb.TransactWriteItems",
        lambda params, **_: tokens.append(params["ClientRequestToken"]),
    )
    for _ in range(2):
        cancelled(cloud, "TransactionConflict")
        cloud.answers("transact_write_items", **CONSUMED)
        cloud.table.transact([PUT])

    assert tokens[0] == tokens[1]
    assert tokens[2] == tokens[3]
    assert len(set(tokens)) == 2


def test_a_failed_condition_is_told_at_once_also_beside_a_conflict(cloud: Cloud) -> None:
    cancelled(cloud, "TransactionConflict", "ConditionalCheckFailed", "None", "ConditionalCheckFailed")
    cloud.fails("put_item", "ConditionalCheckFailedException")

    with pytest.raises(ConditionFailed) as failure:
        cloud.table.transact([Put({"pk": "M", "sk": str(number)}) for number in range(4)])
    assert failure.value.failed == (1, 3)
    with pytest.raises(ConditionFailed) as failure:
        cloud.table.write(PUT)
    assert failure.value.failed == (0,)
    assert cloud.pauses == []


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("Item size to update has exceeded the maximum allowed size", ItemTooLarge),
        ("An operand in the update expression has an incorrect data type", RequestRefused),
    ],
)
def test_what_is_invalid_is_told_at_once(cloud: Cloud, message: str, error: type[Exception]) -> None:
    cancelled(cloud, "None", "ValidationError", message=message)
    cloud.fails("update_item", "ValidationException", message)

    with pytest.raises(error, match=message):
        cloud.table.transact([PUT, Delete(Key("M#2", "H"))])
    with pytest.raises(error, match=message):
        cloud.table.write(Update(KEY, (Set("a", 1),)))


@pytest.mark.parametrize("code", ["ResourceNotFoundException", "AccessDeniedException", "ExpiredTokenException"])
def test_what_another_attempt_would_not_help_is_unavailable_at_once(cloud: Cloud, code: str) -> None:
    cloud.fails("get_item", code, "why")

    with pytest.raises(TableUnavailable, match=f"{code}.*why"):
        cloud.table.get([KEY])


def test_a_server_that_failed_is_asked_again_only_for_what_may_be_done_twice(cloud: Cloud) -> None:
    cloud.fails("put_item", "InternalServerError", status=500)
    cloud.answers("put_item")
    cloud.fails("update_item", "InternalServerError", status=500)
    cloud.answers("update_item", Attributes=WIRE_KEY)
    for _ in range(3):
        cloud.fails("update_item", "InternalServerError", status=500)

    cloud.table.write(PUT)
    cloud.table.write(Update(KEY, (Set("a", 1),)))
    for write in (
        Update(KEY, (Add("a", 1),)),
        Update(KEY, (Set("a", 1),), Equals("a", 0)),
        Update(KEY, (Set("a", 1), Add("b", 1))),
    ):
        with pytest.raises(TableUnavailable, match="not known whether"):
            cloud.table.write(write)


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (EndpointConnectionError(endpoint_url="http://x"), Again.SURELY),
        (ReadTimeoutError(endpoint_url="http://x"), Again.IF_REPEATABLE),
        (ConnectionClosedError(endpoint_url="http://x"), Again.IF_REPEATABLE),
        (NoCredentialsError(), Again.NEVER),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_happens_on_the_way_is_unavailable(error: BotoCoreError, again: Again) -> None:
    verdict = judge(error)

    assert isinstance(verdict.error, TableUnavailable)
    assert verdict.again is again


def requests(items: list[Any]) -> dict[str, Any]:
    return {"RequestItems": {"t": items}, "ReturnConsumedCapacity": "TOTAL"}


def wire_puts(numbers: range) -> list[Any]:
    return [{"PutRequest": {"Item": {"pk": {"S": "M"}, "sk": {"S": f"{number:02}"}}}} for number in numbers]


def test_writes_that_were_left_over_are_sent_again_to_the_end(cloud: Cloud) -> None:
    rest = wire_puts(range(20, 25))
    cloud.answers("batch_write_item", requests(wire_puts(range(25))), UnprocessedItems={"t": rest}, **CONSUMED)
    cloud.answers("batch_write_item", requests(rest), UnprocessedItems={"t": rest[3:]}, **CONSUMED)
    cloud.answers("batch_write_item", requests(rest[3:]), UnprocessedItems={}, **CONSUMED)
    cloud.answers("batch_write_item", requests(wire_puts(range(25, 30))), UnprocessedItems={}, **CONSUMED)

    units = cloud.table.write_batch([Put({"pk": "M", "sk": f"{number:02}"}) for number in range(30)])

    assert units == Units(write=Decimal(8))
    assert len(cloud.pauses) == 2


def test_a_batch_of_which_nothing_more_is_done_is_throttled(cloud: Cloud) -> None:
    for _ in range(4):
        cloud.answers("batch_write_item", UnprocessedItems={"t": wire_puts(range(1))})

    with pytest.raises(TableThrottled):
        cloud.table.write_batch([Put({"pk": "M", "sk": "00"})])


def test_keys_that_were_left_over_are_asked_for_again(cloud: Cloud) -> None:
    keys = [Key("M", str(number)) for number in range(3)]
    wire = [{"pk": {"S": "M"}, "sk": {"S": str(number)}} for number in range(3)]
    cloud.answers(
        "batch_get_item",
        {"RequestItems": {"t": {"Keys": wire, "ConsistentRead": True}}, "ReturnConsumedCapacity": "TOTAL"},
        Responses={"t": [wire[2]]},
        UnprocessedKeys={"t": {"Keys": wire[:2]}},
        **CONSUMED,
    )
    cloud.answers("batch_get_item", {"RequestItems": ANY, "ReturnConsumedCapacity": ANY}, Responses={"t": [wire[0]]})

    read = cloud.table.get(keys)

    assert read.items == {keys[0]: {"pk": "M", "sk": "0"}, keys[2]: {"pk": "M", "sk": "2"}}
    assert list(read.items) == [keys[0], keys[2]]
    assert read.units == Units(read=Decimal(2))


@pytest.mark.parametrize("alien", [{"NULL": True}, {"SS": ["a"]}, {"N": "not a number"}])
def test_an_item_that_somebody_else_wrote_is_named(cloud: Cloud, alien: dict[str, Any]) -> None:
    cloud.answers("get_item", Item={**WIRE_KEY, "a": {"L": [alien]}})

    with pytest.raises(CorruptItem):
        cloud.table.get([KEY])


def test_no_attempt_begins_after_the_time_is_up() -> None:
    pauses: list[float] = []

    tries = list(Backoff(attempts=5, give_up_seconds=-1, sleep=pauses.append).tries())

    assert (tries, pauses) == ([True], [])


def test_pauses_are_random_and_bounded() -> None:
    pauses: list[float] = []
    chances: Callable[[], float] = iter([0.0, 0.5, 1.0, 1.0, 1.0]).__next__

    list(Backoff(attempts=6, first_seconds=0.1, longest_seconds=1.0, sleep=pauses.append, chance=chances).tries())

    assert pauses == [0.0, 0.1, 0.4, 0.8, 1.0]
