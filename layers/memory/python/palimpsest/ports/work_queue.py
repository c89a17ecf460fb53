"""The queue of background work. A message names a job and what it is about, by ids and never by text.

What a message asks for is derived from the table, so a lost one is asked for again by the next plan, and each job is
written so that a message that comes twice does no harm.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

from palimpsest.domain.errors import UnknownWork

VERSION = 1
_SUBJECT = re.compile(r"[A-Za-z0-9_.#-]{0,128}")
_FIELDS = {"v", "job", "subject"}


class Job(StrEnum):
    """What can be asked for, and what the subject of each is."""

    BUILD_INDEX = "build_index"
    """Go on with the index that is being built; the subject is its generation's id."""

    DROP_INDEX = "drop_index"
    """Take away what is left of a generation that was replaced; the subject is its id."""

    EMBED_PENDING = "embed_pending"
    """Embed what waits for its vectors; no subject."""

    JUDGE = "judge"
    """Have the model judge what saves could not wait for; no subject."""

    CATCH_UP = "catch_up"
    """Follow the change logs that the index could not follow; no subject."""

    CHECK_LOGS = "check_logs"
    """Look through the change logs of all spaces for those that no index follows; no subject."""

    WAKE_INDEX = "wake_index"
    """Ask a sleeping index until it answers; the subject is its generation's id."""

    SWEEP_INDEX = "sweep_index"
    """Take out of the index what writes left behind in spaces that changed; no subject."""

    CANARY = "canary"
    """Ask the arms of a space for what the table says that they have; the subject is its id."""

    EXPIRE = "expire"
    """Forget what has expired, and erase what was forgotten and can be restored no more; no subject."""

    ERASE = "erase"
    """Go on with taking away a belief for good; the subject is the erasure's id."""

    APPLY_LEDGER = "apply_ledger"
    """Bring the table up to the ledger of erased ids; no subject."""

    INGEST = "ingest"
    """Go on with reading a document, and clear away what is left of it; the subject is its id."""

    EXTRACT = "extract"
    """Have the new sources of a space read for entities; the subject is its id."""

    REINFORCE = "reinforce"
    """Count what was recalled in a space; the subject is its id."""

    LEARN = "learn"
    """Go on with learning facts from a conversation; the subject is its document's id."""

    RECEIVE = "receive"
    """Take in a document that was uploaded; the subject is the upload's id."""

    MIGRATE = "migrate"
    """Go on with putting stored items into their newest form; no subject."""

    RUN = "run"
    """Go on with a run that somebody asked for; the subject is its id."""


WORK, INGEST = "work", "ingest"
"""The queues by name. Reading documents has one of its own, since it takes long and needs other parts."""


@dataclass(frozen=True, slots=True)
class Work:
    """One message. `subject`: ids, at most 128 of letters, digits and ``_.#-``."""

    job: Job
    subject: str = ""

    @property
    def queue(self) -> str:
        """The name of the queue that takes it."""
        return INGEST if self.job in (Job.INGEST, Job.RECEIVE) else WORK


class WorkQueue(Protocol):
    """Takes messages; whoever is fed by it gets each at least once, in any order."""

    def send(self, work: Work, *, after: timedelta = timedelta(0)) -> None:
        """Ask for `work`, not before `after` has gone by (at most 15 minutes).

        Raises:
            QueueUnavailable: Nobody knows whether it was taken. A plan asks again, so nothing is lost.
        """
        ...


def written(work: Work) -> str:
    """The message as text."""
    return json.dumps({"v": VERSION, "job": work.job, "subject": work.subject}, separators=(",", ":"))


def read(text: str) -> Work:
    """The message in a text.

    Raises:
        UnknownWork: It is none of this version; the error names no more of it than its shape.
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnknownWork("it is not JSON") from error
    if not isinstance(told, dict) or set(told) != _FIELDS:
        raise UnknownWork("it has other fields than v, job and subject")
    if told["v"] != VERSION or isinstance(told["v"], bool):
        raise UnknownWork(f"its version is not {VERSION}")
    if not isinstance(told["subject"], str) or not _SUBJECT.fullmatch(told["subject"]):
        raise UnknownWork("its subject is no id")
    try:
        return Work(Job(told["job"]), told["subject"])
    except (ValueError, TypeError) as error:
        raise UnknownWork("this release has no such job") from error
