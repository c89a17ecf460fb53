"""Documents in the deployed account: sent, read by the function that has their readers, erased."""

from __future__ import annotations

import urllib.request
from base64 import b64encode
from typing import Any

from tests.e2e.cloud.account import Account
from tests.e2e.cloud.calling import Caller, eventually, fresh_space
from tests.support.pdf_files import page, pdf


def is_read(owner: Caller, document: str) -> Any:
    """The document once nothing is on its way."""

    def probe() -> Any:
        found = owner.get(f"/documents/{document}").expect(200)
        return found if found["state"] in ("ready", "failed") else None

    return eventually(probe, "the reading of a document")


def test_a_pdf_is_read_by_the_ingest_function_and_erased_with_its_original(account: Account, owner: Caller) -> None:
    content = pdf([page("The harbour master keeps the tide tables in the loft.")], title="Harbour")
    sent = {"path": "harbour.pdf", "base64": b64encode(content).decode(), "space": fresh_space("library")}
    document = owner.post("/documents", sent).expect(201)["document"]["id"]

    read = is_read(owner, document)
    (chunk,) = owner.get(f"/documents/{document}/chunks").expect(200)["chunks"]
    owner.post(f"/documents/{document}/erase").expect(202)

    assert (read["state"], read["title"], read["media_type"]) == ("ready", "Harbour", "application/pdf")
    assert (chunk["text"], chunk["page"]) == ("The harbour master keeps the tide tables in the loft.", 1)
    owner.get(f"/documents/{document}").problem(404)
    eventually(lambda: not originals(account, document), "the removal of the original")


def test_a_large_document_goes_straight_to_the_bucket_whose_word_has_it_read(account: Account, owner: Caller) -> None:
    space = fresh_space("uploads")
    content = b"".join(b"# Tide %d\n\nThe %dth tide table is in the loft.\n\n" % (n, n) for n in range(250))
    begun = owner.post("/documents/uploads", {"path": "tides.md", "size": len(content), "space": space}).expect(201)

    put(begun, content)

    def received() -> Any:
        told = owner.get(f"/documents/uploads/{begun['upload_id']}").expect(200)
        return told if told["state"] != "waiting" else None

    told = eventually(received, "the arrival of the upload")
    assert (told["state"], told["outcome"]) == ("received", "added")
    read = is_read(owner, told["document_id"])
    assert (read["state"], read["chunk_count"], read["size"]) == ("ready", 250, len(content))
    assert originals(account, "uploads") == []


def put(begun: Any, content: bytes) -> None:
    """As any program does it, with the address that it was given."""
    request = urllib.request.Request(begun["url"], content, begun["headers"], method=begun["method"])
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status in (200, 204)


def originals(account: Account, document: str) -> list[str]:
    """What the bucket holds of a document."""
    s3 = account.client("s3")
    (bucket,) = (each["Name"] for each in s3.list_buckets()["Buckets"] if "blobs" in each["Name"])
    found = s3.list_objects_v2(Bucket=bucket, Prefix="documents/").get("Contents", [])
    return [each["Key"] for each in found if document in each["Key"]]
