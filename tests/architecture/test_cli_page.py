"""docs/cli.md and the parser say the same."""

from __future__ import annotations

from tests.architecture import tree
from tests.support import cli_page


def test_the_page_lists_every_verb_option_and_exit_code_as_the_parser_has_them() -> None:
    written = (tree.ROOT / "docs/cli.md").read_text("utf-8")

    assert written == cli_page.page(), "python -m tests.support.cli_page > docs/cli.md"
