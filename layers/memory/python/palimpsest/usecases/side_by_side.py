"""The same question about several things: side by side where each waits for a network, else in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


def side_by_side(
    ask: Callable[[Asked], Answer], about: Sequence[Asked], executor: Executor | None, seconds: float
) -> dict[Asked, Answer]:
    """The answers. Without an `executor` they are computed here: threads would only take the interpreter in turns.

    Raises:
        TimeoutError: They took more than `seconds`.
    """
    answers = map(ask, about) if executor is None else executor.map(ask, about, timeout=seconds)
    return dict(zip(about, answers, strict=True))
