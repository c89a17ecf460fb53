"""Where the library lies: documents, their chunks, uploads and what is learned. The kinds are in `keys.KINDS`."""

from __future__ import annotations

from palimpsest.domain.ids import ChunkId, DocumentId, SpaceId, UploadId
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Key
from palimpsest.stores import keys


def document(document: DocumentId) -> Key:
    return Key(f"D#{document}", "D")


def documents(space: SpaceId) -> str:
    """Partition, in index one, of the documents of a space that are not forgotten."""
    return f"S#{space}#D"


def listed_document(at: str, document: DocumentId) -> str:
    """Sort key in `documents`, by when it began, in `ARRIVALS`, by when it changed, in `FETCHES`, by when it is due."""
    return f"{at}#{document}"


ARRIVALS = "ARRIVED"
"""Partition, in index two, of the documents that have to be read or cleared away."""

FETCHES = "FETCH"
"""Partition, in index two, of the documents whose link is to be looked at some time."""

ENDINGS = "DOCEND"
"""Partition, in index two, of the forgotten documents, by when their recovery window ends."""


def manifest(document: DocumentId, edition: int, part: int) -> Key:
    """Which chunks an edition has, a thousand a part."""
    return Key(f"D#{document}", f"G#{edition:08d}#{part:06d}")


def manifest_of(edition: int) -> str:
    """What the sort keys of an edition's manifest begin with."""
    return f"G#{edition:08d}#"


MANIFESTS = "G#"
"""What the sort keys of all manifests of a document begin with."""


def place_of_manifest(sort_key: str) -> tuple[int, int]:
    """Of which edition it is the manifest that lies there, and which part of it."""
    _, edition, part = sort_key.split("#")
    return int(edition), int(part)


def document_of(place: Key) -> DocumentId:
    """The document whose row lies there."""
    return DocumentId(place.pk.partition("#")[2])


def document_path(space: SpaceId, mac: str) -> Key:
    return Key(f"P#{space}#{mac}", "P")


def upload(upload: UploadId) -> Key:
    return Key(f"UP#{upload}", "U")


UPLOADS = "UPLOAD"
"""Partition, in index two, of the uploads that wait, by when their time is over."""


def chunk(chunk: ChunkId) -> Key:
    return Key(f"Q#{chunk}", "Q")


def chunk_vectors(chunk: ChunkId, model: Model) -> Key:
    return Key(f"Q#{chunk}", f"X#{keys.model_digest(model)}")


LEARNING = "LEARN"
"""Partition, in index two, of the conversations that there is something to be learned from."""


def learning(document: DocumentId) -> Key:
    """How far facts have been learned from a conversation."""
    return Key(f"D#{document}", "L")


def learned(chunk: ChunkId) -> Key:
    """What was learned from a turn."""
    return Key(f"Q#{chunk}", "F")
