"""The vocabulary of a space: shown, changed, and its proposals answered."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from palimpsest.api.parameters import TermPath, term_ref
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.fields import Space
from palimpsest.api.wire.vocabulary import (
    ApproveTermRequest,
    NewTermRequest,
    TermAnswer,
    TermChangeRequest,
    TermHistoryItem,
    VocabularyAnswer,
)
from palimpsest.domain.access import Role

routes = Routes("vocabulary")
_PAGE = "docs/api/vocabulary.md"


@routes.route(
    "GET",
    "/memory/schema",
    summary="Show the vocabulary of a space",
    role=Role.READER,
    answers={200: VocabularyAnswer},
    surface=Surface(f"{_PAGE}#show-the-vocabulary", cli="schema"),
)
def get_vocabulary(
    call: Call, space: Annotated[Space | None, Query(description="The key's default space when left out.")] = None
) -> VocabularyAnswer:
    """All terms with live counts, and the proposals that at least two sources have use for."""
    return VocabularyAnswer.of(call.service.vocabulary.show(call.caller, space))


@routes.route(
    "POST",
    "/memory/schema",
    summary="Add a term",
    role=Role.WRITER,
    answers={201: TermAnswer},
    refusals=(409,),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#add-a-term", cli="schema"),
)
def add_term(call: Call, body: Annotated[NewTermRequest, Body()]) -> TermAnswer:
    """The name is put in snake_case. 409 when the space has the term, or a hundred of its own."""
    return TermAnswer.of(call.service.vocabulary.add(call.caller, body.to_term(), call.idempotency))


@routes.route(
    "GET",
    "/memory/schema/<id>",
    summary="Read a term with its history",
    role=Role.READER,
    answers={200: TermHistoryItem},
    refusals=(404,),
    surface=Surface(f"{_PAGE}#read-a-term", cli="schema"),
)
def get_term(call: Call, id: TermPath) -> TermHistoryItem:
    """Who changed it, when, and how it stood before."""
    return TermHistoryItem.told(*call.service.vocabulary.show.one(call.caller, term_ref(id)))


@routes.route(
    "PATCH",
    "/memory/schema/<id>",
    summary="Describe, disable or enable a term",
    role=Role.WRITER,
    answers={200: TermAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#change-a-term", cli="schema"),
)
def change_term(call: Call, id: TermPath, body: Annotated[TermChangeRequest, Body()]) -> TermAnswer:
    """No text is read with a disabled term; what it names stays. Only terms of the tier `user` are described."""
    vocabulary, ref = call.service.vocabulary, term_ref(id)
    if body.description is not None:
        return TermAnswer.of(vocabulary.describe(call.caller, ref, body.description))
    return TermAnswer.of(vocabulary.switch(call.caller, ref, is_on=body.status == "active"))


@routes.route(
    "DELETE",
    "/memory/schema/<id>",
    summary="Delete a disabled term",
    role=Role.WRITER,
    answers={200: TermAnswer},
    refusals=(404, 409),
    writes=Writes.EACH_TIME,
    surface=Surface(f"{_PAGE}#delete-a-term", cli="schema"),
)
def delete_term(call: Call, id: TermPath) -> TermAnswer:
    """Only of the tier `user`; 409 for another one, and for one that is active. What it names stays."""
    return TermAnswer.of(call.service.vocabulary.delete(call.caller, term_ref(id)))


@routes.route(
    "POST",
    "/memory/schema/<id>/approve",
    summary="Take up a proposal",
    role=Role.WRITER,
    answers={200: TermAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#approve-a-proposal", cli="schema"),
)
def approve_term(call: Call, id: TermPath, body: Annotated[ApproveTermRequest | None, Body()] = None) -> TermAnswer:
    """A term of the tier `user` from now on; its examples are linked at once. The description is its rule."""
    vocabulary, ref, description = call.service.vocabulary, term_ref(id), None if body is None else body.description
    return TermAnswer.of(vocabulary.approve(call.caller, ref, description, call.idempotency))


@routes.route(
    "POST",
    "/memory/schema/<id>/dismiss",
    summary="Turn a proposal down",
    role=Role.WRITER,
    answers={200: TermAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#dismiss-a-proposal", cli="schema"),
)
def dismiss_term(call: Call, id: TermPath) -> TermAnswer:
    """Nobody proposes it until it is reopened."""
    return TermAnswer.of(call.service.vocabulary.dismiss(call.caller, term_ref(id), call.idempotency))


@routes.route(
    "POST",
    "/memory/schema/<id>/reopen",
    summary="Take back that a proposal was turned down",
    role=Role.WRITER,
    answers={200: TermAnswer},
    refusals=(404, 409),
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#reopen-a-proposal", cli="schema"),
)
def reopen_term(call: Call, id: TermPath) -> TermAnswer:
    """It waits again, and shows as soon as two sources have use for it."""
    return TermAnswer.of(call.service.vocabulary.reopen(call.caller, term_ref(id), call.idempotency))
