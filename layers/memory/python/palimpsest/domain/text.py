"""Text as it is let in: NFC, without NUL or lone surrogates, within its limits."""

from __future__ import annotations

import unicodedata

from palimpsest.domain.errors import InvalidText, TooLong

CONTENT_BYTES = 102_400
METADATA_BYTES = 10_240
QUERY_CHARACTERS = 4_096
PATH_CHARACTERS = 1_024
NAME_CHARACTERS = 256
TAGS = 64
TAG_CHARACTERS = 128


def accept(text: str, field: str, *, limit_bytes: int | None = None, limit_characters: int | None = None) -> str:
    """`text` in NFC.

    Raises:
        InvalidText: Blank, or with a NUL or a lone surrogate.
        TooLong: Over a limit, measured after normalisation.
    """
    if "\0" in text:
        raise InvalidText(field, f"{field} holds a NUL character; take it out")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidText(field, f"{field} holds half of a surrogate pair; send whole characters")
    if not text.strip():
        raise InvalidText(field, f"{field} is empty; say something")
    text = unicodedata.normalize("NFC", text)
    if limit_bytes is not None and len(text.encode()) > limit_bytes:
        raise TooLong(field, limit=limit_bytes, unit="bytes")
    if limit_characters is not None and len(text) > limit_characters:
        raise TooLong(field, limit=limit_characters, unit="characters")
    return text


def accept_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """The tags, each accepted, without repetition, in the order given.

    Raises:
        InvalidText, TooLong: As `accept`; also more than 64 tags.
    """
    if len(tags) > TAGS:
        raise TooLong("tags", limit=TAGS, unit="tags")
    return tuple(dict.fromkeys(accept(tag, "tags", limit_characters=TAG_CHARACTERS) for tag in tags))


def same_text_form(text: str) -> str:
    """What two texts have in common when they count as the same: NFC, white space runs as one space, trimmed."""
    return " ".join(unicodedata.normalize("NFC", text).split())
