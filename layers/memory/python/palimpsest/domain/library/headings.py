"""Which headings stand over a block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from palimpsest.domain.library.blocks import Block
from palimpsest.domain.library.cutting import Measure
from palimpsest.domain.library.section import under

_SHARE: Final = 3
"""A breadcrumb takes a third of the window at most."""


class Breadcrumb(NamedTuple):
    """The texts of headings, the highest first, and what they take of the window."""

    texts: tuple[str, ...] = ()
    size: int = 0


@dataclass(slots=True)
class _Heading:
    text: str
    level: int
    page: int | None
    over: Breadcrumb
    """With it at the end."""

    is_told: bool = False
    """It stands in a section: in its breadcrumb, or in its text."""


class Bare(NamedTuple):
    """A heading with nothing under it, and what stands over it."""

    text: str
    page: int | None
    over: Breadcrumb


class Headings:
    """The headings that are open, each within the one before.

    Where they take more than their share of the window, the highest are left out; one that is alone too long for it is
    no heading.
    """

    def __init__(self, measure: Measure, window: int) -> None:
        self._measure = measure
        self._most = window // _SHARE
        self._open: list[_Heading] = []

    def leave(self, level: int) -> Iterator[Bare]:
        """End those of `level` and below; gives the ones that no section tells."""
        while self._open and self._open[-1].level >= level:
            heading = self._open.pop()
            if not heading.is_told:
                yield Bare(heading.text, heading.page, self.told())

    def enter(self, block: Block) -> bool:
        """Open a heading within those that are open; False when it is too long for one."""
        text = " ".join(block.text.split())
        over = self._fitted((*(heading.text for heading in self._open), text))
        if over is not None:
            self._open.append(_Heading(text, block.level, block.page, over))
        return over is not None

    def told(self) -> Breadcrumb:
        """What stands over a text that is put into a section now."""
        if not self._open:
            return Breadcrumb()
        over = self._open[-1].over
        for heading in self._open[-len(over.texts) :]:
            heading.is_told = True
        return over

    def _fitted(self, texts: tuple[str, ...]) -> Breadcrumb | None:
        while texts:
            size = self._measure(under(texts, ""))
            if size <= self._most:
                return Breadcrumb(texts, size)
            texts = texts[1:]
        return None
