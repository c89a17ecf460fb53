"""The table as DynamoDB is told to make it. The stack of the cloud must come to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from palimpsest.ports.table import Index

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import (
        CreateTableInputTypeDef,
        GlobalSecondaryIndexTypeDef,
        KeySchemaElementTypeDef,
        UpdateTimeToLiveInputTypeDef,
    )

INDEX_NAMES: Final = {index: f"{index}-index" for index in Index}
"""DynamoDB wants at least three characters."""

KEY_ATTRIBUTES: Final = ("pk", "sk", "g1pk", "g1sk", "g2pk", "g2sk")
TTL_ATTRIBUTE: Final = "ttl"


def create_table_request(name: str) -> CreateTableInputTypeDef:
    """The arguments of CreateTable. The time to live is asked for separately, once the table is there."""
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": each, "AttributeType": "S"} for each in KEY_ATTRIBUTES],
        "KeySchema": _keys(""),
        "GlobalSecondaryIndexes": [_index(index) for index in Index],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    }


def time_to_live_request(name: str) -> UpdateTimeToLiveInputTypeDef:
    """The arguments of UpdateTimeToLive."""
    return {"TableName": name, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": TTL_ATTRIBUTE}}


def _index(index: Index) -> GlobalSecondaryIndexTypeDef:
    return {
        "IndexName": INDEX_NAMES[index],
        "KeySchema": _keys(index),
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }


def _keys(prefix: str) -> list[KeySchemaElementTypeDef]:
    return [
        {"AttributeName": f"{prefix}pk", "KeyType": "HASH"},
        {"AttributeName": f"{prefix}sk", "KeyType": "RANGE"},
    ]
