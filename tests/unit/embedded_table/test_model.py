"""The table against a model of it: a dictionary, and the few rules that the port tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import (
    Add,
    Between,
    Check,
    Condition,
    Delete,
    Equals,
    Exists,
    Index,
    Item,
    Key,
    Less,
    Missing,
    Put,
    Query,
    Remove,
    Set,
    Update,
    Value,
    Write,
)
from tests.support.examples import examples

PARTITIONS = st.sampled_from(["M#1", "M#2", "T#1", "ż"])
SORTS = st.sampled_from(["H", "V#1", "V#2", "V#10", "ą", "一", "\U0001f600", "\x00", "~"])
KEYS = st.builds(Key, PARTITIONS, SORTS)
SCALARS: st.SearchStrategy[Value] = st.one_of(
    st.integers(-3, 3),
    st.decimals(-1, 1, places=1).map(lambda number: int(number) if number == int(number) else number.normalize()),
    st.sampled_from(["", "a", "ż", b"", b"\xff", True, False]),
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab"), inner))
)
PLAIN = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES)
ENTRIES = st.one_of(
    st.just({}),
    st.builds(lambda one, sort: {f"{one}pk": "P", f"{one}sk": sort}, st.sampled_from(list(Index)), SORTS),
)
ITEMS: st.SearchStrategy[Item] = st.builds(
    lambda key, plain, entry: {"pk": key.pk, "sk": key.sk, **plain, **entry}, KEYS, PLAIN, ENTRIES
)

# A condition beside what it means.
CONDITIONS: dict[str, tuple[Condition, Callable[[Item], bool]]] = {
    "new": (Missing("pk"), lambda item: not item),
    "there": (Exists("pk"), bool),
    "a is 1": (Equals("a", 1), lambda item: item.get("a") == 1 and item.get("a") is not True),
    "b under 0": (Less("b", 0), lambda item: is_number(item.get("b")) and item["b"] < 0),  # type: ignore[operator]
    "b small": (
        Between("b", Decimal("-0.5"), 1),
        lambda item: is_number(item.get("b")) and Decimal("-0.5") <= item["b"] <= 1,  # type: ignore[operator]
    ),
}
NAMED_CONDITIONS = st.one_of(st.none(), st.sampled_from(sorted(CONDITIONS)))
CHANGES = st.lists(
    st.one_of(
        st.builds(Set, st.sampled_from("ab"), VALUES),
        st.builds(Remove, st.sampled_from("abc")),
        st.builds(Add, st.just("count"), st.integers(-2, 2)),
        st.builds(Set, st.sampled_from(["g1sk", "g2sk"]), SORTS),
    ),
    min_size=1,
    unique_by=lambda change: change.attribute,
).map(tuple)


def is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


@st.composite
def writes(draw: st.DrawFn) -> tuple[Write, str | None]:
    """A write without its condition, and the name of the condition."""
    name = draw(NAMED_CONDITIONS)
    write: Write = draw(
        st.one_of(
            st.builds(Put, ITEMS),
            st.builds(Delete, KEYS),
            st.builds(Update, KEYS, CHANGES),
            st.builds(Check, KEYS, st.just(Exists("pk"))),
        )
    )
    return (write, name or "there") if isinstance(write, Check) else (write, name)


class TableAndModel(RuleBasedStateMachine):
    """Does the same to the table and to a dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.table = SqliteTable()
        self.model: dict[Key, Item] = {}

    def teardown(self) -> None:
        self.table.close()

    @rule(asked=writes())
    def write(self, asked: tuple[Write, str | None]) -> None:
        write, name = conditional(*asked)
        if isinstance(write, Check):
            return
        if not holds(name, self.model.get(key_of(write), {})):
            assert self.failed_positions([write]) == (0,)
            return
        left = self.table.write(write).item
        self.apply(write)
        assert left == (self.model[write.key] if isinstance(write, Update) else None)

    @rule(asked=st.lists(writes(), min_size=1, max_size=6, unique_by=lambda pair: key_of(pair[0])))
    def transact(self, asked: list[tuple[Write, str | None]]) -> None:
        named = [conditional(*each) for each in asked]
        failed = tuple(
            position
            for position, (write, name) in enumerate(named)
            if not holds(name, self.model.get(key_of(write), {}))
        )
        if failed:
            assert self.failed_positions([write for write, _ in named]) == failed
            return
        self.table.transact([write for write, _ in named])
        for write, _ in named:
            self.apply(write)

    @rule(items=st.lists(ITEMS, max_size=5, unique_by=lambda item: (item["pk"], item["sk"])))
    def write_batch(self, items: list[Item]) -> None:
        self.table.write_batch([Put(item) for item in items])
        for item in items:
            self.apply(Put(item))

    @rule(pk=PARTITIONS, prefix=st.one_of(st.none(), SORTS, st.just("V#")), down=st.booleans(), limit=st.integers(1, 4))
    def query(self, pk: str, prefix: str | None, down: bool, limit: int) -> None:
        expected = sorted(
            (item for key, item in self.model.items() if key.pk == pk and key.sk.startswith(prefix or "")),
            key=lambda item: str(item["sk"]).encode(),
            reverse=down,
        )

        assert self.pages(Query(pk, prefix=prefix, descending=down, limit=limit, consistent=True)) == expected

    @rule(index=st.sampled_from(list(Index)), low=st.one_of(st.none(), SORTS), down=st.booleans())
    def query_index(self, index: Index, low: str | None, down: bool) -> None:
        names = ("pk", "sk", f"{index}pk", f"{index}sk")
        entries = [
            {name: item[name] for name in names}
            for item in self.model.values()
            if f"{index}pk" in item and f"{index}sk" in item and str(item[f"{index}sk"]) >= (low or "")
        ]
        expected = sorted(entries, key=lambda item: [str(item[name]) for name in (f"{index}sk", "pk", "sk")])

        assert self.pages(Query("P", index, low=low, descending=down, limit=2)) == expected[:: -1 if down else 1]

    @invariant()
    def every_item_is_there(self) -> None:
        assert self.table.get([*self.model, Key("none", "none")]).items == self.model

    def failed_positions(self, all_of_it: list[Write]) -> tuple[int, ...] | None:
        try:
            self.table.transact(all_of_it)
        except ConditionFailed as failure:
            return failure.failed
        return None

    def pages(self, query: Query) -> list[Item]:
        found: list[Item] = []
        while True:
            page = self.table.query(query)
            found += page.items
            if page.next_cursor is None:
                return found
            query = replace(query, after=page.next_cursor)

    def apply(self, write: Write) -> None:
        key = key_of(write)
        match write:
            case Put():
                self.model[key] = write.item
            case Delete():
                self.model.pop(key, None)
            case Update():
                item = dict(self.model.get(key, {"pk": key.pk, "sk": key.sk}))
                for change in write.changes:
                    change_item(item, change)
                self.model[key] = item


def conditional(write: Write, name: str | None) -> tuple[Write, str | None]:
    return (write if name is None else replace(write, condition=CONDITIONS[name][0])), name


def holds(name: str | None, item: Item) -> bool:
    return name is None or CONDITIONS[name][1](item)


def key_of(write: Write) -> Key:
    return Key(str(write.item["pk"]), str(write.item["sk"])) if isinstance(write, Put) else write.key


def change_item(item: dict[str, Value], change: Set | Add | Remove) -> None:
    if isinstance(change, Set):
        item[change.attribute] = change.value
    elif isinstance(change, Remove):
        item.pop(change.attribute, None)
    else:
        item[change.attribute] = item.get(change.attribute, 0) + change.amount  # type: ignore[operator]


TestTableAndModel = TableAndModel.TestCase
TestTableAndModel.settings = settings(max_examples=examples(20), stateful_step_count=20, deadline=None)
