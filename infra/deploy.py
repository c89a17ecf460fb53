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

BOOTSTRAP_STACK = "CDKToolkit"
_STATE_FOLDER = ROOT / ".build"


class DeployError(Exception):
    """A step failed; the message says which, cdk has said why."""


def deploy(arguments: Sequence[str]) -> dict[str, dict[str, str]]:
    """Everything `make deploy` does; the outputs of each stack.

    Args:
        arguments: For cdk, such as ``-c search=off``.

    Raises:
        DeployError: A step failed.
    """
    if not is_bootstrapped():
        _step(["bootstrap", *arguments], "cdk bootstrap")
    outputs = _deployed(arguments)
    host = _output(outputs, "ApiHost")
    if wants_front(arguments):
        outputs |= _deployed([*arguments, "-c", f"api_host={host}"])
    return outputs


def is_bootstrapped() -> bool:
    """Whether the account has CDK's own stack in this region.

    Raises:
        DeployError: AWS could not be asked.
    """
    try:
        client = boto3.client("cloudformation")
        client.describe_stacks(StackName=BOOTSTRAP_STACK)
    except ClientError as error:
        if "does not exist" in str(error):
            return False
        raise DeployError(f"AWS refuses to tell about the stack {BOOTSTRAP_STACK}: {error}") from error
    except NoCredentialsError as error:
        raise DeployError("there are no AWS credentials; set AWS_PROFILE, or log in with `aws sso login`") from error
    except BotoCoreError as error:
        raise DeployError(f"AWS can't be asked: {error}") from error
    return True


def farewell(outputs: dict[str, dict[str, str]]) -> str:
    """What to do next, ready to paste."""
    url, secret = _output(outputs, "Url"), _output(outputs, "OwnerKeyArn")
    front = next((stack["FrontUrl"] for stack in outputs.values() if "FrontUrl" in stack), None)
    return "\n".join(
        [
            "",
            f"Palimpsest is at {front or url}",
            "",
            f"URL={front or url}",
            "KEY=$(aws secretsmanager get-secret-value --query SecretString --output text \\",
            f"  --secret-id {secret})",
            'curl -s $URL/memory/save -H "Authorization: Bearer $KEY" -d \'{"content": "Ola is allergic to nuts"}\'',
            "",
        ]
    )


def _deployed(arguments: Sequence[str]) -> dict[str, dict[str, str]]:
    _STATE_FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_STATE_FOLDER) as folder:
        told = Path(folder) / "outputs.json"
        options = ["--all", "--require-approval", "never", "--outputs-file", str(told)]
        _step(["deploy", *options, *arguments], "cdk deploy")
        outputs: dict[str, dict[str, str]] = json.loads(told.read_text("utf-8"))
    return outputs


def _step(arguments: Sequence[str], name: str) -> None:
    if run(arguments):
        raise DeployError(f"{name} failed; what it made stays, and the same command goes on from there")


def _output(outputs: dict[str, dict[str, str]], name: str) -> str:
    return next(stack[name] for stack in outputs.values() if name in stack)


def wants_front(arguments: Sequence[str]) -> bool:
    """Whether CloudFront was chosen, by the arguments or by cdk.json."""
    chosen = json.loads((ROOT / "cdk.json").read_text("utf-8"))["context"].get("cloudfront", "off")
    given = [each.partition("=")[2] for each in arguments if each.startswith("cloudfront=")]
    return bool((given or [chosen])[-1] == "on")


def main() -> int:
    os.environ.setdefault("AWS_PAGER", "")
    try:
        print(farewell(deploy(sys.argv[1:])))
    except (DeployError, ToolError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
