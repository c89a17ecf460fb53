"""Choices are refused in one sentence, before cdk is started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.cdk import ROOT
from infra.choices import read_choices
from infra.context import ContextError, Options


def test_nothing_chosen_is_what_cdk_json_says() -> None:
    assert read_choices([]) == Options()


@pytest.mark.parametrize("given", [["-c", "search=off"], ["--context", "search=off"], ["--context=search=off"]])
def test_a_choice_of_the_command_goes_before_that_of_the_file(given: list[str]) -> None:
    assert read_choices(["--quiet", *given]).search == "off"


def test_a_choice_in_cdk_json_holds_for_good(tmp_path: Path) -> None:
    file = tmp_path / "cdk.json"
    file.write_text(json.dumps({"context": {"cloudfront": "on"}}), "utf-8")

    assert read_choices([], file).cloudfront == "on"


@pytest.mark.parametrize("name", ["@aws-cdk/core:defaultCrossStackReferences", "aws-cdk:enableDiffNoFail"])
def test_cdks_own_names_are_let_through(name: str) -> None:
    assert read_choices(["-c", f"{name}=true"]) == Options()


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("serach=off", "there is no choice serach; there are: alarm_email, architecture, .*, search, "),
        ("alarm_emial=", "there is no choice alarm_emial"),
        ("search=of", "search takes one of: serverless, external, off"),
        ("search", "'search' is no choice; write NAME=VALUE"),
    ],
)
def test_a_misspelt_choice_is_refused(given: str, complaint: str) -> None:
    with pytest.raises(ContextError, match=complaint):
        read_choices(["-c", given])


def test_a_misspelt_choice_in_cdk_json_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cdk.json"
    file.write_text(json.dumps({"context": {"serach": "off"}}), "utf-8")

    with pytest.raises(ContextError, match="there is no choice serach"):
        read_choices([], file)


@pytest.mark.parametrize(
    ("command", "given"),
    [
        (["infra.cdk", "synth"], "search=of"),
        (["infra.cdk", "diff"], "serach=off"),
        (["infra.deploy"], "search=of"),
        (["infra.destroy"], "serach=off"),
    ],
)
def test_each_command_says_so_in_one_line(command: list[str], given: str, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "AWS_EC2_METADATA_DISABLED": "true"}

    done = subprocess.run(
        [sys.executable, "-m", *command, "-c", given],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert "there is no choice serach" in done.stderr or "search takes one of" in done.stderr
