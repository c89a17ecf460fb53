"""What our rules refuse before it is sent, DynamoDB refuses too, so nothing is refused for a whim of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

HEAD = {"pk": {"S": "M#1"}, "sk": {"S": "H"}}


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(depth - 1):
        value = {"L": [value]}
    return value


ITEMS: dict[str, dict[str, Any]] = {
    "empty partition key": {"pk": {"S": ""}, "sk": {"S": "H"}},
    "empty sort key": {"pk": {"S": "M"}, "sk": {"S": ""}},
    "no sort key": {"pk": {"S": "M"}},
    "number as a key": {"pk": {"N": "1"}, "sk": {"S": "H"}},
    "long partition key": {"pk": {"S": "p" * 2_049}, "sk": {"S": "H"}},
    "long sort key": {"pk": {"S": "M"}, "sk": {"S": "s" * 1_025}},
    "index key that is a number": HEAD | {"g1pk": {"N": "1"}, "g1sk": {"S": "1"}},
    "index key that is empty": HEAD | {"g1pk": {"S": ""}, "g1sk": {"S": "1"}},
    "39 digits": HEAD | {"a": {"N": "1" * 39}},
    "magnitude too large": HEAD | {"a": {"N": "1E126"}},
    "magnitude too small": HEAD | {"a": {"N": "1E-131"}},
    "no number": HEAD | {"a": {"N": "NaN"}},
    "33 levels": HEAD | {"a": nested(33)},
    "one byte over 400 KB": HEAD | {"a": {"S": "x" * (409_600 - 8)}},
}

UPDATES: dict[str, dict[str, Any]] = {
    "changes the key": {"UpdateExpression": "SET pk = :1", "ExpressionAttributeValues": {":1": {"S": "a"}}},
    "changes an attribute twice": {
        "UpdateExpression": "SET a = :1 REMOVE a",
        "ExpressionAttributeValues": {":1": {"S": "a"}},
    },
    "adds text": {"UpdateExpression": "ADD a :1", "ExpressionAttributeValues": {":1": {"S": "a"}}},
    "index key that is a number": {
        "UpdateExpression": "SET g1pk = :1",
        "ExpressionAttributeValues": {":1": {"N": "1"}},
    },
    "compares a flag": {
        "UpdateExpression": "SET a = :1",
        "ConditionExpression": "a < :1",
        "ExpressionAttributeValues": {":1": {"BOOL": True}},
    },
    "bounds upside down": {
        "UpdateExpression": "SET a = :1",
        "ConditionExpression": "a BETWEEN :2 AND :1",
        "ExpressionAttributeValues": {":1": {"N": "1"}, ":2": {"N": "2"}},
    },
    "bounds of two types": {
        "UpdateExpression": "SET a = :1",
        "ConditionExpression": "a BETWEEN :1 AND :2",
        "ExpressionAttributeValues": {":1": {"N": "1"}, ":2": {"S": "2"}},
    },
}

TAKEN_BY_THE_EMULATOR_ALONE = ["changes an attribute twice", "compares a flag", "bounds of two types"]
"""DynamoDB: "two document paths overlap", "incorrect operand type", "requires same data type for lower and upper"."""

QUERIES: dict[str, dict[str, Any]] = {
    "strong read of an index": {
        "IndexName": "g1-index",
        "ConsistentRead": True,
        "KeyConditionExpression": "g1pk = :p",
    },
    "limit 0": {"KeyConditionExpression": "pk = :p", "Limit": 0},
    "empty prefix": {
        "KeyConditionExpression": "pk = :p AND begins_with(sk, :e)",
        "ExpressionAttributeValues": {":p": {"S": "P"}, ":e": {"S": ""}},
    },
    "cursor outside the range": {
        "KeyConditionExpression": "pk = :p AND sk >= :b",
        "ExclusiveStartKey": {"pk": {"S": "P"}, "sk": {"S": "a"}},
        "ExpressionAttributeValues": {":p": {"S": "P"}, ":b": {"S": "b"}},
    },
}

BATCHES: dict[str, list[dict[str, Any]]] = {
    "two writes on one item": [{"PutRequest": {"Item": HEAD}}, {"DeleteRequest": {"Key": HEAD}}],
    "26 writes": [{"PutRequest": {"Item": HEAD | {"sk": {"S": str(number)}}}} for number in range(26)],
}


def refused(call: Any, **request: Any) -> bool:
    try:
        call(**request)
    except ClientError as error:
        return error.response["Error"]["Code"] == "ValidationException"
    except ParamValidationError:
        return True
    return False


def test_items(ministack_client: DynamoDBClient, ministack_name: str) -> None:
    put = ministack_client.put_item

    assert [name for name, item in ITEMS.items() if not refused(put, TableName=ministack_name, Item=item)] == []


def test_updates(ministack_client: DynamoDBClient, ministack_name: str) -> None:
    update = ministack_client.update_item
    ministack_client.put_item(TableName=ministack_name, Item=HEAD | {"a": {"N": "1"}})

    taken = [name for name, it in UPDATES.items() if not refused(update, TableName=ministack_name, Key=HEAD, **it)]

    assert taken == TAKEN_BY_THE_EMULATOR_ALONE


def test_queries(ministack_client: DynamoDBClient, ministack_name: str) -> None:
    values = {"ExpressionAttributeValues": {":p": {"S": "P"}}}
    query = ministack_client.query

    taken = [name for name, it in QUERIES.items() if not refused(query, TableName=ministack_name, **(values | it))]

    assert taken == []


def test_batches(ministack_client: DynamoDBClient, ministack_name: str) -> None:
    write = ministack_client.batch_write_item

    assert [name for name, it in BATCHES.items() if not refused(write, RequestItems={ministack_name: it})] == []


@pytest.mark.parametrize("count", [2, 101])
def test_transactions(ministack_client: DynamoDBClient, ministack_name: str, count: int) -> None:
    puts = [{"Put": {"TableName": ministack_name, "Item": HEAD}}] * 2
    if count > 2:
        items = [HEAD | {"sk": {"S": str(number)}} for number in range(count)]
        puts = [{"Put": {"TableName": ministack_name, "Item": item}} for item in items]

    assert refused(ministack_client.transact_write_items, TransactItems=puts)
