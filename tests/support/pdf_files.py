"""PDFs as the format's own page describes them, made of nothing but their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO

Written = tuple[str, float, float]
"""A line, its lower edge in points from the page's, its size."""

_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
_CATALOGUE, _TREE, _FONT_AT, _INFO, _FIRST = 1, 2, 3, 4, 5
PASSWORD = b"<< /Filter /Standard /V 1 /R 2 /O <" + b"61" * 32 + b"> /U <" + b"62" * 32 + b"> /P -4 >>"
"""What says that nobody reads this without the password."""


def page(*lines: str, top: float = 760, size: float = 11) -> list[Written]:
    """Lines one under another; an empty one leaves a gap."""
    return [(line, top - 1.2 * size * n, size) for n, line in enumerate(lines) if line]


def pdf(pages: Iterable[Sequence[Written]], *, title: str = "", encrypted: bool = False, padding: int = 0) -> bytes:
    """A PDF. `padding`: of how many bytes a picture on each page is."""
    written = BytesIO()
    written.write(b"%PDF-1.4\n")
    offsets: dict[int, int] = {}
    kids: list[int] = []

    def put(number: int, content: bytes) -> None:
        offsets[number] = written.tell()
        written.write(b"%d 0 obj\n" % number + content + b"\nendobj\n")

    for index, lines in enumerate(pages):
        number = _FIRST + 3 * index
        kids.append(number)
        text = b"".join(b"BT /F1 %g Tf 72 %g Td (%s) Tj ET\n" % (size, at, _escaped(said)) for said, at, size in lines)
        parts = b"/Font << /F1 3 0 R >> /XObject << /I %d 0 R >>" % (number + 2)
        told = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << %s >> /Contents %d 0 R >>"
        put(number, told % (parts, number + 1))
        put(number + 1, b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text))
        picture = b"<< /Type /XObject /Subtype /Image /Width %d /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
        put(number + 2, (picture + b" /Length %d >>\nstream\n%s\nendstream") % (padding, padding, b"\x7f" * padding))
    put(_CATALOGUE, b"<< /Type /Catalog /Pages 2 0 R >>")
    put(_TREE, b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids)))
    put(_FONT_AT, _FONT)
    put(_INFO, b"<< /Title (%s) >>" % _escaped(title))
    began = written.tell()
    written.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
    written.write(b"".join(b"%010d 00000 n \n" % offsets[number] for number in sorted(offsets)))
    locked = b"/Encrypt " + PASSWORD + b" /ID [<61> <61>]" if encrypted else b""
    written.write(b"trailer << /Size %d /Root 1 0 R /Info 4 0 R %s >>\n" % (len(offsets) + 1, locked))
    written.write(b"startxref\n%d\n%%%%EOF\n" % began)
    return written.getvalue()


def _escaped(text: str) -> bytes:
    for sign in "\\()":
        text = text.replace(sign, "\\" + sign)
    return text.encode("cp1252")
