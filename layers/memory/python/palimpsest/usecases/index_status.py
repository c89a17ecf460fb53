"""How the search index stands; and the order to build it anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import IndexUnavailable, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.search_index import Generation
from palimpsest.stores.idempotency import Answered, IdempotencyRecords
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.arm_health import ArmHealth, ArmStanding
from palimpsest.usecases.ask_model import AskModel
from palimpsest.usecases.searching import Searching

_PENDING_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How the search index stands. `state`: ``ready``, ``building``, ``other_model``, or why it can't be asked.

    What counts over all spaces is None for a key that does not cover every space.

    Attributes:
        pending_embeddings: Beliefs that wait for their vectors, 1,000 at most.
        failure: Why the last build was given up, until another one is begun.
        given_up: Records and messages that background functions gave up since the start; None also in AWS.
        lag_seconds: How far it is behind; None for an installation without one.
    """

    state: str
    generation: str | None
    model: str
    pending_embeddings: int | None
    given_up: int | None
    lag_seconds: float | None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class ModelReport:
    """The language model. `is_used_up`: today's budget pays for no more questions, so everything goes on without it."""

    name: str
    is_used_up: bool


@dataclass(frozen=True, slots=True)
class StatusReport:
    """What runs, with which models."""

    version: str
    store: str
    embedder: str
    embedder_engine: str
    model: ModelReport | None
    reranker: str | None
    index: IndexReport
    arms: tuple[ArmStanding, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """What runs: fixed when the process starts; None where there is none.

    Attributes:
        given_up: As in `IndexReport`.
        reranker: Its name.
    """

    version: str
    store: str
    embedder_engine: Callable[[], str]
    given_up: Callable[[], int | None]
    ask_model: AskModel | None = None
    reranker: str | None = None


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """Reports, and begins a rebuild.

    Attributes:
        waiting: How many beliefs wait for their vectors, counted up to a limit.
        begin_build: Begins a new generation; the background fills it.
    """

    running: Running
    searching: Searching
    spaces: Spaces
    embedder: Embedder
    waiting: Callable[[int], int]
    begin_build: Callable[[], Generation]
    idempotency: IdempotencyRecords
    health: ArmHealth

    def report(self, caller: Caller) -> StatusReport:
        """What runs, with which models, and how the index stands; the lag is that of the caller's own space."""
        caller.require(Role.READER)
        model = self.embedder.model
        name = f"{model.name}@{model.revision}"
        running = self.running
        ask = running.ask_model
        return StatusReport(
            running.version,
            running.store,
            name,
            running.embedder_engine(),
            None if ask is None else ModelReport(ask.name, ask.is_used_up()),
            running.reranker,
            self._index(caller),
            self.health.standing(caller, self.searching.state().active),
        )

    def rebuild(self, caller: Caller, idempotency: Idempotency | None = None) -> IndexReport:
        """Begin to build the index anew with the present model, beside the one that answers; for owners.

        A repeated request begins nothing.

        Raises:
            WrongState: There is no index, by the settings.
        """
        caller.require(Role.OWNER)
        if self.searching.indexes.is_off:
            raise WrongState(
                "off", "this installation has no search index (PALIMPSEST_SEARCH=off), so there is none to build"
            )
        now = self.searching.clock.now()
        if idempotency is None or self.idempotency.answered(caller.key, idempotency, now) is None:
            generation = self.begin_build()
            if idempotency is not None:
                answered = Answered(generation.id, 0, "begun")
                self.idempotency.keep(self.idempotency.record(caller.key, idempotency, answered, now))
        return self._index(caller)

    def _index(self, caller: Caller) -> IndexReport:
        self.searching.forget()  # another process may have built
        state = self.searching.state()
        answering, word = self._answering()
        if state.building:
            word = "building"
        space = self.spaces.find(caller.default_space) if caller.may_enter(caller.default_space) else None
        lag = self.searching.tail(space, answering).lag if space else timedelta()
        generation = state.active or state.building
        sees_all = caller.spaces is None
        return IndexReport(
            state=word,
            generation=generation.id if generation else None,
            model=f"{generation.model.name}@{generation.model.revision}" if generation else "",
            pending_embeddings=self.waiting(_PENDING_SHOWN) if sees_all else None,
            given_up=self.running.given_up() if sees_all else None,
            lag_seconds=None if self.searching.indexes.is_off else lag.total_seconds(),
            failure=state.failure if sees_all else None,
        )

    def _answering(self) -> tuple[Generation | None, str]:
        """The generation that answers, and the word for how it stands. No engine is woken only to be looked at."""
        try:
            generation = self.searching.answering()
            if not self.searching.indexes.is_remote:
                self.searching.open(generation)
        except IndexUnavailable as error:
            return None, error.reason.removeprefix("index_")
        return generation, "ready" if generation.model == self.embedder.model else "other_model"
