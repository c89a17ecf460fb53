"""A link is fetched in the background, read like a file, and looked at again every day where somebody wants that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.document import Document, DocumentKind, DocumentState
from palimpsest.domain.errors import Invalid
from palimpsest.domain.source import Source, Trust
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.usecases.add_document import Added, DocumentAdded, Sending
from palimpsest.usecases.contents import LinkTo
from palimpsest.usecases.drafts import SourceClaim
from tests.support.installation import OWNER, Installation, install
from tests.support.web_pages import HTML, WebPages, fetcher, web_pages

DAY = timedelta(days=1)
PAGE = b"""<html><head><title>The orchard's handbook</title></head><body><nav>Menu</nav><main><h1>Orchard</h1>
<p>The old orchard by the river has forty apple trees and a small barn.</p>
<h2>Harvest</h2><p>Apples are picked in September, pears two weeks before them, and nobody picks on Sundays.</p>
</main></body></html>"""

THIN = b"<div id=app><p>Loading</p></div>" + b"<script src=a></script>" * 200


@pytest.fixture
def site() -> Iterator[WebPages]:
    with web_pages() as site:
        yield site


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path, fetcher=fetcher({"inner.test": "10.0.0.7"}))
    yield installed
    installed.sqlite.close()


def send(memory: Installation, url: str, *, watch: bool = False, **more: object) -> DocumentAdded:
    source = SourceClaim("external_web")
    sending = replace(Sending(None, LinkTo(url, watch), source=source), **more)  # type: ignore[arg-type]
    return memory.wired.service.add_document(OWNER, sending)


def work(memory: Installation, document: str) -> None:
    memory.wired.worker(Work(Job.INGEST, document), lambda: 1_000.0)
    memory.index()


def shown(memory: Installation, added: DocumentAdded) -> Document:
    return memory.wired.service.library.show(OWNER, added.document.id).document


def planned(memory: Installation) -> list[str]:
    """What a plan has to ask for; it asks once."""
    memory.wired.plan.asking.start_over()
    while memory.queue.take(0) is not None:
        pass
    memory.wired.plan()
    asked = []
    while (delivery := memory.queue.take(0)) is not None:
        asked.append(read(delivery.body))
    return [work.subject for work in asked if work.job is Job.INGEST]


def texts(memory: Installation, added: DocumentAdded) -> list[str]:
    listed = memory.wired.service.library.chunks_of(OWNER, added.document.id)
    return [each.chunk.text for each in listed.chunks]


def test_a_page_is_fetched_in_the_background_and_has_its_own_title(memory: Installation, site: WebPages) -> None:
    site.pages["/handbook?id=3"] = (200, HTML, PAGE)

    added = send(memory, site.url("/handbook?utm_source=mail&id=3#top").replace("utm_source=mail&", ""))
    before = list(site.asked)
    work(memory, added.document.id)

    document = shown(memory, added)
    assert (added.outcome, added.document.state, before) == (Added.ADDED, DocumentState.QUEUED, [])
    assert (document.state, document.kind, document.title) == ("ready", DocumentKind.LINK, "The orchard's handbook")
    assert document.path == site.url("/handbook?id=3")
    assert document.source == Source("external_web", None, None, Trust.B)
    assert texts(memory, added)[1].startswith("Apples are picked in September")
    assert document.link is not None
    assert (document.link.wanted_at, document.link.failure) == (None, "")


def test_an_address_that_only_tracks_readers_is_the_same_document(memory: Installation, site: WebPages) -> None:
    first = send(memory, site.url("/a?utm_source=mail"))
    second = send(memory, site.url("/a?gclid=7#top"))

    assert first.document.id == second.document.id
    assert second.document.path == site.url("/a")
    assert (second.outcome, send(memory, site.url("/a?gclid=7")).outcome) == (Added.UPDATED, Added.UNCHANGED)


def test_a_watched_page_is_looked_at_again_after_a_day_and_costs_nothing_while_it_is_the_same(
    memory: Installation, site: WebPages
) -> None:
    site.pages["/"] = (200, {**HTML, "ETag": '"1"'}, PAGE)
    added = send(memory, site.url("/"), watch=True)
    work(memory, added.document.id)
    before = planned(memory)
    site.pages["/"] = (304, {}, b"")

    memory.clock.turn(DAY)
    after_a_day = planned(memory)
    work(memory, added.document.id)

    assert (before, after_a_day, planned(memory)) == ([], [added.document.id], [])
    document = shown(memory, added)
    assert (document.edition, document.state, len(site.asked)) == (1, "ready", 2)
    assert site.asked[1][1]["if-none-match"] == '"1"'
    assert document.link is not None
    assert document.link.wanted_at == document.changed_at + DAY


def test_what_changed_of_a_watched_page_is_its_next_edition_and_what_did_not_keeps_its_ids(
    memory: Installation, site: WebPages
) -> None:
    site.pages["/"] = (200, HTML, PAGE)
    added = send(memory, site.url("/"), watch=True)
    work(memory, added.document.id)
    listed = memory.wired.service.library.chunks_of(OWNER, added.document.id).chunks
    site.pages["/"] = (200, HTML, PAGE.replace(b"September", b"October"))

    memory.clock.turn(DAY)
    work(memory, added.document.id)

    again = memory.wired.service.library.chunks_of(OWNER, added.document.id).chunks
    assert [each.chunk.id == before.chunk.id for each, before in zip(again, listed, strict=True)] == [True, False]
    assert shown(memory, added).edition == 2


def test_what_cant_be_had_says_why_and_leaves_what_was_there(memory: Installation, site: WebPages) -> None:
    site.pages["/"] = (200, HTML, PAGE)
    added = send(memory, site.url("/"), watch=True)
    work(memory, added.document.id)
    site.pages["/"] = (302, {"Location": "http://inner.test/"}, b"")

    memory.clock.turn(DAY)
    work(memory, added.document.id)

    document = shown(memory, added)
    assert (document.state, document.failure, document.edition) == (DocumentState.FAILED, "inside", 1)
    assert len(texts(memory, added)) == 2
    assert document.link is not None
    assert document.link.wanted_at is not None

    site.pages["/"] = (200, HTML, PAGE)
    memory.clock.turn(DAY)
    work(memory, added.document.id)
    assert shown(memory, added).state == DocumentState.READY


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, HTML, b""), "not_found"),
        ((200, {"Content-Type": "image/png"}, b"png"), "unknown_format"),
        ((200, HTML, b"  "), "empty"),
        ((200, HTML, THIN), "thin"),
        ((200, HTML, b"<script src=a></script>" * 200), "no_text"),
    ],
)
def test_each_way_in_which_a_page_can_fail_has_its_word(
    memory: Installation, site: WebPages, answer: tuple[int, dict[str, str], bytes], reason: str
) -> None:
    site.pages["/"] = answer

    added = send(memory, site.url("/"))
    work(memory, added.document.id)

    assert (shown(memory, added).state, shown(memory, added).failure) == (DocumentState.FAILED, reason)


@pytest.mark.parametrize("before", [(200, HTML, PAGE), (200, HTML, THIN), (404, HTML, b"")])
def test_a_page_that_is_sent_again_is_queued_until_it_is_fetched(
    memory: Installation, site: WebPages, before: tuple[int, dict[str, str], bytes]
) -> None:
    site.pages["/"] = before
    work(memory, send(memory, site.url("/")).document.id)

    again = send(memory, site.url("/"))
    waiting = shown(memory, again)
    site.pages["/"] = (200, HTML, PAGE)
    work(memory, again.document.id)

    assert (again.outcome, waiting.state, waiting.failure) == (Added.UPDATED, DocumentState.QUEUED, "")
    assert shown(memory, again).state == DocumentState.READY


def test_a_text_is_read_in_the_encoding_that_its_server_says(memory: Installation, site: WebPages) -> None:
    site.pages["/a.txt"] = (200, {"Content-Type": "text/plain; charset=iso-8859-2"}, "Żółw i gęś.".encode("iso-8859-2"))

    added = send(memory, site.url("/a.txt"))
    work(memory, added.document.id)

    assert texts(memory, added) == ["Żółw i gęś."]


def test_a_link_inside_is_refused_at_once_and_leaves_nothing(memory: Installation) -> None:
    for url in ("http://169.254.169.254/latest/", "http://inner.test/", "http://0x0a000001/", "file:///etc/passwd"):
        with pytest.raises(Invalid):
            send(memory, url)

    assert memory.wired.service.library.page(OWNER, space=None).documents == ()


def test_a_text_that_is_sent_takes_the_place_of_a_link(memory: Installation, site: WebPages) -> None:
    site.pages["/"] = (200, HTML, PAGE)
    added = send(memory, site.url("/"), watch=True, path="handbook.md")
    work(memory, added.document.id)

    memory.wired.service.add_document(OWNER, Sending("handbook.md", b"# Handbook\n\nBy hand."))
    work(memory, added.document.id)
    memory.clock.turn(DAY)

    document = shown(memory, added)
    assert (document.kind, document.link, texts(memory, added)) == (DocumentKind.FILE, None, ["By hand."])
    assert planned(memory) == []


def test_a_forgotten_link_is_not_looked_at(memory: Installation, site: WebPages) -> None:
    site.pages["/"] = (200, HTML, PAGE)
    added = send(memory, site.url("/"), watch=True)
    work(memory, added.document.id)
    memory.wired.service.library.forget(OWNER, added.document.id)

    memory.clock.turn(2 * DAY)
    work(memory, added.document.id)
    memory.wired.service.library.restore(OWNER, added.document.id)
    asked = len(site.asked)
    work(memory, added.document.id)

    assert (asked, len(site.asked)) == (1, 2)


def test_what_an_address_holds_that_nobody_is_to_see_is_not_shown(memory: Installation, site: WebPages) -> None:
    added = send(memory, site.url("/a?mail=ola.nowak@site.example"))
    work(memory, added.document.id)

    document = shown(memory, added)
    assert "ola" not in document.path
    assert document.link is not None
    assert "ola" not in document.link.shown
    assert site.paths() == ["/a?mail=ola.nowak@site.example"]


def test_a_document_without_a_title_has_that_of_its_front_matter(memory: Installation) -> None:
    add = memory.wired.service.add_document
    added = add(OWNER, Sending("a/b.md", b"---\ntitle: The barn\n---\n\nOne barn."))
    work(memory, added.document.id)
    assert (added.document.title, shown(memory, added).title) == ("b.md", "The barn")

    add(OWNER, Sending("a/b.md", b"---\ntitle: The barn\n---\n\nTwo barns.", title="Barns"))
    work(memory, added.document.id)
    assert shown(memory, added).title == "Barns"

    add(OWNER, Sending("a/b.md", b"Three barns."))
    work(memory, added.document.id)
    assert shown(memory, added).title == "b.md"
