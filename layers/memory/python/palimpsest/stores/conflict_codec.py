"""Conflicts as items."""

from __future__ import annotations

from palimpsest.domain import instants
from palimpsest.domain.conflict import Action, Conflict, ConflictState, Decision
from palimpsest.domain.ids import ConflictId, KeyId, RootId, RunId, SpaceId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.ports.table import Item, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, decimal, item


def to_item(conflict: Conflict) -> dict[str, Value]:
    """The conflict."""
    decision = conflict.decision
    return item(
        keys.conflict(conflict.id),
        space=conflict.space,
        existing=str(conflict.existing),
        incoming=str(conflict.incoming),
        similarity=decimal(round(conflict.similarity, 6)),
        reason=conflict.reason,
        judged_by=conflict.judged_by,
        opened_at=conflict.opened_at,
        opened_by=conflict.opened_by,
        state=conflict.state,
        revision=conflict.revision,
        decision=None if decision is None else _decision_map(decision),
    )


def read(stored: Item) -> Conflict:
    """The conflict in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Conflict(
        id=ConflictId(r.text("pk").removeprefix("C#")),
        space=SpaceId(r.text("space")),
        existing=r.parsed("existing", read_ref),
        incoming=r.parsed("incoming", read_ref),
        similarity=r.number("similarity"),
        reason=r.text("reason"),
        judged_by=r.text("judged_by"),
        opened_at=r.instant("opened_at"),
        opened_by=KeyId(r.text("opened_by")),
        state=r.choice("state", ConflictState),
        revision=r.integer("revision"),
        decision=r.optional("decision", lambda name: _read_decision(r.map(name))),
    )


def read_ref(text: str) -> VersionRef:
    """What ``root@number`` names; ValueError when it is none."""
    root, _, number = text.partition("@")
    return VersionRef(RootId(root), int(number))


def _decision_map(decision: Decision) -> dict[str, Value]:
    given: dict[str, Value | None] = {
        "action": decision.action,
        "winner": decision.winner,
        "existing": str(decision.existing),
        "incoming": str(decision.incoming),
        "made": None if decision.made is None else str(decision.made),
        "at": instants.write(decision.at),
        "by": decision.by,
        "trust": decision.trust,
        "passed_on": list(decision.passed_on) or None,
        "model": decision.model,
        "score": None if decision.score is None else decimal(round(decision.score, 6)),
        "reason": decision.reason,
        "run": decision.run,
        "reverted_at": None if decision.reverted_at is None else instants.write(decision.reverted_at),
        "reverted_by": decision.reverted_by,
    }
    return {name: value for name, value in given.items() if value is not None}


def _read_decision(r: Reader) -> Decision:
    return Decision(
        action=r.choice("action", Action),
        winner=r.optional("winner", lambda name: RootId(r.text(name))),
        existing=r.parsed("existing", read_ref),
        incoming=r.parsed("incoming", read_ref),
        made=r.optional("made", lambda name: r.parsed(name, read_ref)),
        at=r.instant("at"),
        by=KeyId(r.text("by")),
        trust=r.choice("trust", Trust),
        passed_on=tuple(map(ConflictId, r.texts("passed_on"))),
        model=r.optional("model", r.text),
        score=r.optional("score", r.number),
        reason=r.optional("reason", r.text),
        run=r.optional("run", lambda name: RunId(r.text(name))),
        reverted_at=r.optional("reverted_at", r.instant),
        reverted_by=r.optional("reverted_by", lambda name: KeyId(r.text(name))),
    )
