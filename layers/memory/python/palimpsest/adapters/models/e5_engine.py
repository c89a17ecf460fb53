"""Which program runs the model: numpy always, CTranslate2 where it can be had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from palimpsest.adapters.models.e5_weights import Weights
from palimpsest.ports.embedder import Vector


class TokenStates(Protocol):
    """The model itself. Any number of threads may call it at once."""

    def __call__(self, windows: Sequence[Sequence[int]]) -> list[Vector]:
        """The last layer's state of each token, for each window of token ids, special ones included.

        A window has at least one token and at most the model's window; shapes are (tokens, width).
        """
        ...


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs the model in this process.

    Attributes:
        name: ``ctranslate2`` or ``numpy``.
        states: The model.
        fallback: Why it is not the fast engine, for people; None when it is, or when nobody asked for it.
    """

    name: str
    states: TokenStates
    fallback: str | None = None


EngineChoice: TypeAlias = Callable[[Weights], Engine]


def numpy_engine(weights: Weights) -> Engine:
    """The engine that needs no preparation."""
    from palimpsest.adapters.models.e5_numpy import NumpyStates

    return Engine("numpy", NumpyStates(weights))


def fastest_engine(cache: Path, *, workers: int = 2) -> EngineChoice:
    """A choice of CTranslate2 where its package is installed and its model can be made in `cache`, else of numpy.

    The model is made once (about two seconds, 120 MB of disk) and then only opened. `workers` is how many windows are
    run at a time; each has its own thread.
    """

    def choose(weights: Weights) -> Engine:
        from palimpsest.adapters.models import e5_ctranslate2

        try:
            return Engine("ctranslate2", e5_ctranslate2.open_states(weights, cache, workers=workers))
        except e5_ctranslate2.NotAvailable as error:
            engine = numpy_engine(weights)
            return Engine(engine.name, engine.states, fallback=str(error))

    return choose
