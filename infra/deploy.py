"""`make deploy`: bootstrap when the account never was, deploy every stack, say how to use what is there."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import boto3
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

from infra.cdk import ROOT, ToolError, run
from infra.choices import read_choices
from infra.context import ContextError, Options
from infra.region import RegionError, needed_region

BOOTSTRAP_STACK = "CDKToolkit"
NO_CREDENTIALS = (
    "there are no AWS credentials; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
    "or log in with `aws sso login`"
)
_STATE_FOLDER = ROOT / ".build"


class DeployError(Exception):
    """A step failed; the message says which, cdk has said why."""


def deploy(arguments: Sequence[str], options: Options, region: str) -> dict[str, dict[str, str]]:
    """Everything `make deploy` does; the outputs of each stack.

    Args:
        arguments: For cdk, such as ``-c search=off``.
        options: What the arguments choose.

    Raises:
        DeployError: A step failed.
    """
    if not is_bootstrapped(region):
        _step(["bootstrap", *arguments], region)
    outputs = _deployed(arguments, region)
    if options.cloudfront == "on":
        host = _output(outputs, "ApiHost")
        outputs |= _deployed([*arguments, "-c", f"api_host={host}"], region)
    return outputs


def is_bootstrapped(region: str) -> bool:
    """Whether the account has CDK's own stack in the region.

    Raises:
        DeployError: AWS could not be asked.
    """
    try:
        client = boto3.client("cloudformation", region_name=region)
        client.describe_stacks(StackName=BOOTSTRAP_STACK)
    except ClientError as error:
        if "does not exist" in str(error):
            return False
        raise DeployError(f"AWS refuses to tell about the stack {BOOTSTRAP_STACK}: {error}") from error
    except NoCredentialsError as error:
        raise DeployError(NO_CREDENTIALS) from error
    except BotoCoreError as error:
        raise DeployError(f"AWS can't be asked: {error}") from error
    return True


def farewell(outputs: dict[str, dict[str, str]], region: str, endpoint: str | None) -> str:
    """What to do next, ready to paste.

    Args:
        endpoint: Of an emulator, which answers for an API under a path of its own address; None on AWS.
    """
    secret = _output(outputs, "OwnerKeyArn")
    url = _emulated(outputs, endpoint) if endpoint else _address(outputs)
    return "\n".join(
        [
            "",
            f"Palimpsest is at {url}",
            "",
            f"URL={url}",
            f"KEY=$(aws secretsmanager get-secret-value --region {region} --query SecretString --output text \\",
            f"  --secret-id {secret})",
            'curl -s $URL/memory/save -H "Authorization: Bearer $KEY" -d \'{"content": "Ola is allergic to nuts"}\'',
            "",
        ]
    )


def _address(outputs: dict[str, dict[str, str]]) -> str:
    fronts = [stack["FrontUrl"] for stack in outputs.values() if "FrontUrl" in stack]
    return fronts[0] if fronts else _output(outputs, "Url")


def _emulated(outputs: dict[str, dict[str, str]], endpoint: str) -> str:
    api = _output(outputs, "ApiHost").partition(".")[0]
    return f"{endpoint.rstrip('/')}/_aws/execute-api/{api}"


def _deployed(arguments: Sequence[str], region: str) -> dict[str, dict[str, str]]:
    _STATE_FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_STATE_FOLDER) as folder:
        told = Path(folder) / "outputs.json"
        options = ["--all", "--require-approval", "never", "--outputs-file", str(told)]
        _step(["deploy", *options, *arguments], region)
        outputs: dict[str, dict[str, str]] = json.loads(told.read_text("utf-8"))
    return outputs


def _step(arguments: Sequence[str], region: str) -> None:
    if run(arguments, region):
        raise DeployError(f"cdk {arguments[0]} failed; what it made stays, and the same command goes on from there")


def _output(outputs: dict[str, dict[str, str]], name: str) -> str:
    return next(stack[name] for stack in outputs.values() if name in stack)


def main() -> int:
    os.environ.setdefault("AWS_PAGER", "")
    arguments = sys.argv[1:]
    try:
        options = read_choices(arguments)
        region = needed_region(os.environ)
        print(farewell(deploy(arguments, options, region), region, os.environ.get("AWS_ENDPOINT_URL")))
    except (DeployError, ToolError, ContextError, RegionError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
