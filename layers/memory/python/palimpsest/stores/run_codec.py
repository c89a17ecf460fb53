"""Runs, their plans and their events as items."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.errors import CorruptItem
from palimpsest.domain.ids import KeyId, RunId, SpaceId
from palimpsest.domain.run import Phase, Run, RunEvent, RunKind, RunStatus
from palimpsest.domain.run_plan import Counts, ItemState, PlanItem
from palimpsest.ports.table import Item, Key, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

_EVENTS_KEPT: Final = timedelta(days=90)
_COUNTS: Final = ("planned", "changes", "applied", "skipped", "failed", "undone", "kept")


def run_item(run: Run) -> dict[str, Value]:
    """The run, listed in its space and, while there is something to do, among the working ones."""
    begun = instants.write(run.begun_at)
    stored = item(
        keys.run(run.id),
        kind=run.kind,
        space=run.space,
        by=run.by,
        begun_at=run.begun_at,
        changed_at=run.changed_at,
        status=run.status,
        phase=run.phase,
        revision=run.revision,
        is_dry=run.is_dry,
        asked=run.asked or None,
        place=run.place or None,
        pages=run.pages,
        page=run.page,
        reason=run.reason,
        needs_approval=run.needs_approval,
        approved_by=run.approved_by,
        finished_at=run.finished_at,
        g1pk=keys.runs_of(run.space),
        g1sk=keys.listed_run(begun, run.id),
        **{name: getattr(run.counts, name) for name in _COUNTS},
    )
    if run.phase.is_working:
        stored |= {"g2pk": keys.WORKING_RUNS, "g2sk": keys.listed_run(instants.write(run.changed_at), run.id)}
    return stored


def read_run(stored: Item) -> Run:
    """The run in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Run(
        id=RunId(r.text("pk").removeprefix("R#")),
        kind=r.choice("kind", RunKind),
        space=SpaceId(r.text("space")),
        by=KeyId(r.text("by")),
        begun_at=r.instant("begun_at"),
        changed_at=r.instant("changed_at"),
        status=r.choice("status", RunStatus),
        phase=r.choice("phase", Phase),
        revision=r.integer("revision"),
        is_dry=r.flag("is_dry"),
        asked=r.optional("asked", r.text) or "",
        place=r.optional("place", r.text) or "",
        pages=r.integer("pages"),
        page=r.integer("page"),
        counts=Counts(**{name: r.integer(name) for name in _COUNTS}),
        reason=r.optional("reason", r.text),
        needs_approval=r.flag("needs_approval"),
        approved_by=r.optional("approved_by", lambda name: KeyId(r.text(name))),
        finished_at=r.optional("finished_at", r.instant),
    )


def event_item(run: RunId, event: RunEvent) -> dict[str, Value]:
    """One line of the run's log, for 90 days."""
    expires = instants.epoch_seconds(event.at + _EVENTS_KEPT)
    return item(
        keys.run_event(run, event.number),
        number=event.number,
        at=event.at,
        what=event.what,
        by=event.by,
        note=event.note,
        ttl=expires,
    )


def read_event(stored: Item) -> RunEvent:
    """The event in an item; CorruptItem when it is none."""
    r = Reader(stored)
    by = r.optional("by", lambda name: KeyId(r.text(name)))
    return RunEvent(r.integer("number"), r.instant("at"), r.text("what"), by, r.optional("note", r.text))


def read_lines(stored: Item) -> tuple[RunEvent, ...] | tuple[PlanItem, ...]:
    """What an item of a run's log tells: an event, or the items of a page of its plan."""
    is_page = keys.kind(Key(str(stored["pk"]), str(stored["sk"]))) == "plan_page"
    return read_page(stored) if is_page else (read_event(stored),)


def page_item(run: RunId, number: int, items: tuple[PlanItem, ...]) -> dict[str, Value]:
    """One page of a plan."""
    return item(keys.plan_page(run, number), items=[_written(each) for each in items])


def read_page(stored: Item) -> tuple[PlanItem, ...]:
    """The items of a page; CorruptItem when it is none."""
    r = Reader(stored)
    place = {"pk": r.text("pk"), "sk": r.text("sk")}
    members = stored.get("items", ())
    if isinstance(members, str | bytes) or not isinstance(members, list | tuple):
        raise CorruptItem(place["pk"], place["sk"], "attribute items")
    return tuple(_plan_item(Reader({**each, **place})) for each in members if isinstance(each, dict))


def _written(each: PlanItem) -> dict[str, Value]:
    written: dict[str, Value] = {"subject": each.subject, "seen": each.revision, "state": each.state}
    written |= {"changes": each.changes} if each.changes != 1 else {}
    written |= {"detail": each.detail} if each.detail else {}
    return written | ({"reason": each.reason} if each.reason else {})


def _plan_item(r: Reader) -> PlanItem:
    changes = r.optional("changes", r.integer)
    return PlanItem(
        subject=r.text("subject"),
        revision=r.integer("seen"),
        changes=1 if changes is None else changes,
        detail=r.optional("detail", r.text) or "",
        state=r.choice("state", ItemState),
        reason=r.optional("reason", r.text) or "",
    )
