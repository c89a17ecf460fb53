"""Change the vocabulary of a space: terms are added, described, disabled and deleted, proposals answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from palimpsest.domain import text
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, LostRace, NotFound, WrongState
from palimpsest.domain.graph.term import (
    UNDESCRIBED,
    TermChange,
    TermEvent,
    TermKind,
    TermStatus,
    VocabularyTerm,
    term_name,
)
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import TermRef
from palimpsest.domain.naming.vocabulary import Tier
from palimpsest.domain.scrub.report import NOTHING, Report
from palimpsest.ports.table import Put
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.stores.vocabularies import Vocabularies
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.take_up import TakenUp, TakeUp
from palimpsest.usecases.vocabulary_shown import ShowVocabulary, TermShown

DESCRIPTION_CHARACTERS: Final = 500
MOST: Final = 100
"""Terms of a space's own: a model is shown all of them with each text."""

_NAME_CHARACTERS: Final = 120
"""As it is sent; in snake_case it is shorter."""

_ATTEMPTS: Final = 8
_NOTHING: Final = TakenUp()
Made = Callable[[VocabularyTerm], VocabularyTerm]


@dataclass(frozen=True, slots=True)
class TermChanged:
    """A term as it is now, what was linked with it at once, and what scrub did to its description."""

    shown: TermShown
    linked: TakenUp = _NOTHING
    report: Report = NOTHING


