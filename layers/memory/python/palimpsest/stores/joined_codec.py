"""What a join did, as the item of its run's plan keeps it."""

from __future__ import annotations

import json

from palimpsest.domain import instants
from palimpsest.domain.belief import Annotations
from palimpsest.domain.errors import CorruptItem
from palimpsest.domain.ids import ConflictId, RunId
from palimpsest.domain.joining import Joined
from palimpsest.domain.run_plan import PlanItem
from palimpsest.ports.table import Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader
from palimpsest.stores.conflict_codec import read_ref


def written(joined: Joined) -> str:
    """As text of ids, numbers and dates."""
    told: dict[str, object] = {"into": str(joined.into)}
    if joined.made is not None:
        told |= {"made": joined.made, "conflicts": joined.begun}
    if joined.tags is not None:
        marks, ends = joined.marks, joined.marks.expires_at
        told |= {"tags": joined.tags, "pinned": marks.pinned, "importance": str(marks.importance)}
        told |= {} if ends is None else {"expires_at": instants.write(ends)}
    return json.dumps(told)


def read(run: RunId, item: PlanItem) -> Joined:
    """What `written` wrote into the item of that run; CorruptItem when it is none."""
    r = _reader(run, item)
    tags = r.optional("tags", r.integer)
    marks = Annotations()
    if tags is not None:
        ends = r.optional("expires_at", r.instant)
        marks = Annotations((), r.flag("pinned"), r.parsed("importance", float), ends)
    begun = tuple(map(ConflictId, r.texts("conflicts")))
    return Joined(r.parsed("into", read_ref), r.optional("made", r.integer), begun, tags, marks)


def _reader(run: RunId, item: PlanItem) -> Reader:
    place = keys.plan_page(run, 0)
    try:
        told: dict[str, Value] = json.loads(item.detail)
        return Reader({**told, "pk": place.pk, "sk": place.sk})
    except (TypeError, ValueError) as error:
        raise CorruptItem(*place, "attribute detail") from error
