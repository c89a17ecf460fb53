"""Who says a text already, word for word."""

from __future__ import annotations

from palimpsest.domain.belief import State
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.texts import Words
from palimpsest.usecases.accepted import Request
from palimpsest.usecases.gone import if_there
from palimpsest.usecases.steps import Steps


def said_before(steps: Steps, request: Request) -> Belief | None:
    """A live belief of the space that says the same, in the words of the same one; one that is not over, first."""
    words, over = Words.of(request.accepted.statement), None
    for root in steps.beliefs.find_text(request.accepted.space, words):
        belief = if_there(steps, request.caller, root)
        if belief is None or belief.head.state is not State.LIVE:
            continue
        if Words.of(belief.current.statement).form == words.form:
            if not is_over(steps, request, belief):
                return belief
            over = over or belief
    return over


def is_over(steps: Steps, request: Request, belief: Belief) -> bool:
    """What it says is shown no more, or not yet: by its own time, or since what it was made from is not there."""
    return request.accepted.outlives(belief) or bool(steps.sources.hidden([belief.current]))
