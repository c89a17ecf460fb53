"""Access keys as text: ``plm_<key id>_<secret>``; the secret ends in a check sum, so that garbage costs no read."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import zlib

from palimpsest.domain.ids import KeyId

_SHAPE = re.compile(r"plm_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{43})([0-9a-f]{8})")


def compose(key: KeyId, secret: bytes) -> str:
    """The whole key for 256 secret bits."""
    body = f"plm_{key}_{base64.urlsafe_b64encode(secret).decode().rstrip('=')}"
    return body + _check_sum(body)


def parse(text: str) -> KeyId | None:
    """The id in a key whose shape and check sum are right; None otherwise. It says nothing about the secret."""
    match = _SHAPE.fullmatch(text)
    if match is None or _check_sum(text[:-8]) != match[3]:
        return None
    return KeyId(match[1])


def secret_hash(text: str) -> str:
    """What is stored of a key: SHA-256, in hex. 256 random bits need no slow hash."""
    return hashlib.sha256(text.encode()).hexdigest()


def is_same(text: str, stored_hash: str) -> bool:
    """The key has that hash; takes the same time whichever byte differs."""
    return hmac.compare_digest(secret_hash(text), stored_hash)


def _check_sum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
