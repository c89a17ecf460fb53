"""The chain of content hashes: each version's hash covers the hash of the version before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = str | int | bool | Sequence["Json"] | Mapping[str, "Json"] | None


def digest(fields: Mapping[str, Json], previous: str | None) -> str:
    """SHA-256, in hex, over `fields` as canonical JSON (sorted keys, no spaces, UTF-8) and the hash before."""
    document = {**fields, "previous_hash": previous}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
