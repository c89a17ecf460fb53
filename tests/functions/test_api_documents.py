"""What the routes of documents tell, by way of the whole handler."""

from __future__ import annotations

import base64
import re
from dataclasses import replace

import pytest

from palimpsest.api.app import LambdaHandler, http_handler
from palimpsest.api.wire.library import WHY
from palimpsest.usecases.service import Service
from tests.architecture import tree
from tests.functions.calling import call, event
from tests.functions.seeds import GONE_PAGE, RUNBOOK


@pytest.fixture
def handler(fresh: Service) -> LambdaHandler:
    return http_handler(lambda: fresh)


def test_an_original_comes_as_an_attachment_that_no_browser_takes_for_something_else(handler: LambdaHandler) -> None:
    answer = handler(event("GET", f"/documents/{RUNBOOK}/original"), None)

    assert base64.b64decode(answer["body"]).startswith(b"# Runbook\n")
    assert answer["headers"]["content-type"] == "text/markdown"
    assert answer["headers"]["content-disposition"] == "attachment; filename*=UTF-8''runbook.md"
    assert answer["headers"]["x-content-type-options"] == "nosniff"


def test_an_original_of_any_bytes_and_name_comes_as_it_was_sent(handler: LambdaHandler, fresh: Service) -> None:
    content = "Zażółć\r\n".encode()
    sent = {"path": 'a\\b/ż";\r\nx: y.md', "base64": base64.b64encode(content).decode()}
    document = call(handler, "POST", "/documents", sent).json["document"]["id"]
    before = handler(event("GET", f"/documents/{document}/original"), None)
    found = fresh.library.documents.find([document])[document]
    fresh.library.documents.move(found, found.shown(1, found.changed_at))

    answer = handler(event("GET", f"/documents/{document}/original"), None)

    assert before["statusCode"] == 404
    assert base64.b64decode(answer["body"]) == content
    assert answer["headers"]["content-disposition"] == "attachment; filename*=UTF-8''%C5%BC%22%3B%0D%0Ax%3A%20y.md"


def test_an_original_that_is_larger_than_an_answer_is_refused(handler: LambdaHandler, fresh: Service) -> None:
    found = fresh.library.documents.find([RUNBOOK])[RUNBOOK]
    assert found.original is not None
    large = replace(found, original=replace(found.original, size=5_000_000), revision=found.revision + 1)
    fresh.library.documents.move(found, large)

    answer = call(handler, "GET", f"/documents/{RUNBOOK}/original")

    assert (answer.status, answer.json["type"]) == (409, "/docs/errors#too-large-to-send")


def test_a_document_that_can_not_be_read_says_why(handler: LambdaHandler, fresh: Service) -> None:
    found = fresh.library.documents.find([RUNBOOK])[RUNBOOK]
    assert found.original is not None
    sent = found.sent(found.original, found.title, found.source, found.changed_at, found.created_by)
    fresh.library.documents.move(found, sent)
    fresh.library.documents.move(sent, sent.failed("not_utf8", sent.changed_at))

    told = call(handler, "GET", f"/documents/{RUNBOOK}").json

    assert (told["state"], told["failure"], told["chunk_count"]) == ("failed", "not_utf8", 2)
    assert told["failure_detail"] == "It is no text in UTF-8; save it as UTF-8 and send it again."
    assert told["sections_read"] is None


def test_each_word_for_why_a_document_can_not_be_read_has_its_sentence() -> None:
    words = {word for module in tree.runtime() for word in re.findall(r'Unreadable\("([a-z0-9_]+)"\)', module.text)}

    assert set(WHY) == words


def test_a_document_as_text_and_as_bytes_is_the_same(handler: LambdaHandler) -> None:
    text = "Gruszki i jabłka\n"
    added = call(handler, "POST", "/documents", {"path": "a.txt", "text": text})

    again = call(handler, "POST", "/documents", {"path": "a.txt", "base64": base64.b64encode(text.encode()).decode()})

    assert (added.status, added.json["outcome"]) == (201, "added")
    assert (again.status, again.json["outcome"]) == (200, "unchanged")


def test_exactly_one_content_is_wanted_and_a_refusal_never_repeats_it(handler: LambdaHandler) -> None:
    for body in ({}, {"text": "apples", "base64": "YXBwbGVz"}, {"base64": "no apples"}, {"text": ""}, {"base64": ""}):
        answer = call(handler, "POST", "/documents", {"path": "a.md", **body})

        assert answer.status == 422
        assert "apples" not in answer.text


def test_a_forgotten_document_is_nowhere_until_it_is_restored(handler: LambdaHandler) -> None:
    forgotten = call(handler, "DELETE", f"/documents/{RUNBOOK}").json

    assert forgotten["document"]["state"] == "forgotten"
    assert forgotten["restore_until"] == forgotten["document"]["restore_until"]
    for rest in ("", "/chunks", "/original"):
        assert call(handler, "GET", f"/documents/{RUNBOOK}{rest}").status == 404
    assert call(handler, "GET", "/documents").json["documents"] == []
    assert "restore_until" not in call(handler, "POST", f"/documents/{RUNBOOK}/restore").json["document"]
    assert len(call(handler, "GET", f"/documents/{RUNBOOK}/chunks").json["chunks"]) == 2
    assert call(handler, "GET", f"/documents/{GONE_PAGE}").status == 404


def test_a_conversation_that_is_sent_again_with_the_same_idempotency_key_is_there_once(handler: LambdaHandler) -> None:
    sent = {"turns": [{"role": "user", "speaker": "Jan", "text": "I adopted a greyhound."}]}

    first, again = (call(handler, "POST", "/conversations", sent, headers={"idempotency-key": "1"}) for _ in range(2))
    other = call(handler, "POST", "/conversations", sent)

    assert (first.status, again.status, first.json) == (201, 201, again.json)
    assert other.json["document"]["id"] != first.json["document"]["id"]
    assert len(call(handler, "GET", "/documents?space=default").json["documents"]) == 3


def test_a_retry_shows_nothing_of_a_document_that_was_forgotten_since(handler: LambdaHandler) -> None:
    sent, once = {"path": "zanzibar.md", "text": "Apples"}, {"idempotency-key": "1"}
    document = call(handler, "POST", "/documents", sent, headers=once).json["document"]["id"]
    call(handler, "DELETE", f"/documents/{document}")

    again = call(handler, "POST", "/documents", sent, headers=once)

    assert again.status == 409
    assert "zanzibar" not in again.text
