"""docs/reference/settings.md and the code say the same."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from pathlib import Path

from palimpsest.settings import Settings, variable
from tests.architecture import tree

ROW = re.compile(r"^\| `(PALIMPSEST_\w+)` \| (.+?) \| (.+) \|$", re.MULTILINE)


def test_the_page_lists_every_setting_with_its_default_and_no_other() -> None:
    listed = {name: default for name, default, _ in ROW.findall(_page())}

    assert listed == {variable(field.name): _default(field.name) for field in fields(Settings)}


def test_no_other_page_or_error_names_a_setting_that_does_not_exist() -> None:
    known = {variable(field.name) for field in fields(Settings)}
    pages = [path.read_text("utf-8") for path in tree.committed() if path.suffix in (".md", ".service", ".plist")]
    texts = pages + [module.text for module in tree.runtime()]

    named = {name for text in texts for name in re.findall(r"PALIMPSEST_[A-Z][A-Z_]*[A-Z]", text)}

    assert named - known == set()


def _page() -> str:
    return (tree.ROOT / "docs/reference/settings.md").read_text("utf-8")


def _default(name: str) -> str:
    if name == "data_dir":  # the home folder of whoever reads it
        assert Settings().data_dir == Path.home() / ".palimpsest"
        return "`~/.palimpsest`"
    field = next(field for field in fields(Settings) if field.name == name)
    value = field.default
    assert value is not MISSING
    if value in (None, ()):
        return "none"
    if isinstance(value, tuple):
        return f"`{','.join(value)}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
