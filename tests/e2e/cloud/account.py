"""An AWS account that is empty at first: the emulator, and the commands of the Makefile against it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.cdk import ROOT
from tests.contract.table.ministack import REGION
from tests.support.aws_clients import CREDENTIALS

_ADDRESS = re.compile(r"^URL=(http://127\.0\.0\.1:\d+/_aws/execute-api/[0-9a-f]+)$", re.MULTILINE)
_SECRET = re.compile(r"--secret-id (\S+?)\)")
_COMMAND_SECONDS = 300


@dataclass(frozen=True)
class Deployed:
    """What `make deploy` told.

    Attributes:
        url: Where the API answers. By path: under its own name the emulator answers /health itself.
    """

    printed: str
    url: str
    secret: str


@dataclass
class Account:
    """The account.

    Attributes:
        endpoint: Where the emulator listens.
        folder: For whatever is written.
        client: Gives the client of a service by its name.
        now: What the last deployment told.
    """

    endpoint: str
    folder: Path
    client: Callable[[str], Any]
    now: Deployed | None = None

    @property
    def environment(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "PALIMPSEST_"))},
            **CREDENTIALS,
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": REGION,
            "CDK_HOME": str(self.folder),
        }

    def choices(self, *more: str) -> list[str]:
        """The arguments of a deployment; what comes later wins."""
        chosen = ("target=emulator", "search=off", f"data_dir={self.folder / 'data'}", *more)
        return ["--output", str(self.folder / "cdk.out"), *(word for each in chosen for word in ("-c", each))]

    def run(self, module: str, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """What a target of the Makefile runs."""
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=_COMMAND_SECONDS,
        )

    def deploy(self, *more: str) -> Deployed:
        """`make deploy`, which has to succeed."""
        done = self.run("infra.deploy", self.choices(*more))
        assert done.returncode == 0, (done.stdout + done.stderr)[-4_000:]
        return self.told(done.stdout)

    def deploy_again(self) -> Deployed:
        """`make deploy` of what was synthesized last."""
        done = self.run("infra.deploy", ["--app", str(self.folder / "cdk.out")])
        assert done.returncode == 0, (done.stdout + done.stderr)[-4_000:]
        return self.told(done.stdout)

    def told(self, printed: str) -> Deployed:
        address, secret = _ADDRESS.search(printed), _SECRET.search(printed)
        assert address is not None, printed[-2_000:]
        assert secret is not None, printed[-2_000:]
        self.now = Deployed(printed, address[1], secret[1])
        return self.now

    def owner_key(self, deployed: Deployed) -> str:
        """The key that only Secrets Manager has."""
        key: str = self.client("secretsmanager").get_secret_value(SecretId=deployed.secret)["SecretString"]
        return key
