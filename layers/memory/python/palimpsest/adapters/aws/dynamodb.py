"""The table in the cloud: Amazon DynamoDB."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, assert_never

from palimpsest.adapters.aws.dynamodb_calls import Backoff, Calls
from palimpsest.adapters.aws.dynamodb_schema import INDEX_NAMES
from palimpsest.adapters.aws.dynamodb_wire import Expressions, item_from_wire, item_to_wire, key_to_wire
from palimpsest.adapters.table_rules.queries import Range, check_scan, checked_range
from palimpsest.adapters.table_rules.requests import (
    canonical_batch,
    canonical_transaction,
    canonical_write,
    check_key,
)
from palimpsest.ports.table import (
    Add,
    Check,
    Cursor,
    Delete,
    Index,
    Item,
    Key,
    Page,
    Put,
    Query,
    Read,
    Units,
    Update,
    Write,
    Written,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_GET_AT_ONCE: Final = 100
_WRITE_AT_ONCE: Final = 25
_TOTAL: Final = {"ReturnConsumedCapacity": "TOTAL"}

_Wire = dict[str, Any]
"""A part of a request or an answer. The client's stubs type them per operation, far apart from how they are made."""


class DynamoTable:
    """The `Table` port over one DynamoDB table, as `dynamodb_schema` makes it.

    Args:
        client: From `dynamodb_client`; shared by threads.
        name: The table's.
        backoff: How often to try again.
    """

    def __init__(self, client: DynamoDBClient, name: str, backoff: Backoff | None = None) -> None:
        self._client = client
        self._name = name
        self._calls = Calls(backoff or Backoff())

    def get(self, keys: Sequence[Key], *, consistent: bool = True) -> Read:
        """Items by key, a hundred a call."""
        wanted = list(dict.fromkeys(keys))
        for key in wanted:
            check_key(key)
        if len(wanted) == 1:
            return self._get_one(wanted[0], consistent=consistent)
        found: dict[Key, Item] = {}
        read = Decimal(0)
        for start in range(0, len(wanted), _GET_AT_ONCE):
            part = self._get_many(wanted[start : start + _GET_AT_ONCE], consistent=consistent)
            found.update(part.items)
            read += part.units.read
        return Read({key: found[key] for key in wanted if key in found}, Units(read=read))

    def query(self, query: Query) -> Page:
        """One page of a range; it ends at the limit or at 1 MB."""
        span = checked_range(query)
        if span.is_empty:
            return Page((), None, Units())
        return _page(self._calls.send(self._client.query, self._query(query, span)), query.index)

    def scan(self, *, after: Cursor | None = None, limit: int | None = None) -> Page:
        """One page of all items, by the hashes of their keys."""
        check_scan(after, limit)
        request: _Wire = _TOTAL | {"TableName": self._name}
        if limit is not None:
            request["Limit"] = limit
        if after is not None:
            request["ExclusiveStartKey"] = key_to_wire(Key(after.pk, after.sk))
        return _page(self._calls.send(self._client.scan, request), None)

    def write(self, write: Put | Update | Delete) -> Written:
        """One write. One that would be wrong if it were done twice is not sent again when its answer was lost."""
        canonical = canonical_write(write)
        request = _TOTAL | self._action(canonical)
        repeatable = canonical.condition is None
        match canonical:
            case Put():
                answer = self._calls.send(self._client.put_item, request, repeatable=repeatable)
            case Delete():
                answer = self._calls.send(self._client.delete_item, request, repeatable=repeatable)
            case Update():
                repeatable = repeatable and not any(isinstance(change, Add) for change in canonical.changes)
                request["ReturnValues"] = "ALL_NEW"
                answer = self._calls.send(self._client.update_item, request, repeatable=repeatable)
            case _:
                assert_never(canonical)
        left = answer.get("Attributes")
        return Written(item_from_wire(left) if left else None, Units(write=_units(answer)))

    def transact(self, writes: Sequence[Write]) -> Units:
        """All writes or none. A token makes an attempt that is sent again count once."""
        actions = [{_VERBS[type(write)]: self._action(write)} for write in canonical_transaction(writes)]
        token = {"ClientRequestToken": str(uuid.uuid4())}
        answer = self._calls.send(self._client.transact_write_items, _TOTAL | token | {"TransactItems": actions})
        return Units(write=_units(answer))

    def write_batch(self, writes: Sequence[Put | Delete]) -> Units:
        """All writes, 25 a call, until none is left over."""
        requests = list(map(_batch_request, canonical_batch(writes)))
        written = Decimal(0)

        def send(part: list[_Wire]) -> list[_Wire]:
            nonlocal written
            request: _Wire = {**_TOTAL, "RequestItems": {self._name: part}}
            answer = self._calls.send(self._client.batch_write_item, request)
            written += _units(answer)
            return list(answer.get("UnprocessedItems", {}).get(self._name, []))

        for start in range(0, len(requests), _WRITE_AT_ONCE):
            self._calls.send_all(send, requests[start : start + _WRITE_AT_ONCE])
        return Units(write=written)

    def _get_one(self, key: Key, *, consistent: bool) -> Read:
        request = _TOTAL | {"TableName": self._name, "Key": key_to_wire(key), "ConsistentRead": consistent}
        answer = self._calls.send(self._client.get_item, request)
        item = answer.get("Item")
        return Read({key: item_from_wire(item)} if item else {}, Units(read=_units(answer)))

    def _get_many(self, keys: Sequence[Key], *, consistent: bool) -> Read:
        found: dict[Key, Item] = {}
        read = Decimal(0)

        def send(part: list[_Wire]) -> list[_Wire]:
            nonlocal read
            keys_and_how = {"Keys": part, "ConsistentRead": consistent}
            request: _Wire = {**_TOTAL, "RequestItems": {self._name: keys_and_how}}
            answer = self._calls.send(self._client.batch_get_item, request)
            read += _units(answer)
            for item in map(item_from_wire, answer["Responses"].get(self._name, [])):
                found[Key(str(item["pk"]), str(item["sk"]))] = item
            return list(answer.get("UnprocessedKeys", {}).get(self._name, {}).get("Keys", []))

        if keys:
            self._calls.send_all(send, [dict(key_to_wire(key)) for key in keys])
        return Read(found, Units(read=read))

    def _query(self, query: Query, span: Range) -> _Wire:
        prefix = "" if query.index is None else str(query.index)
        expressions = Expressions()
        condition = f"{expressions.name(f'{prefix}pk')} = {expressions.value(query.pk)}"
        if sort := _sort_condition(expressions, f"{prefix}sk", query, span):
            condition += f" AND {sort}"
        request: _Wire = _TOTAL | {
            "TableName": self._name,
            "KeyConditionExpression": condition,
            "ScanIndexForward": not query.descending,
            "ConsistentRead": query.consistent,
        }
        if query.index is not None:
            request["IndexName"] = INDEX_NAMES[query.index]
        if query.limit is not None:
            request["Limit"] = query.limit
        if query.after is not None:
            request["ExclusiveStartKey"] = _start_key(query, query.after)
        return request | expressions.placeholders()

    def _action(self, write: Write) -> _Wire:
        expressions = Expressions()
        action: _Wire = {"TableName": self._name}
        if isinstance(write, Put):
            action["Item"] = item_to_wire(write.item)
        else:
            action["Key"] = key_to_wire(write.key)
        if isinstance(write, Update):
            action["UpdateExpression"] = expressions.update(write.changes)
        if write.condition is not None:
            action["ConditionExpression"] = expressions.condition(write.condition)
        return action | expressions.placeholders()


