"""Which live beliefs of a space say a text, so that saving it again changes nothing.

The same words of two people are two texts: "I like coffee" tells of each another thing.

The first one has the text's record; another one that comes to say the same has a record of its own beside it. So no
step of one belief touches what another one's step wrote, and when the first is forgotten the text is still found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import ConditionFailed, HeadMoved, TextTaken
from palimpsest.domain.ids import RootId
from palimpsest.domain.text import same_text_form
from palimpsest.domain.traits import Traits
from palimpsest.domain.version import Statement
from palimpsest.ports.table import Delete, Equals, Key, Missing, Put, Query, Table, Write
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.spaces import Space

_HOLDERS: Final = 10


class Words(NamedTuple):
    """A text, and whose words it is.

    Attributes:
        traits: What filters ask of the version that says it.
    """

    content: str
    attributed_to: str | None
    traits: Traits | None = None

    @classmethod
    def of(cls, statement: Statement) -> Words:
        """What a statement says."""
        return cls(statement.content, statement.attributed_to, Traits.of(statement))

    @property
    def form(self) -> tuple[str, str | None]:
        """What two have in common when they count as the same."""
        return same_text_form(self.content), self.attributed_to


@dataclass(frozen=True, slots=True)
class Texts:
    """Finds holders, and prepares the writes of those that come and go."""

    table: Table
    deployment: Deployment

    def find(self, space: Space, words: Words) -> list[RootId]:
        """Live beliefs of the space whose current words are the same, white space aside; the record's own first.

        A few of them, should there be more.
        """
        pk = keys.text(space.id, self.mac(words)).pk
        query: Query | None = Query(pk, descending=True, limit=_HOLDERS, consistent=True)
        while query is not None:
            page = self.table.query(query)
            if page.items:
                return [RootId(Reader(each).text("root")) for each in page.items]
            query = replace(query, after=page.next_cursor) if page.next_cursor else None
        return []

    def writes(
        self, space: Space, before: tuple[Head | None, Words | None], after: tuple[Head, Words | None]
    ) -> list[tuple[Write, type[ConditionFailed]]]:
        """What moves a belief's record along with a step from one head and text to another.

        With each write the failure that its condition stands for: TextTaken when another belief has the text's record.
        """
        left, taken = self._place(space, *before), self._place(space, *after)
        if left == taken:
            return []
        root = after[0].root
        writes: list[tuple[Write, type[ConditionFailed]]] = []
        if left is not None:
            is_record = left.sk == keys.TEXT_RECORD
            writes.append((Delete(left, Equals("root", root) if is_record else None), HeadMoved))
        if taken is not None:
            is_record = taken.sk == keys.TEXT_RECORD
            writes.append((Put(item(taken, root=root), Missing("pk") if is_record else None), TextTaken))
        return writes

    def _place(self, space: Space, head: Head | None, words: Words | None) -> Key | None:
        if head is None or words is None or head.state is not State.LIVE:
            return None
        mac = self.mac(words)
        return keys.text(space.id, mac) if head.owns_text else keys.text_holder(space.id, mac, head.root)

    def mac(self, words: Words) -> str:
        """The keyed hash that records of these words lie under."""
        text, whose = words.form
        return self.deployment.mac("text", text, *([] if whose is None else [whose]))


def handed_over(
    writes: Sequence[tuple[tuple[Write, type[ConditionFailed]], int]],
) -> list[tuple[tuple[Write, type[ConditionFailed]], int]]:
    """The writes of several beliefs, each with its belief's position, as one transaction can hold them.

    Where one belief lets go of a text's record and another takes it, that is one write on the item.
    """
    let_go = {each.key: each for (each, _), _ in writes if isinstance(each, Delete)}
    taken = {_key(each) for (each, _), _ in writes if isinstance(each, Put)} & let_go.keys()
    joined: list[tuple[tuple[Write, type[ConditionFailed]], int]] = []
    for (each, failure), at in writes:
        if isinstance(each, Put) and _key(each) in taken:
            joined.append(((Put(each.item, let_go[_key(each)].condition), HeadMoved), at))
        elif not (isinstance(each, Delete) and each.key in taken):
            joined.append(((each, failure), at))
    return joined


def _key(put: Put) -> Key:
    return Key(str(put.item["pk"]), str(put.item["sk"]))
