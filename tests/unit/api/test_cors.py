"""Pages of other origins."""

from __future__ import annotations

from palimpsest.api.cors import Cors
from palimpsest.api.incoming import Incoming

CONSOLE = "https://console.example"


def request(method: str = "GET", **headers: str) -> Incoming:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Incoming("r", method, "/memory/list", "", {}, named, "", is_base64=False)


def test_without_a_setting_no_page_may_call() -> None:
    cors = Cors(())

    assert cors.headers(request(origin=CONSOLE)) == {}
    assert cors.preflight(request("OPTIONS", origin=CONSOLE, access_control_request_method="GET"), ["GET"]) is None


def test_an_allowed_page_may_call_and_is_named() -> None:
    headers = Cors([CONSOLE]).headers(request(origin=CONSOLE))

    assert headers["access-control-allow-origin"] == CONSOLE
    assert headers["vary"] == "origin"


def test_other_pages_are_told_nothing() -> None:
    cors = Cors([CONSOLE])

    assert cors.headers(request(origin="https://evil.example")) == {"vary": "origin"}
    assert cors.headers(request()) == {}


def test_a_preflight_of_an_allowed_page_is_answered_with_the_methods() -> None:
    asked = request("OPTIONS", origin=CONSOLE, access_control_request_method="POST")

    answer = Cors([CONSOLE]).preflight(asked, ["GET", "POST"])

    assert answer is not None
    assert answer["statusCode"] == 204
    assert answer["headers"]["access-control-allow-methods"] == "GET, POST"


def test_a_star_allows_every_page() -> None:
    assert Cors(["*"]).headers(request(origin="https://any.example"))["access-control-allow-origin"] == (
        "https://any.example"
    )
