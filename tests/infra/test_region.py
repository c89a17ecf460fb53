"""A deployment has one region, whoever of boto3, cdk and aws reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.cdk import ROOT
from infra.deploy import farewell
from infra.region import RegionError, find_region, needed_region, told

OUTPUTS = {
    "palimpsest-service": {
        "Url": "https://abc.api.example",
        "ApiHost": "abc.api.example",
        "OwnerKeyArn": "arn:owner",
    }
}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine's AWS configuration, empty at first and the only one."""
    file = tmp_path / "config"
    file.touch()
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(file))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    return file


@pytest.mark.parametrize(
    ("environment", "region"),
    [
        ({"AWS_REGION": "eu-west-1"}, "eu-west-1"),
        ({"AWS_DEFAULT_REGION": "eu-west-2"}, "eu-west-2"),
        ({"AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "eu-west-2"}, "eu-west-1"),
        ({"AWS_REGION": "", "AWS_DEFAULT_REGION": "eu-west-2"}, "eu-west-2"),
        ({"AWS_PROFILE": "home"}, "eu-west-3"),
        ({"AWS_PROFILE": "home", "AWS_REGION": "eu-west-1"}, "eu-west-1"),
        ({}, "eu-central-1"),
    ],
)
def test_the_region_is_that_of_a_variable_or_of_the_profile(
    config: Path, environment: dict[str, str], region: str
) -> None:
    config.write_text("[default]\nregion=eu-central-1\n[profile home]\nregion=eu-west-3\n", "ascii")

    assert find_region(environment) == region


@pytest.mark.usefixtures("config")
def test_without_a_region_the_variable_to_set_is_named() -> None:
    assert find_region({}) is None
    with pytest.raises(RegionError, match="set AWS_REGION"):
        needed_region({})


@pytest.mark.usefixtures("config")
def test_a_profile_that_does_not_exist_is_named() -> None:
    with pytest.raises(RegionError, match="AWS_PROFILE names a profile .*: nowhere"):
        find_region({"AWS_PROFILE": "nowhere"})


def test_whatever_is_started_is_told_the_region_by_both_variables() -> None:
    assert told("eu-west-1") == {"AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "eu-west-1"}
    assert told(None) == {}


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        ({}, "no region is chosen; set AWS_REGION, such as AWS_REGION=eu-central-1"),
        ({"AWS_REGION": "eu-west-1"}, "there are no AWS credentials; set AWS_PROFILE, or AWS_ACCESS_KEY_ID"),
        ({"AWS_DEFAULT_REGION": "eu-west-1"}, "there are no AWS credentials; set AWS_PROFILE, or AWS_ACCESS_KEY_ID"),
    ],
)
def test_a_deploy_that_lacks_something_says_what_to_set(
    variables: dict[str, str], complaint: str, tmp_path: Path
) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "AWS_EC2_METADATA_DISABLED": "true"}

    done = subprocess.run(
        [sys.executable, "-m", "infra.deploy"],
        cwd=ROOT,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert done.stderr.startswith(complaint)


def test_the_last_lines_name_the_region_and_the_apis_own_address() -> None:
    lines = farewell(OUTPUTS, "eu-west-1", None).splitlines()

    assert "URL=https://abc.api.example" in lines
    assert any("--region eu-west-1" in line for line in lines)


def test_the_last_lines_for_an_emulator_name_the_path_under_which_it_answers() -> None:
    lines = farewell(OUTPUTS, "eu-west-1", "http://127.0.0.1:4566/").splitlines()

    assert "URL=http://127.0.0.1:4566/_aws/execute-api/abc" in lines
