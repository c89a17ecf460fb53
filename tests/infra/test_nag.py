"""cdk-nag passes with every set of choices, and what it found and was left has a reason."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from infra.findings import LEFT
from tests.infra.templates import Deployment
from tests.infra.variants import VARIANTS


@pytest.mark.parametrize("name", VARIANTS)
def test_cdk_nag_finds_nothing_that_was_not_answered(synthesized: Path, name: str) -> None:
    assert Deployment(synthesized / name).refusal is None


def test_every_finding_that_is_left_has_a_reason() -> None:
    assert [each.rule for each in LEFT if len(each.reason.split()) < 8] == []


def test_every_finding_that_is_left_is_about_constructs_that_are_there(synthesized: Path) -> None:
    paths = {path for name in VARIANTS for path in Deployment(synthesized / name).paths}

    assert [each.where for each in LEFT if not any(re.search(each.where, path) for path in paths)] == []


def test_a_synthesis_takes_less_than_twenty_seconds(synthesized: Path) -> None:
    seconds = float((synthesized / "seconds").read_text("ascii"))

    assert seconds / len(VARIANTS) < 20


def test_tests_are_collected_without_cdk_which_needs_node_and_seconds() -> None:
    assert "jsii" not in sys.modules
