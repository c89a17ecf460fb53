"""Pages are fetched from outside alone, through few redirects, within a time and a size."""

from __future__ import annotations

import gzip
import http.server
import threading
from collections.abc import Iterator

import pytest

from palimpsest.domain.errors import Invalid, Unreadable
from palimpsest.domain.library import web_address
from palimpsest.ports.fetcher import Fetched, Validators
from tests.support.web_pages import HTML, WebPages, fetcher, web_pages

PAGE = b"<html><body><p>Apples and pears.</p></body></html>"


@pytest.fixture
def site() -> Iterator[WebPages]:
    with web_pages() as site:
        yield site


def wanted(path: str, said: str | None) -> str | None:
    return said if said in ("text/html", "text/plain") else None


def fetch(url: str, known: Validators | None = None, **more: object) -> Fetched | None:
    return fetcher(**more).fetch(web_address.read(url), known or Validators(), wanted)  # type: ignore[arg-type]


def refusal(url: str, **more: object) -> str:
    with pytest.raises(Unreadable) as refused:
        fetch(url, None, **more)
    return refused.value.reason


def test_a_page_comes_with_what_its_server_says_of_it(site: WebPages) -> None:
    told = {
        "Content-Type": "text/html; charset=ISO-8859-2",
        "ETag": '"1"',
        "Last-Modified": "Mon, 02 Mar 2026 09:00:00 GMT",
    }
    site.pages["/a?b=c"] = (200, told, PAGE)

    fetched = fetch(site.url("/a?b=c#d"))

    assert fetched == Fetched(PAGE, "text/html", "iso-8859-2", Validators('"1"', "Mon, 02 Mar 2026 09:00:00 GMT"))
    path, headers = site.asked[0]
    assert (path, headers["host"]) == ("/a?b=c", f"site.test:{site.port}")
    assert "cookie" not in headers


def test_what_is_the_same_as_before_is_not_given_again(site: WebPages) -> None:
    site.pages["/"] = (304, {}, b"")

    assert fetch(site.url("/"), Validators('"1"', "Mon, 02 Mar 2026 09:00:00 GMT")) is None
    headers = site.asked[0][1]
    assert (headers["if-none-match"], headers["if-modified-since"]) == ('"1"', "Mon, 02 Mar 2026 09:00:00 GMT")


def test_a_packed_page_is_unpacked_within_the_limit(site: WebPages) -> None:
    site.pages["/"] = (200, {**HTML, "Content-Encoding": "gzip"}, gzip.compress(PAGE))
    site.pages["/bomb"] = (200, {**HTML, "Content-Encoding": "gzip"}, gzip.compress(b"a" * 2_000_000))
    site.pages["/broken"] = (200, {**HTML, "Content-Encoding": "gzip"}, b"no gzip at all")
    site.pages["/other"] = (200, {**HTML, "Content-Encoding": "br"}, b"...")

    fetched = fetch(site.url("/"))

    assert fetched is not None
    assert fetched.content == PAGE
    assert refusal(site.url("/bomb"), limit_bytes=1_000_000) == "too_large"
    assert refusal(site.url("/broken")) == "damaged"
    assert refusal(site.url("/other")) == "unknown_format"


def test_what_is_larger_than_the_limit_is_refused_by_its_length_or_on_the_way(site: WebPages) -> None:
    def endless(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/plain")
        handler.end_headers()
        while True:
            handler.wfile.write(b"a" * 65_536)

    site.pages["/said"] = (200, {**HTML, "Content-Length": "1000000000"}, b"a")
    site.pages["/endless"] = endless

    assert refusal(site.url("/said")) == "too_large"
    assert refusal(site.url("/endless"), limit_bytes=1_000_000) == "too_large"


def test_redirects_are_followed_five_times_and_relative_to_where_they_stand(site: WebPages) -> None:
    for number in range(6):
        site.pages[f"/{number}"] = (302, {"Location": f"{number + 1}"}, b"")
    site.pages["/6"] = (200, HTML, PAGE)

    assert fetch(site.url("/1")) is not None
    assert refusal(site.url("/0")) == "too_many_redirects"


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "inside"),
        ("http://[::1]/", "inside"),
        ("http://2852039166/", "inside"),
        ("http://inner.test/", "inside"),
        ("http://half.test/", "inside"),
        ("http://localhost/", "bad_redirect"),
        ("file:///etc/passwd", "bad_redirect"),
        ("http://me:pw@site.test/", "bad_redirect"),
        ("http://nowhere.test/", "unreachable"),
    ],
)
def test_a_redirect_that_leads_inside_is_not_followed(site: WebPages, location: str, reason: str) -> None:
    site.pages["/"] = (301, {"Location": location}, b"")
    names = {"inner.test": "10.0.0.7", "half.test": "93.184.215.14 192.168.0.1"}

    assert refusal(site.url("/"), names=names) == reason
    assert site.paths() == ["/"]


def test_a_name_is_resolved_once_and_the_very_address_that_was_looked_at_is_asked(site: WebPages) -> None:
    asked: list[str] = []
    plain = fetcher()

    def resolve(host: str, seconds: float) -> object:
        asked.append(host)
        return plain.resolve(host, seconds)

    site.pages["/"] = (200, HTML, PAGE)
    rebinding = type(plain)(is_inside=plain.is_inside, resolve=resolve)  # type: ignore[arg-type]

    assert rebinding.fetch(web_address.read(site.url("/")), Validators(), wanted) is not None
    assert asked == ["site.test"]


@pytest.mark.parametrize(
    "status", [(401, "server_refused"), (404, "not_found"), (410, "not_found"), (503, "server_failed")]
)
def test_what_a_server_does_not_give_is_a_word(site: WebPages, status: tuple[int, str]) -> None:
    site.pages["/"] = (status[0], HTML, b"")

    assert refusal(site.url("/")) == status[1]


def test_only_what_somebody_reads_is_taken(site: WebPages) -> None:
    site.pages["/"] = (200, {"Content-Type": "image/png", "Content-Length": "9000000"}, b"png")

    assert refusal(site.url("/")) == "unknown_format"


def test_a_body_that_breaks_off_and_a_closed_port_are_unreachable(site: WebPages) -> None:
    def broken(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"<p>half")
        handler.close_connection = True

    site.pages["/"] = broken

    assert refusal(site.url("/")) == "unreachable"
    assert refusal("http://site.test:1/") == "unreachable"


def test_a_server_that_drips_is_cut_off(site: WebPages) -> None:
    released = threading.Event()

    def dripping(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Drip: ")
        while not released.wait(0.02):
            handler.wfile.write(b"a")

    site.pages["/"] = dripping

    assert refusal(site.url("/"), seconds=0.2) == "too_slow"
    released.set()


def test_a_request_refuses_what_is_inside_and_lets_pass_what_nobody_resolves() -> None:
    ours = fetcher({"inner.test": "10.0.0.7"})

    for host in ("inner.test", "169.254.169.254", "[::ffff:10.0.0.1]", "0x0a000001", "[64:ff9b::a00:1]"):
        with pytest.raises(Invalid):
            ours.check(web_address.read(f"http://{host}/"))
    ours.check(web_address.read("http://nowhere.test/"))


def test_loopback_is_inside_for_everybody_but_these_tests() -> None:
    from palimpsest.adapters.web.fetcher import HttpFetcher

    with pytest.raises(Invalid):
        HttpFetcher().check(web_address.read("http://127.0.0.1:1/"))
