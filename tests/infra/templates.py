"""Templates as data: what a test asks of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Template:
    """One synthesized stack."""

    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @cached_property
    def body(self) -> Json:
        body: Json = json.loads(self.text)
        return body

    def resources(self, kind: str) -> dict[str, Json]:
        """Logical id to the whole resource, for one type."""
        return {name: each for name, each in self.body["Resources"].items() if each["Type"] == kind}

    def only(self, kind: str) -> Json:
        """The properties of the one resource of its type."""
        (found,) = self.resources(kind).values()
        properties: Json = found["Properties"]
        return properties

    def properties(self, kind: str) -> list[Json]:
        return [each["Properties"] for each in self.resources(kind).values()]

    def statements(self) -> Iterator[tuple[str, Json]]:
        """Every statement of every policy, with the policy's logical id."""
        for name, policy in self.resources("AWS::IAM::Policy").items():
            for statement in policy["Properties"]["PolicyDocument"]["Statement"]:
                yield name, statement


@dataclass(frozen=True)
class Deployment:
    """All stacks of one set of choices."""

    folder: Path

    def __getitem__(self, part: str) -> Template:
        return Template(self.folder / f"palimpsest-{part}.template.json")

    def has(self, part: str) -> bool:
        return (self.folder / f"palimpsest-{part}.template.json").exists()

    @property
    def refusal(self) -> str | None:
        """Why cdk-nag let it not pass."""
        refused = self.folder / "refused.txt"
        return (self.folder / "validation-report.json").read_text("utf-8") if refused.exists() else None


def listed(value: str | list[str]) -> list[str]:
    """A policy may write one action or resource without a list."""
    return [value] if isinstance(value, str | dict) else value
