"""How many things were said in each session: what is saved next gets the next number."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.ids import SpaceId
from palimpsest.domain.talk import Place, talk_of
from palimpsest.ports.table import Add, Set, Table, Update
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.kinds import NOW


@dataclass(frozen=True, slots=True)
class Talks:
    """Numbers what is said. A save waits for no other one: the number is drawn before its transaction."""

    table: Table
    deployment: Deployment

    def draw(self, space: SpaceId, session: str, count: int = 1) -> list[Place]:
        """The next places in a session. None is ever given twice; one whose save comes to nothing stays empty."""
        key = keys.talk(space, self.deployment.mac("talk", space, session))
        written = self.table.write(Update(key, (Add("turns", count), Set("_v", NOW.of(key).writes))))
        turns = Reader(written.item or {}).integer("turns")
        return [Place(talk_of(session), turn) for turn in range(turns - count, turns)]
