"""The one region of a deployment: boto3 and cdk each read another variable, so it is found once and told to both."""

from __future__ import annotations

from collections.abc import Mapping

import boto3
from botocore.exceptions import ProfileNotFound

VARIABLES = ("AWS_REGION", "AWS_DEFAULT_REGION")
"""Where it is read from, and both are set for what is started; the first that is set wins."""


class RegionError(Exception):
    """There is no region, or no such profile; the message says what to set."""


def find_region(environment: Mapping[str, str]) -> str | None:
    """The region by variable, else that of the profile; None when neither says one.

    Raises:
        RegionError: `AWS_PROFILE` names a profile that does not exist.
    """
    named = [environment[name] for name in VARIABLES if environment.get(name)]
    if named:
        return named[0]
    profile = environment.get("AWS_PROFILE") or None
    try:
        region: str | None = boto3.Session(profile_name=profile).region_name
    except ProfileNotFound as error:
        raise RegionError(f"AWS_PROFILE names a profile that this machine does not have: {profile}") from error
    return region


def needed_region(environment: Mapping[str, str]) -> str:
    """The region that a command in an account goes to.

    Raises:
        RegionError: There is none.
    """
    region = find_region(environment)
    if region is None:
        raise RegionError("no region is chosen; set AWS_REGION, such as AWS_REGION=eu-central-1")
    return region


def told(region: str | None) -> dict[str, str]:
    """The variables that tell it to boto3, cdk and aws alike."""
    return dict.fromkeys(VARIABLES, region) if region else {}
