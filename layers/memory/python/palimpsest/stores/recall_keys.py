"""Where the records of recalls lie, and what follows from them."""

from __future__ import annotations

from datetime import date

from palimpsest.domain.ids import KeyId, RecallId, RootId, SpaceId
from palimpsest.ports.table import Key


def recall(space: SpaceId, key: KeyId, recall: RecallId) -> Key:
    return Key(f"EC#{space}#{key}", recall)


EMPTY_RECALLS = "none#"
"""Sort keys of recalls that gave no memory begin so, and lie before the others: who looks for echoes reads none."""


def empty_recall(space: SpaceId, key: KeyId, recall: RecallId) -> Key:
    return Key(f"EC#{space}#{key}", f"{EMPTY_RECALLS}{recall}")


REINFORCE = "REINFORCE"
"""Partition, in index two, of the keys whose recalls of a space are to be counted."""


def reinforcing(space: SpaceId) -> Key:
    """How far the recalls of the space are counted."""
    return Key(f"RU#{space}", "A")


RECALLERS = "K#"


def recaller(space: SpaceId, key: KeyId) -> Key:
    """Says that the key recalled in the space."""
    return Key(f"RU#{space}", f"{RECALLERS}{key}")


def space_of_recall(place: Key) -> SpaceId:
    """The space of the recall record that lies there."""
    return SpaceId(place.pk.split("#")[1])


def key_of_recall(place: Key) -> KeyId:
    """Whose recall record lies there."""
    return KeyId(place.pk.rpartition("#")[2])


def reinforcement(root: RootId) -> Key:
    return Key(f"M#{root}", "S")


def rating(root: RootId, key: KeyId, day: date) -> Key:
    """What the key says of the belief on that day."""
    return Key(f"M#{root}", f"RT#{day.isoformat()}#{key}")


_USAGES = "RD#"


def usage(space: SpaceId, day: date) -> Key:
    """The figures of a day's recalls."""
    return Key(f"S#{space}", f"{_USAGES}{day.isoformat()}")


def last_usage() -> str:
    """Behind the sort keys of all days."""
    return f"{_USAGES}~"


CANARIES = "CANARY"
"""Partition, in index two, of the spaces whose arms are to be asked by the canary."""


def canary(space: SpaceId) -> Key:
    """Says that the space was changed or recalled."""
    return Key(f"CN#{space}", "C")


def canaries() -> Key:
    """When each arm was last asked by the canary, in any space."""
    return Key(CANARIES, "A")


MUTE_ARMS = "M#"


def mute_arm(space: SpaceId, arm: str) -> Key:
    return Key(f"CN#{space}", f"{MUTE_ARMS}{arm}")


def mute_list(generation: str) -> str:
    """Partition, in index one, of the arms that were found mute while that generation answered."""
    return f"MUTE#{generation}"


def listed_mute(arm: str, since: str, space: SpaceId) -> str:
    """Sort key in `mute_list`."""
    return f"{arm}#{since}#{space}"
