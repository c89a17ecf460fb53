"""What stands in a path or in a query string, for all routes alike."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias, TypeVar
from urllib.parse import unquote

from aws_lambda_powertools.event_handler.openapi.params import Path, Query

from palimpsest.domain.access import SPACE_NAME
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import (
    ConflictId,
    DocumentId,
    DuplicateId,
    EntityId,
    ErasureId,
    FindingId,
    KeyId,
    RunId,
    TermRef,
    UploadId,
    VersionRef,
    parse_conflict,
    parse_document,
    parse_duplicate,
    parse_entity,
    parse_erasure,
    parse_finding,
    parse_reference,
    parse_run,
    parse_term,
    parse_upload,
)

Id = TypeVar("Id")

PAGE_LIMIT = 200

MemoryId: TypeAlias = Annotated[
    str,
    Path(
        description="`mem_` and a ULID, or one version of it: `mem_…@2`.", examples=["mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"]
    ),
]
KeyPath: TypeAlias = Annotated[str, Path(description="Id of a key.", examples=["01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])]
SpacePath: TypeAlias = Annotated[str, Path(description="Name of a space.", examples=["team-blue"])]
RunPath: TypeAlias = Annotated[str, Path(description="Id of a run.", examples=["run_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])]
ConflictPath: TypeAlias = Annotated[
    str, Path(description="Id of a conflict.", examples=["cfl_3bd0f273a807f2361b7ad8903f19a9d4"])
]
DocumentPath: TypeAlias = Annotated[
    str, Path(description="Id of a document.", examples=["doc_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
]
EntityPath: TypeAlias = Annotated[
    str, Path(description="Id of an entity.", examples=["ent_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
]
ErasurePath: TypeAlias = Annotated[
    str, Path(description="`era_` and a ULID.", examples=["era_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
]
FindingPath: TypeAlias = Annotated[
    str, Path(description="Id of a finding.", examples=["fnd_3bd0f273a807f2361b7ad8903f19a9d4"])
]
TermPath: TypeAlias = Annotated[
    str,
    Path(
        description="Id of a term: `voc_`, a hash and the name of its space.",
        examples=["voc_3bd0f273a807f2361b7ad8903f19a9d4@default"],
    ),
]
DuplicatePath: TypeAlias = Annotated[
    str, Path(description="Id of two entities that may be one.", examples=["dup_3bd0f273a807f2361b7ad8903f19a9d4"])
]
UploadPath: TypeAlias = Annotated[
    str, Path(description="Id of an upload.", examples=["upl_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
]
Limit: TypeAlias = Annotated[int, Query(ge=1, le=PAGE_LIMIT, description="Most entries of one page.")]
CursorQuery: TypeAlias = Annotated[
    str | None,
    Query(min_length=1, max_length=2048, description="`next_cursor` of the page before, for the same query."),
]
IncludeForgotten: TypeAlias = Annotated[
    bool, Query(description="Needs the role writer: a forgotten memory is answered, with `restore_until`.")
]

_KEY_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def key_id(text: str) -> KeyId:
    """The key that a path names.

    Raises:
        NotFound: No id of a key looks like this.
    """
    if not _KEY_ID.fullmatch(text):
        raise NotFound("key")
    return KeyId(text)


def space_name(text: str) -> str:
    """The space that a path names; some gateways leave an ``@`` percent-encoded.

    Raises:
        NotFound: No name of a space looks like this.
    """
    name = unquote(text)
    if not SPACE_NAME.fullmatch(name):
        raise NotFound("space")
    return name


def run_id(text: str) -> RunId:
    """The run that a path names; NotFound, as below, when no id of one looks like this."""
    return _known(parse_run(text), "run")


def reference(text: str) -> VersionRef:
    """The memory that a path names; some gateways leave the ``@`` of a version percent-encoded."""
    return _known(parse_reference(unquote(text)), "memory")


def conflict_id(text: str) -> ConflictId:
    """The conflict that a path names."""
    return _known(parse_conflict(text), "conflict")


def finding_id(text: str) -> FindingId:
    """The finding that a path names."""
    return _known(parse_finding(text), "finding")


def document_id(text: str) -> DocumentId:
    """The document that a path names."""
    return _known(parse_document(text), "document")


def upload_id(text: str) -> UploadId:
    """The upload that a path names."""
    return _known(parse_upload(text), "upload")


def erasure_id(text: str) -> ErasureId:
    """The erasure that a path names."""
    return _known(parse_erasure(text), "erasure")


def term_ref(text: str) -> TermRef:
    """The term that a path names, its ``@`` percent-encoded or not."""
    return _known(parse_term(unquote(text)), "term")


def entity_id(text: str) -> EntityId:
    """The entity that a path names."""
    return _known(parse_entity(text), "entity")


def duplicate_id(text: str) -> DuplicateId:
    """The pair of entities that a path names."""
    return _known(parse_duplicate(text), "pair")


def _known(parsed: Id | None, what: str) -> Id:
    """NotFound when no id looks like this, as for an id of nothing."""
    if parsed is None:
        raise NotFound(what)
    return parsed
