"""The times of a head: written as they are, refused where they are none."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.domain.belief import Absence, Annotations, Head, State
from palimpsest.domain.errors import CorruptItem
from palimpsest.domain.ids import RootId, SpaceId
from palimpsest.stores import belief_codec

AT = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
HEAD = Head(
    RootId("mem_1"),
    SpaceId("s"),
    State.LIVE,
    current=2,
    count=2,
    revision=2,
    created_at=AT,
    changed_at=AT,
    recorded_at=AT,
    annotations=Annotations(),
    begins=AT - DAY,
    last_begin=AT + DAY,
    absences=(Absence(AT, AT + DAY), Absence(AT + 2 * DAY)),
)


def test_times_are_read_as_they_were_written() -> None:
    for head in (HEAD, replace(HEAD, begins=None, last_begin=None, absences=())):
        assert belief_codec.read_head(belief_codec.head_item(head, shards=1, waits_for_vectors=False)) == head


@pytest.mark.parametrize("absences", [["never"], ["2026-03-01T00:00:00.000Z/soon"], [""]])
def test_an_absence_that_is_none_is_refused(absences: list[str]) -> None:
    stored = belief_codec.head_item(HEAD, shards=1, waits_for_vectors=False) | {"absences": absences}

    with pytest.raises(CorruptItem):
        belief_codec.read_head(stored)
