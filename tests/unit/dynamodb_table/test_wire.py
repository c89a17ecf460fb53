"""Requests in DynamoDB's own form, to the letter."""

from __future__ import annotations

from palimpsest.adapters.aws.dynamodb_schema import create_table_request, time_to_live_request
from palimpsest.adapters.aws.dynamodb_wire import Expressions
from palimpsest.ports.table import (
    Add,
    All,
    AnyOf,
    BeginsWith,
    Between,
    Equals,
    Exists,
    Less,
    Missing,
    Remove,
    Set,
)


def test_the_table_is_asked_for_with_two_indexes_of_keys_and_a_stream_of_keys() -> None:
    def keys(prefix: str) -> list[dict[str, str]]:
        return [
            {"AttributeName": f"{prefix}pk", "KeyType": "HASH"},
            {"AttributeName": f"{prefix}sk", "KeyType": "RANGE"},
        ]

    names = ["pk", "sk", "g1pk", "g1sk", "g2pk", "g2sk"]
    assert create_table_request("memory") == {
        "TableName": "memory",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
        "KeySchema": keys(""),
        "GlobalSecondaryIndexes": [
            {"IndexName": "g1-index", "KeySchema": keys("g1"), "Projection": {"ProjectionType": "KEYS_ONLY"}},
            {"IndexName": "g2-index", "KeySchema": keys("g2"), "Projection": {"ProjectionType": "KEYS_ONLY"}},
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    }
    assert time_to_live_request("memory") == {
        "TableName": "memory",
        "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"},
    }


def test_a_condition_has_only_the_parentheses_that_it_needs() -> None:
    expressions = Expressions()

    text = expressions.condition(
        All(
            (
                Exists("size"),
                AnyOf((Missing("a"), Less("a", 1), All((Equals("b", True),)))),
                AnyOf((BeginsWith("a", "x"),)),
                Between("size", 1, 2),
            )
        )
    )

    assert text == (
        "attribute_exists(#0) AND (attribute_not_exists(#1) OR #1 < :0 OR #2 = :1) "
        "AND begins_with(#1, :2) AND #0 BETWEEN :3 AND :4"
    )
    assert expressions.placeholders() == {
        "ExpressionAttributeNames": {"#0": "size", "#1": "a", "#2": "b"},
        "ExpressionAttributeValues": {
            ":0": {"N": "1"},
            ":1": {"BOOL": True},
            ":2": {"S": "x"},
            ":3": {"N": "1"},
            ":4": {"N": "2"},
        },
    }


def test_an_update_has_each_clause_once() -> None:
    expressions = Expressions()

    text = expressions.update((Set("a", "x"), Remove("b"), Add("c", 1), Set("d", b"y"), Remove("e")))

    assert text == "SET #0 = :0, #3 = :2 REMOVE #1, #4 ADD #2 :1"


def test_a_request_without_expressions_has_no_placeholders() -> None:
    assert Expressions().placeholders() == {}
