"""Of an e-mail its headers and text are read; what is attached is named."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from tests.support.reading_files import blocks, reading, refusal


def mail(text: str | None = "Hi,\n\nthe pump is back.\n", html: str | None = None) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "Łucja <lucja@orchard.example>", "ops@orchard.example"
    message["Subject"], message["Date"] = "Pompa działa", "Mon, 30 Nov 2026 10:00:00 +0000"
    if text is not None:
        message.set_content(text)
    if html is not None and text is not None:
        message.add_alternative(html, subtype="html")
    elif html is not None:
        message.set_content(html, subtype="html", charset="iso-8859-2")
    return message


ADDRESSES = "From: Łucja <lucja@orchard.example>\nTo: ops@orchard.example"
HEAD = ("preformatted", f"{ADDRESSES}\nDate: Mon, 30 Nov 2026 10:00:00 +0000\nSubject: Pompa działa")


def test_the_text_is_read_and_not_its_html_twin() -> None:
    content = mail(html="<p>the <b>pump</b> is back</p>").as_bytes()

    assert reading("eml", content).title == "Pompa działa"
    assert blocks("eml", content) == [HEAD, ("paragraph", "Hi,"), ("paragraph", "the pump is back.")]


def test_html_is_read_where_there_is_no_text() -> None:
    content = mail(None, "<h1>Pompa</h1><p>działa</p><script>x</script>").as_bytes()

    assert blocks("eml", content) == [HEAD, ("h1", "Pompa"), ("paragraph", "działa")]


def test_attachments_are_named_without_the_way_to_them_and_not_read() -> None:
    message = mail()
    for name in ("../../etc/passwd", "C:\\temp\\a\u202egpj.exe", "raport ó.pdf"):
        message.add_attachment(b"secret", maintype="application", subtype="octet-stream", filename=name)
    message.add_attachment("notes: secret", filename="notes.txt")
    message.add_attachment(mail("secret"))

    told = blocks("eml", message.as_bytes())

    assert told[-1][1].split("\n") == [
        "- attached: passwd (application/octet-stream)",
        "- attached: a gpj.exe (application/octet-stream)",
        "- attached: raport ó.pdf (application/octet-stream)",
        "- attached: notes.txt (text/plain)",
        "- attached: without a name (message/rfc822)",
    ]
    assert not any("secret" in text for _, text in told)


def test_a_wrong_charset_loses_no_message() -> None:
    content = b"From: a@b.example\nSubject: =?no-such?q?x=FF?=\nContent-Type: text/plain; charset=nosuch\n\nhello \xff"

    assert blocks("eml", content)[1] == ("paragraph", "hello \ufffd")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"no header here\n\nat all", "damaged"),
        (b"PK\x03\x04", "damaged"),
        (b"From: a@b.example\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n\n--x--", "encrypted"),
        (b"From: a@b.example\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB", "encrypted"),
        (b"From: a@b.example\n\n" + b"x" * 65 * 1024 * 1024, "too_large"),
    ],
)
def test_what_can_not_be_read_is_refused(content: bytes, reason: str) -> None:
    assert refusal("eml", content) == reason


def test_parts_within_parts_without_end_are_bounded() -> None:
    nested = b"From: a@b.example\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3_000)
    )

    assert refusal("eml", nested) in ("read", "too_deep")
