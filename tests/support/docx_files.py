"""Files as a word processor writes them, made of nothing but their XML."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

_NAMESPACE = 'xmlns:w="urn:word.example"'
STYLES = f"""<w:styles {_NAMESPACE}>
<w:style w:styleId="Tytu"><w:name w:val="Title"/></w:style>
<w:style w:styleId="Nagwek1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:styleId="Own"><w:name w:val="Our heading"/><w:basedOn w:val="Nagwek2"/></w:style>
<w:style w:styleId="Nagwek2"><w:name w:val="heading 2"/></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
</w:styles>"""
NUMBERING = f"""<w:numbering {_NAMESPACE}>
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>"""


def paragraph(text: str, style: str = "", *, depth: int | None = None) -> str:
    look = f'<w:pStyle w:val="{style}"/>' if style else ""
    if depth is not None:
        look += f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="3"/></w:numPr>'
    return f"<w:p><w:pPr>{look}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def table(*lines: list[str], look: str = "") -> str:
    def row(cells: list[str]) -> str:
        return f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in cells)}</w:tr>"

    return f"<w:tbl><w:tblPr>{look}</w:tblPr>{''.join(map(row, lines))}</w:tbl>"


def docx(body: str, *, title: str = "", doctype: str = "", **others: str) -> bytes:
    """`others`: the text of further members, by name."""
    members = {
        "docProps/core.xml": f'<p xmlns:dc="urn:d.example"><dc:title>{title}</dc:title></p>',
        "word/document.xml": f"{doctype}<w:document {_NAMESPACE}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": STYLES,
        "word/numbering.xml": NUMBERING,
        **others,
    }
    return zipped(members)


def zipped(members: dict[str, str]) -> bytes:
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return written.getvalue()
