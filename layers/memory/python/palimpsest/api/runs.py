"""Runs: what changes many memories at once, and what may be done about it."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.parameters import CursorQuery, Limit, RunPath, run_id
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.fields import Space
from palimpsest.api.wire.runs import (
    AutoRequest,
    ManyRequest,
    RunAnswer,
    RunEventsAnswer,
    RunItem,
    RunsAnswer,
    ScopeRequest,
)
from palimpsest.domain.access import Role

routes = Routes("runs")
_PAGE = "docs/api/runs.md"


@routes.route(
    "POST",
    "/memory/forget",
    summary="Forget all memories that a filter means",
    role=Role.WRITER,
    answers={202: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#forget-many", cli="forget"),
)
def forget_memories(call: Call, body: Annotated[ManyRequest, Body()]) -> RunAnswer:
    """A run: it may wait for approval, and can be undone; `dry_run` tells what it would forget."""
    selection = body.to_selection()
    begun = call.service.forget_many(
        call.caller, body.space, selection, is_dry=body.dry_run, idempotency=call.idempotency
    )
    return RunAnswer.of(begun)


@routes.route(
    "POST",
    "/memory/erase",
    summary="Erase all memories that a filter means",
    role=Role.OWNER,
    answers={202: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#erase-many", cli="erase"),
)
def erase_memories(call: Call, body: Annotated[ManyRequest, Body()]) -> RunAnswer:
    """For good, forgotten ones too; it can't be undone, and waits for approval whenever it is over the limit."""
    begun = call.service.erase_many(
        call.caller, body.space, body.to_selection(), is_dry=body.dry_run, idempotency=call.idempotency
    )
    return RunAnswer.of(begun)


@routes.route(
    "POST",
    "/memory/conflicts/resolve-auto",
    summary="Have the language model decide the pending conflicts",
    role=Role.WRITER,
    answers={202: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#let-the-model-decide-conflicts", cli="resolve-auto"),
)
def resolve_auto(call: Call, body: Annotated[AutoRequest, Body()]) -> RunAnswer:
    """A run: it decides what the model is sure of, and can be undone; what it is not sure of stays pending."""
    begun = call.service.resolve_auto(call.caller, body.space, is_dry=body.dry_run, idempotency=call.idempotency)
    return RunAnswer.of(begun)


@routes.route(
    "GET",
    "/runs",
    summary="List runs, newest first",
    role=Role.READER,
    answers={200: RunsAnswer},
    surface=Surface(f"{_PAGE}#list-runs", cli="runs"),
)
def list_runs(
    call: Call,
    space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> RunsAnswer:
    """Those of one space."""
    return RunsAnswer.of(call.service.runs.page(call.caller, space=space, limit=limit, cursor=cursor))


@routes.route(
    "GET",
    "/runs/<id>",
    summary="How a run stands",
    role=Role.READER,
    answers={200: RunItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#look-at-a-run", cli="run"),
)
def get_run(call: Call, id: RunPath) -> RunItem:
    """Its state and its counts."""
    return RunItem.of(call.service.runs.show(call.caller, run_id(id)))


@routes.route(
    "GET",
    "/runs/<id>/events",
    summary="The log of a run, with each item of its plan",
    role=Role.READER,
    answers={200: RunEventsAnswer},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#the-log-of-a-run", cli="run"),
)
def list_run_events(call: Call, id: RunPath, limit: Limit = 50, cursor: CursorQuery = None) -> RunEventsAnswer:
    """Ids and words of ours, never a text."""
    return RunEventsAnswer.of(call.service.runs.lines(call.caller, run_id(id), limit=limit, cursor=cursor))


@routes.route(
    "POST",
    "/runs/<id>/stop",
    summary="Stop a run",
    role=Role.WRITER,
    answers={200: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#stop", cli="stop"),
)
def stop_run(call: Call, id: RunPath) -> RunAnswer:
    """What it has done stays done; by an owner, or by the key that asked for it."""
    return RunAnswer.of(call.service.runs.stop(call.caller, run_id(id), call.idempotency))


@routes.route(
    "POST",
    "/runs/<id>/undo",
    summary="Take back what a run did",
    role=Role.OWNER,
    answers={202: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#undo", cli="undo"),
)
def undo_run(call: Call, id: RunPath) -> RunAnswer:
    """As a unit; what was changed since stays as it is, and the log names it."""
    return RunAnswer.of(call.service.runs.undo(call.caller, run_id(id), call.idempotency))


@routes.route(
    "POST",
    "/runs/<id>/approve",
    summary="Let a run that waits go on",
    role=Role.OWNER,
    answers={202: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#approve", cli="approve"),
)
def approve_run(call: Call, id: RunPath, body: Annotated[ScopeRequest, Body()]) -> RunAnswer:
    """`once`: this run; `always`: also later ones of its kind in its space."""
    return RunAnswer.of(call.service.runs.approve(call.caller, run_id(id), body.scope, call.idempotency))


@routes.route(
    "POST",
    "/runs/<id>/deny",
    summary="End a run that waits",
    role=Role.OWNER,
    answers={200: RunAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#deny", cli="deny"),
)
def deny_run(call: Call, id: RunPath, body: Annotated[ScopeRequest, Body()]) -> RunAnswer:
    """With nothing done; `always` also takes back an approval for always."""
    return RunAnswer.of(call.service.runs.deny(call.caller, run_id(id), body.scope, call.idempotency))
