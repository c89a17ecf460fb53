"""Which requests were answered already: a keyed hash of the body, ids and the outcome, never text; kept for a day.

The record is written in the transaction of the step that it answers for, so that no crash can fall between the two.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed, IdempotencyReused
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId
from palimpsest.ports.table import AnyOf, Condition, Less, Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.deployment import Deployment

RETENTION = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Answered:
    """What an earlier request with the same key came to.

    Attributes:
        subject: Id of the belief, or of whatever else the request made.
        number: Of the belief's version; 0 where there are none.
        conflict: Id of the conflict that the request began, if it did.
        judged_by: Who had judged a save.
    """

    subject: str
    number: int
    outcome: str
    conflict: str | None = None
    judged_by: str = "none"


@dataclass(frozen=True, slots=True)
class IdempotencyRecords:
    """Looks up and prepares the records."""

    table: Table
    deployment: Deployment

    def answered(self, by: KeyId, request: Idempotency, now: datetime) -> Answered | None:
        """The answer to the same request before; IdempotencyReused when its body was another."""
        key = keys.idempotency(by, self._name(request))
        stored = self.table.get([key]).items.get(key)
        if stored is None or Reader(stored).integer("ttl") <= instants.epoch_seconds(now):
            return None
        r = Reader(stored)
        if r.text("body") != self._body(request):
            raise IdempotencyReused
        conflict = r.optional("conflict", r.text)
        judged_by = r.optional("judged_by", r.text) or "none"
        return Answered(r.text("subject"), r.integer("number"), r.text("outcome"), conflict, judged_by)

    def record(self, by: KeyId, request: Idempotency, answer: Answered, now: datetime) -> Put:
        """The write of a record, to go into the transaction of the step."""
        stored = item(
            keys.idempotency(by, self._name(request)),
            body=self._body(request),
            subject=answer.subject,
            number=answer.number,
            outcome=answer.outcome,
            conflict=answer.conflict,
            judged_by=None if answer.judged_by == "none" else answer.judged_by,
            ttl=instants.epoch_seconds(now + RETENTION),
        )
        free: Condition = AnyOf((Missing("pk"), Less("ttl", instants.epoch_seconds(now) + 1)))
        return Put(stored, free)

    def keep(self, record: Put) -> None:
        """Write a record for a request that changed nothing; a twin of the request may have written it already."""
        with suppress(ConditionFailed):
            self.table.write(record)

    def claim(self, by: KeyId, request: Idempotency, now: datetime) -> None:
        """Bind the key to the body before anything is done, where one request comes to several answers.

        Whoever repeats the request, also after a crash in the middle of it, passes; IdempotencyReused for another body.
        """
        if self.answered(by, request, now) is None:
            self.keep(self.record(by, request, Answered("batch", 0, "begun"), now))
            self.answered(by, request, now)  # a twin with another body may have been first

    def _name(self, request: Idempotency) -> str:
        return self.deployment.mac("idempotency", request.key, str(request.part))

    def _body(self, request: Idempotency) -> str:
        return self.deployment.mac("body", request.body)
