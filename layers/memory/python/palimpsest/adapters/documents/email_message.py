"""E-mail as a file: who wrote when, the text, and the names of what is attached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from types import MappingProxyType
from typing import IO, Final

from palimpsest.adapters.documents.bytes_as_text import bounded, known_encoding
from palimpsest.adapters.documents.html_page import blocks_of, decoded
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Block, BlockKind, Reading
from palimpsest.domain.library.plain_text import read_plain_text
from palimpsest.ports.document_reader import Endings

_LIMIT_BYTES: Final = 64 * 1024 * 1024
_HEADERS: Final = ("From", "To", "Cc", "Date", "Subject")
_BROKEN_WORDS: Final = (MessageError, ValueError, LookupError)
"""What a charset that is none raises, and bytes that are none of it."""
_PARTS: Final = 1_000
_ENCRYPTED: Final = frozenset(("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"))
_TEXTS: Final = ("text/plain", "text/html")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]+")


class EmailReader:
    """Reads the text, of HTML only where there is no other; what is attached is named and not read."""

    endings: Endings = MappingProxyType({"eml": "message/rfc822"})

    def read(self, file: IO[bytes]) -> Reading:
        try:
            message = message_from_bytes(bounded(file, _LIMIT_BYTES), policy=policy.compat32)
        except RecursionError as error:
            raise Unreadable("too_deep") from error
        if not any(message[name] for name in _HEADERS):
            raise Unreadable("damaged")
        if message.get_content_type() in _ENCRYPTED and message.get_param("smime-type") != "signed-data":
            raise Unreadable("encrypted")
        return Reading(_header(message, "Subject") or None, _blocks(message))


def _blocks(message: Message) -> Iterator[Block]:
    said = [f"{name}: {text}" for name in _HEADERS if (text := _header(message, name))]
    yield Block(BlockKind.PREFORMATTED, "\n".join(said))
    texts, attached = _sorted(message)
    of_kind = next((kind for kind in _TEXTS if any(part.get_content_type() == kind for part in texts)), None)
    for part in texts:
        if part.get_content_type() == of_kind:
            yield from _text(part)
    if attached:
        yield Block(BlockKind.LIST, "\n".join(f"- attached: {name}" for name in attached))


def _sorted(message: Message) -> tuple[list[Message], list[str]]:
    """The parts that are the message's text, and the names of the others; those of a message in it are its own."""
    texts: list[Message] = []
    attached: list[str] = []
    waiting = [message]
    for _ in range(_PARTS):
        if not waiting:
            break
        part = waiting.pop()
        inside = part.get_payload()
        name = _name(part)
        if part.get_content_maintype() == "multipart" and isinstance(inside, list):
            waiting += [each for each in reversed(inside) if isinstance(each, Message)]
        elif part.get_content_type() in _TEXTS and part.get_content_disposition() != "attachment" and not name:
            texts.append(part)
        else:
            attached.append(f"{name or 'without a name'} ({part.get_content_type()})")
    return texts, attached


def _text(part: Message) -> Iterator[Block]:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return
    charset = part.get_content_charset()
    if part.get_content_type() == "text/html":
        yield from blocks_of(decoded(content, charset))
    else:
        text = content.decode(known_encoding(charset) or "utf-8", "replace")
        yield from read_plain_text(text.splitlines()).blocks


def _header(message: Message, name: str) -> str:
    """A header as people read it; as it is where it is broken."""
    raw = str(message.get(name, ""))
    try:
        text = str(make_header(decode_header(raw)))
    except _BROKEN_WORDS:
        text = raw
    return " ".join(_UNSEEN.sub(" ", text).split())


def _name(part: Message) -> str:
    """The last part of an attachment's name: what leads there is nobody's business here."""
    try:
        name = str(make_header(decode_header(part.get_filename() or "")))
    except _BROKEN_WORDS:
        name = part.get_filename() or ""
    return " ".join(_UNSEEN.sub(" ", name.replace("\\", "/").rpartition("/")[2]).split())