_VERBS: Final = {Put: "Put", Update: "Update", Delete: "Delete", Check: "ConditionCheck"}


def _sort_condition(expressions: Expressions, name: str, query: Query, span: Range) -> str:
    if query.prefix is not None:
        return f"begins_with({expressions.name(name)}, {expressions.value(query.prefix)})"
    if span.low is not None and span.high is not None:
        return f"{expressions.name(name)} BETWEEN {expressions.value(span.low)} AND {expressions.value(span.high)}"
    if span.low is not None:
        return f"{expressions.name(name)} >= {expressions.value(span.low)}"
    if span.high is not None:
        return f"{expressions.name(name)} <= {expressions.value(span.high)}"
    return ""


def _start_key(query: Query, after: Cursor) -> _Wire:
    start: _Wire = dict(key_to_wire(Key(after.pk, after.sk)))
    if query.index is not None:
        start |= {f"{query.index}pk": {"S": query.pk}, f"{query.index}sk": {"S": after.index_sk}}
    return start


def _page(answer: Mapping[str, Any], index: Index | None) -> Page:
    items = tuple(item_from_wire(item) for item in answer["Items"])
    last = answer.get("LastEvaluatedKey")
    cursor = _cursor(item_from_wire(last), index) if last else None
    return Page(items, cursor, Units(read=_units(answer)))


def _cursor(last: Item, index: Index | None) -> Cursor:
    return Cursor(str(last["pk"]), str(last["sk"]), None if index is None else str(last[f"{index}sk"]))


def _batch_request(write: Put | Delete) -> _Wire:
    if isinstance(write, Put):
        return {"PutRequest": {"Item": item_to_wire(write.item)}}
    return {"DeleteRequest": {"Key": key_to_wire(write.key)}}


def _units(answer: Mapping[str, Any]) -> Decimal:
    consumed = answer.get("ConsumedCapacity", [])
    parts: Iterable[Mapping[str, float]] = [consumed] if isinstance(consumed, Mapping) else consumed
    return sum((Decimal(str(part["CapacityUnits"])) for part in parts), Decimal(0)).normalize() + 0
