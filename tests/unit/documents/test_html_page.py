"""HTML is read as its reader sees it: the article of a page, without what stands around it."""

from __future__ import annotations

import pytest

from tests.support.reading_files import blocks, reading, refusal

STORY = "The ingest worker restarts via systemd, and whoever is on call is told about it by mail. " * 4
PAGE = f"""<!doctype html><html><head><title>Runbook &amp; notes</title><style>p {{}}</style></head><body>
<header><a href="/">Home</a> <a href="/about">About us</a></header><nav><ul><li>Menu</li></ul></nav>
<div class="cookie-banner">We use cookies</div>
<main><h1>Restarting</h1><p>{STORY}</p>
<h2>By hand</h2><ol><li>Log in<ul><li>by key</li></ul></li><li>Restart<br>and wait</li></ol>
<table><thead><tr><th>host</th><th>role</th></tr></thead><tr><td>orchard</td><td>data\n base</td></tr></table>
<pre><code>systemctl restart ingest
  --now</code></pre><script>alert(1)</script><aside>Read also</aside></main>
<footer>All rights reserved</footer></body></html>"""


def test_of_a_page_its_article_is_read() -> None:
    assert reading("html", PAGE).title == "Runbook & notes"
    assert blocks("html", PAGE) == [
        ("h1", "Restarting"),
        ("paragraph", STORY.strip()),
        ("h2", "By hand"),
        ("list", "1. Log in\n  - by key\n2. Restart\n  and wait"),
        ("table", "host | role\norchard | data base"),
        ("code", "systemctl restart ingest\n  --now"),
    ]


def test_the_head_of_a_table_is_known() -> None:
    tables = [block.head_rows for block in reading("html", PAGE).blocks if block.kind.value == "table"]

    assert tables == [1]


def test_a_page_without_an_article_loses_its_menus_alone() -> None:
    page = PAGE.replace("<main>", "<div>").replace("</main>", "</div>")

    said = " ".join(text for _, text in blocks("html", page))

    assert "systemctl" in said
    assert not any(word in said for word in ("Menu", "cookies", "rights", "Read also"))


def test_a_page_that_is_all_menu_is_read_whole() -> None:
    assert blocks("html", "<nav><ul><li>One</li><li>Two</li></ul></nav>") == [("list", "- One\n- Two")]


def test_tables_that_lay_out_a_page_are_read_cell_by_cell() -> None:
    page = "<table><tr><td><h2>Left</h2><p>a</p></td><td><p>b</p></td></tr></table>"

    assert blocks("html", page) == [("h2", "Left"), ("paragraph", "a"), ("paragraph", "b")]


def test_hidden_parts_are_not_read() -> None:
    page = "<p>seen</p><p hidden>a</p><p style='display: none'>b</p><p aria-hidden=true>c</p><template>d</template>"

    assert blocks("html", page) == [("paragraph", "seen")]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<p>zażółć</p>".encode(), "zażółć"),
        ('<meta charset="iso-8859-2"><p>zażółć</p>'.encode("iso-8859-2"), "zażółć"),
        ('<meta http-equiv=x content="text/html; charset=windows-1250"><p>gęś</p>'.encode("cp1250"), "gęś"),
        ("<p>café “x”</p>".encode("cp1252"), "café “x”"),
        ('<meta charset="utf-16"><p>zażółć</p>'.encode(), "zażółć"),
        ('<meta charset="hex"><p>zażółć</p>'.encode(), "zażółć"),
        ("<p>zażółć</p>".encode("utf-16"), "zażółć"),
    ],
)
def test_the_encoding_is_found_as_browsers_find_it(content: bytes, expected: str) -> None:
    assert blocks("html", content) == [("paragraph", expected)]


def test_a_deep_page_is_read() -> None:
    deep = 3_000

    assert blocks("html", "<div>" * deep + "deep" + "</div>" * deep) == [("paragraph", "deep")]
    assert blocks("html", "<ul><li>" * 1_000 + "deep")[0][0] == "list"


@pytest.mark.parametrize("tag", ["<div>", "<b>", "<DIV></x>", "<table><tr><td>", "<p><font>"])
def test_a_page_that_would_take_minutes_to_read_is_refused(tag: str) -> None:
    assert refusal("html", tag * 500_000 + "deep") == "too_deep"


def test_many_tags_that_end_are_not_deep() -> None:
    assert len(blocks("html", "<div><p>a<br><img></div>" * 10_000)) == 10_000


@pytest.mark.parametrize("page", ["<html><body></body></html>", "<script>x</script>", "<img src=x>", "<p hidden>x</p>"])
def test_a_page_without_text_is_refused(page: str) -> None:
    assert refusal("html", page) == "no_text"


def test_an_empty_or_endless_page_is_refused() -> None:
    assert refusal("html", " \n") == "empty"
    assert refusal("html", b"<p>x" * 5_000_000) == "too_large"
