"""Every link of a page inside the repository leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from tests.architecture import tree

LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_every_link_to_a_file_finds_it_and_its_heading() -> None:
    pages = [path for path in tree.committed() if path.suffix == ".md"]

    broken = {
        f"{page.relative_to(tree.ROOT)}: {link}"
        for page in pages
        for link in LINK.findall(page.read_text("utf-8"))
        if "://" not in link and not _leads_somewhere(page, link)
    }

    assert broken == set()


def _leads_somewhere(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    return target.exists() and (not anchor or anchor in _anchors(target.read_text("utf-8")))


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
