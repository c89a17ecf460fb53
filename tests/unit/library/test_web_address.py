"""Addresses of the web are taken apart strictly, and what lies inside a network is told in every spelling."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.errors import Invalid
from palimpsest.domain.library import web_address
from palimpsest.domain.library.inside import is_inside, legacy_address


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "240.0.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1",
        "2002:7f00:1::", "::7f00:1", "2001:db8::1",
    ],
)  # fmt: skip
def test_what_lies_inside_is_known_in_each_form(text: str) -> None:
    assert is_inside(ip_address(text))
    assert is_inside(ip_address(0))


@pytest.mark.parametrize("text", ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "64:ff9b::101:101"])
def test_what_lies_outside_is_not_inside(text: str) -> None:
    assert not is_inside(ip_address(text))


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "017700000001",
        "127.1",
        "127.0.1",
        "0x7f.1",
        "0177.0.0.1",
        "0x7F.0.0.0x1",
        "0x7f.0.1",
    ],
)
def test_numbers_are_addresses_as_resolvers_take_them(host: str) -> None:
    assert str(legacy_address(host)) == "127.0.0.1"
    assert web_address.read(f"http://{host}/").host == "127.0.0.1"


@given(st.integers(0, 2**32 - 1), st.sampled_from(["{0}", "{0:#x}", "0{0:o}"]))
def test_an_address_as_one_number_is_that_address(number: int, form: str) -> None:
    assert legacy_address(form.format(number)) == ip_address(number)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.test/", "file:///etc/passwd", "javascript:alert(1)", "//site.test/", "site.test", "http|", "http|/a",
        "http|me:secret@site.test/", "http|@site.test/", "http|site.test:99999/", "http|1.2.3.4.5/",
        "http|256.1.1.1/", "http|08.1.1.1/", "http|si te.test/", "http|site.test\\@inside.test/", "http|[::1/",
        "http|site..test/", "http|-a.test/", "http|localhost/", "http|a.localhost./", "http|metadata.internal/",
        "http|printer.local/", f"http|a.test/{'a' * 2_100}", "http|a.test/\x00",
    ],
)  # fmt: skip
def test_what_is_no_address_of_the_web_is_refused(url: str) -> None:
    with pytest.raises(Invalid) as refused:
        web_address.read(url.replace("|", "://"))
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "identity"),
    [
        ("HTTP://Site.TEST", "http://site.test/"),
        ("https://site.test:443/a#b", "https://site.test/a"),
        ("https://site.test./a?utm_source=x&UTM_Medium=y&id=3&gclid=1#top", "https://site.test/a?id=3"),
        ("https://site.test/a?ref=x&ref_src=y&fbclid=z", "https://site.test/a"),
        ("https://site.test/a?reference=x&q=ref", "https://site.test/a?reference=x&q=ref"),
        ("https://site.test:8443/a", "https://site.test:8443/a"),
        ("https://żółw.test/ścieżka b", "https://xn--w-uga1v8h.test/%C5%9Bcie%C5%BCka%20b"),
        ("http://[2606:4700:0:0::1111]/", "http://[2606:4700::1111]/"),
    ],
)
def test_a_page_has_one_identity(url: str, identity: str) -> None:
    assert web_address.read(url.replace(" ", "%20")).identity == identity


def test_a_full_width_address_is_what_it_reads() -> None:
    assert web_address.read("http:" + "//①②⑦.0.0.1/").host == "127.0.0.1"


def test_a_redirect_is_read_from_where_it_stands() -> None:
    base = web_address.read("https://site.test/a/b?c=d")

    assert web_address.read("../x", base).url == "https://site.test/x"
    assert web_address.read("//other.test/y", base).url == "https://other.test/y"
    assert web_address.read("http://[::ffff:127.0.0.1]/", base).host == "::ffff:7f00:1"
