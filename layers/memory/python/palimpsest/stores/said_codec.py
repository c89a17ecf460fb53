"""How something was said, as attributes of an item."""

from __future__ import annotations

from palimpsest.domain.talk import Cue, Place, Said
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader


def of_place(place: Place | None) -> dict[str, Value]:
    """None for what stands alone."""
    return {} if place is None else {"talk": place.talk, "turn": place.turn}


def read_place(r: Reader) -> Place | None:
    return r.optional("talk", lambda name: Place(r.integer(name), r.integer("turn")))


def attributes(said: Said) -> dict[str, Value]:
    """Those that say more than nothing."""
    speaker: dict[str, Value] = {"speaker": said.speaker} if said.speaker else {}
    cues: dict[str, Value] = {"cues": int(said.cues)} if said.cues else {}
    return of_place(said.place) | speaker | cues


def read(r: Reader) -> Said:
    """What `attributes` wrote."""
    return Said(read_place(r), r.optional("speaker", r.text) or "", Cue(r.optional("cues", r.integer) or 0))
