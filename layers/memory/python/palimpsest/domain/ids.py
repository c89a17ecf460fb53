"""Ids: ULIDs with a prefix, so that they sort by time and say what they name."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple, NewType

SpaceId = NewType("SpaceId", str)
RootId = NewType("RootId", str)
RunId = NewType("RunId", str)
KeyId = NewType("KeyId", str)
RecallId = NewType("RecallId", str)
ConflictId = NewType("ConflictId", str)
FindingId = NewType("FindingId", str)
ErasureId = NewType("ErasureId", str)
DocumentId = NewType("DocumentId", str)
ChunkId = NewType("ChunkId", str)
UploadId = NewType("UploadId", str)
EntityId = NewType("EntityId", str)
DuplicateId = NewType("DuplicateId", str)

OWNER = KeyId("owner")
"""The key that no item of the table holds."""

SYSTEM = KeyId("system")
"""Who makes the steps that nobody asked for."""

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
_RUN = re.compile(rf"run_{_ULID}")
_ERASURE = re.compile(f"era_{_ULID}")
_REFERENCE = re.compile(rf"(mem_{_ULID})(?:@([1-9][0-9]{{0,8}}))?")

_CONFLICT = re.compile(r"cfl_[0-9a-f]{32}")
_FINDING = re.compile(r"fnd_[0-9a-f]{32}")
_DUPLICATE = re.compile(r"dup_[0-9a-f]{32}")
_DOCUMENT = re.compile(rf"doc_{_ULID}")
_UPLOAD = re.compile(rf"upl_{_ULID}")
_CHUNK = re.compile(rf"chk_{_ULID}")
_ENTITY = re.compile(rf"ent_{_ULID}")
_TERM = re.compile(r"voc_([0-9a-f]{32})@([A-Za-z0-9_.@-]{1,128})")


class VersionRef(NamedTuple):
    """A belief, or one version of it when ``number`` is given."""

    root: RootId
    number: int | None = None

    def __str__(self) -> str:
        return self.root if self.number is None else f"{self.root}@{self.number}"


class TermRef(NamedTuple):
    """A term of a space's vocabulary: a keyed hash of its kind and name, and the name of the space."""

    mac: str
    space: str

    def __str__(self) -> str:
        return f"voc_{self.mac}@{self.space}"


def parse_term(text: str) -> TermRef | None:
    """The term that `text` (``voc_…@space``) names; None when no id can look like this."""
    match = _TERM.fullmatch(text)
    return match and TermRef(match[1], match[2])


def parse_reference(text: str) -> VersionRef | None:
    """What `text` (``mem_…`` or ``mem_…@n``) names; None when no id can look like this."""
    match = _REFERENCE.fullmatch(text)
    return match and VersionRef(RootId(match[1]), int(match[2]) if match[2] else None)


def parse_run(text: str) -> RunId | None:
    """The run that `text` (``run_…``) names; None when no id can look like this."""
    return RunId(text) if _RUN.fullmatch(text) else None


def conflict_between(one: RootId, other: RootId) -> ConflictId:
    """The id of the conflict of these two beliefs, in any order: a pair has one for ever."""
    return ConflictId(f"cfl_{_pair(one, other)}")


def finding_between(one: RootId, other: RootId) -> FindingId:
    """The id of the finding on these two beliefs, in any order."""
    return FindingId(f"fnd_{_pair(one, other)}")


def parse_conflict(text: str) -> ConflictId | None:
    """The conflict that `text` (``cfl_…``) names; None when no id can look like this."""
    return ConflictId(text) if _CONFLICT.fullmatch(text) else None


def parse_finding(text: str) -> FindingId | None:
    """The finding that `text` (``fnd_…``) names; None when no id can look like this."""
    return FindingId(text) if _FINDING.fullmatch(text) else None


def duplicate_of(one: EntityId, other: EntityId) -> DuplicateId:
    """The id of the pair of these two entities, in any order."""
    return DuplicateId(f"dup_{_pair(one, other)}")


def parse_duplicate(text: str) -> DuplicateId | None:
    """The pair that `text` (``dup_…``) names; None when no id can look like this."""
    return DuplicateId(text) if _DUPLICATE.fullmatch(text) else None


def _pair(one: str, other: str) -> str:
    return hashlib.sha256("\n".join(sorted((one, other))).encode()).hexdigest()[:32]


def erasure_of(subject: RootId | DocumentId) -> ErasureId:
    """The one erasure that a belief or a document can have."""
    return ErasureId(f"era_{subject.rpartition('_')[2]}")


def parse_erasure(text: str) -> ErasureId | None:
    """The erasure that `text` (``era_…``) names; None when no id can look like this."""
    return ErasureId(text) if _ERASURE.fullmatch(text) else None


def parse_document(text: str) -> DocumentId | None:
    """The document that `text` (``doc_…``) names; None when no id can look like this."""
    return DocumentId(text) if _DOCUMENT.fullmatch(text) else None


def parse_upload(text: str) -> UploadId | None:
    """The upload that `text` (``upl_…``) names; None when no id can look like this."""
    return UploadId(text) if _UPLOAD.fullmatch(text) else None


def parse_chunk(text: str) -> ChunkId | None:
    """The chunk that `text` (``chk_…``) names; None when no id can look like this."""
    return ChunkId(text) if _CHUNK.fullmatch(text) else None


def parse_entity(text: str) -> EntityId | None:
    """The entity that `text` (``ent_…``) names; None when no id can look like this."""
    return EntityId(text) if _ENTITY.fullmatch(text) else None


def ulid(epoch_milliseconds: int, randomness: bytes) -> str:
    """26 characters that sort by time: 48 bits of milliseconds, then 80 random bits (`randomness`: 10 bytes)."""
    number = (epoch_milliseconds << 80) | int.from_bytes(randomness, "big")
    return "".join(_CROCKFORD[(number >> shift) & 31] for shift in range(125, -1, -5))


def ulid_milliseconds(text: str) -> int:
    """The time in a ULID."""
    number = 0
    for character in text[:10]:
        number = number * 32 + _CROCKFORD.index(character)
    return number