@dataclass(frozen=True, slots=True)
class NewTerm:
    """A term as somebody wants it added."""

    kind: TermKind
    name: str
    description: str
    space: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeVocabulary:
    """Changes it for writers. Each change is a line of the term's history."""

    show: ShowVocabulary
    vocabularies: Vocabularies
    take_up: TakeUp
    steps: Steps

    def add(self, caller: Caller, new: NewTerm, idempotency: Idempotency | None = None) -> TermChanged:
        """A new term; one that was proposed or dismissed is taken up with what sources hold for it.

        Raises:
            NotAllowed: The key is no writer's, or may not enter the space.
            Invalid: The name can't be one of a term, or the description is none.
            WrongState: The space has that term, or too many.
        """
        caller.require(Role.WRITER)
        space = self.steps.spaces.ensure(caller.require_space(new.space))
        name, (description, report) = _named(new.name), self._described(space, new.description)
        ref = TermRef(self.vocabularies.mac(new.kind, name), space.name)

        def added(before: VocabularyTerm) -> VocabularyTerm:
            after = replace(before, kind=new.kind, name=name).added(description)
            self._require_room(space)
            return after

        self._move(caller, space, ref, added, TermChange.ADDED, idempotency)
        linked = self.take_up(space, ref.mac)
        return TermChanged(self.show.shown(space, ref.mac), linked, report)

    def describe(self, caller: Caller, ref: TermRef, description: str) -> TermChanged:
        """With another rule; NotFound as in `ShowVocabulary`, WrongState of one that is not the space's own."""
        space = self._space(caller, ref)
        said, report = self._described(space, description)
        self._move(caller, space, ref, lambda term: term.described(said), TermChange.DESCRIBED, None)
        return TermChanged(self.show.shown(space, ref.mac), report=report)

    def switch(self, caller: Caller, ref: TermRef, *, is_on: bool) -> TermChanged:
        """Texts are read with it, or not; WrongState when that is so already, and of a proposal."""
        made, what = (
            (VocabularyTerm.enabled, TermChange.ENABLED) if is_on else (VocabularyTerm.disabled, TermChange.DISABLED)
        )
        return self._answered(caller, ref, made, what, None)

    def delete(self, caller: Caller, ref: TermRef) -> TermChanged:
        """Gone, while entities and relations of it stay; WrongState unless it is disabled and the space's own."""
        space = self._space(caller, ref)
        gone = self._move(caller, space, ref, VocabularyTerm.deleted, TermChange.DELETED, None)
        return TermChanged(TermShown(ref, gone))

    def approve(
        self, caller: Caller, ref: TermRef, description: str | None = None, idempotency: Idempotency | None = None
    ) -> TermChanged:
        """A proposal as a term of the space's own, with its examples linked; WrongState unless it waits."""
        space = self._space(caller, ref)
        said, report = (UNDESCRIBED, NOTHING) if description is None else self._described(space, description)

        def approved(term: VocabularyTerm) -> VocabularyTerm:
            self._require_room(space)
            return term.approved(said)

        self._move(caller, space, ref, self._with_name(space, ref, approved), TermChange.APPROVED, idempotency)
        linked = self.take_up(space, ref.mac)
        return TermChanged(self.show.shown(space, ref.mac), linked, report)

    def dismiss(self, caller: Caller, ref: TermRef, idempotency: Idempotency | None = None) -> TermChanged:
        """Nobody proposes it until it is reopened; WrongState unless it is a proposal that waits."""
        return self._answered(caller, ref, VocabularyTerm.dismissed, TermChange.DISMISSED, idempotency)

    def reopen(self, caller: Caller, ref: TermRef, idempotency: Idempotency | None = None) -> TermChanged:
        """It waits again; WrongState unless it was dismissed."""
        return self._answered(caller, ref, VocabularyTerm.reopened, TermChange.REOPENED, idempotency)

    def _answered(
        self, caller: Caller, ref: TermRef, made: Made, what: TermChange, idempotency: Idempotency | None
    ) -> TermChanged:
        space = self._space(caller, ref)
        after = self._move(caller, space, ref, self._with_name(space, ref, made), what, idempotency)
        try:
            return TermChanged(self.show.shown(space, ref.mac))
        except NotFound:  # reopened, and too few sources have use for it now
            return TermChanged(TermShown(ref, after))

    def _with_name(self, space: Space, ref: TermRef, made: Made) -> Made:
        """A proposal has its name from its examples; NotFound when it is hidden for want of them."""

        def named(term: VocabularyTerm) -> VocabularyTerm:
            waits = term.is_proposal and term.status is TermStatus.ACTIVE
            return made(self.show.shown(space, ref.mac).term if waits else term)

        return named

    def _space(self, caller: Caller, ref: TermRef) -> Space:
        caller.require(Role.WRITER)
        return self.show.space_of(caller, ref) or self.steps.spaces.ensure(ref.space)

    def _move(
        self,
        caller: Caller,
        space: Space,
        ref: TermRef,
        made: Made,
        what: TermChange,
        idempotency: Idempotency | None,
    ) -> VocabularyTerm:
        """The term after the change; as it is now when the same request was done before."""
        for _ in range(_ATTEMPTS):
            before = self.vocabularies.find(space.id, [ref.mac]).get(ref.mac, _ABSENT)
            if self.steps.answered(caller, idempotency) is not None:  # after the read: a twin may just have written
                return self.vocabularies.find(space.id, [ref.mac]).get(ref.mac, before)
            if before.status is TermStatus.DELETED and what is not TermChange.ADDED:
                raise NotFound("term")
            after = made(before)
            event = TermEvent(after.revision, self.steps.clock.now(), caller.key, what, before)
            record = self._record(caller, ref, what, idempotency)
            if self.vocabularies.move(space.id, before, after, event, record):
                return after
        raise LostRace(_ATTEMPTS)

    def _record(self, caller: Caller, ref: TermRef, what: str, idempotency: Idempotency | None) -> list[Put]:
        if idempotency is None:
            return []
        answered = Answered(str(ref), 0, what)
        return [self.steps.idempotency.record(caller.key, idempotency, answered, self.steps.clock.now())]

    def _described(self, space: Space, description: str) -> tuple[str, Report]:
        accepted = text.accept(description, "description", limit_characters=DESCRIPTION_CHARACTERS)
        scrubber = self.steps.scrub.of(space)
        return scrubber.text(" ".join(accepted.split()), "description"), scrubber.report

    def _require_room(self, space: Space) -> None:
        own = [term for term in self.vocabularies.terms(space.id).values() if term.tier is Tier.USER]
        if len(own) >= MOST:
            raise WrongState("full", f"the space has {MOST} terms of its own; delete one first")


_ABSENT: Final = VocabularyTerm(TermKind.ENTITY_TYPE, "", "", Tier.PROPOSED, TermStatus.DELETED)


def _named(name: str) -> str:
    found = term_name(text.accept(name, "name", limit_characters=_NAME_CHARACTERS))
    if found is None:
        raise Invalid("name", "name has to begin with a letter, and to be 2 to 30 letters, digits or _ in snake_case")
    return found
