"""Templates as data: what a test asks of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

Json = dict[str, Any]
_HASH = re.compile(r"[0-9A-F]{8}$")


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
    def paths(self) -> set[str]:
        """Every construct's path in the tree."""
        tree = json.loads((self.folder / "tree.json").read_text("utf-8"))["tree"]
        return set(_paths(tree))

    def spelled(self, value: str | Json) -> str:
        """A value of a template as text: what it refers to by the construct's name, also in another stack."""
        match value:
            case {"Fn::ImportValue": exported}:
                return self._exported(exported)
            case {"Fn::GetAtt": [name, attribute]}:
                return f"{_HASH.sub('', name)}.{attribute}"
            case {"Ref": name}:
                return _HASH.sub("", name)
            case {"Fn::Join": [between, parts]}:
                return str(between).join(map(self.spelled, parts))
        return str(value)

    def allowed(self, role: str) -> set[tuple[str, str]]:
        """What the policies allow the role of that name: each action with each resource."""
        return {
            (action, self.spelled(resource))
            for policy in self["service"].properties("AWS::IAM::Policy")
            if [self.spelled(each) for each in policy["Roles"]] == [role]
            for statement in policy["PolicyDocument"]["Statement"]
            for action in listed(statement["Action"])
            for resource in listed(statement["Resource"])
        }

    def _exported(self, name: str) -> str:
        outputs = self[name.partition(":")[0].removeprefix("palimpsest-")].body["Outputs"].values()
        return next(self.spelled(each["Value"]) for each in outputs if each.get("Export", {}).get("Name") == name)

    @property
    def refusal(self) -> str | None:
        """Why cdk-nag let it not pass."""
        refused = self.folder / "refused.txt"
        return (self.folder / "validation-report.json").read_text("utf-8") if refused.exists() else None


def listed(value: Any) -> list[Any]:
    """A policy may write one action or resource without a list."""
    return [value] if isinstance(value, str | dict) else value


def _paths(node: Json) -> Iterator[str]:
    yield node["path"]
    for child in node.get("children", {}).values():
        yield from _paths(child)
