"""The CDK app: `python -m infra.app`, which the cdk command line runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from aws_cdk import App, Tags

from infra import layers
from infra.context import ContextError, Options, read_options
from infra.manifest import Manifest, read_manifests
from infra.nag import check
from infra.stacks.front import FrontStack
from infra.stacks.search import SearchStack
from infra.stacks.service import Inputs, LayerSource, ServiceStack
from infra.stacks.state import StateStack


@dataclass(frozen=True, slots=True)
class Stacks:
    """The stacks of one deployment."""

    state: StateStack
    search: SearchStack | None
    service: ServiceStack
    front: FrontStack | None


def build(app: App, options: Options, manifests: tuple[Manifest, ...], source: LayerSource) -> Stacks:
    """All stacks that the options ask for, checked by cdk-nag when they are synthesized."""
    Tags.of(app).add("project", options.name)
    state = StateStack(app, options)
    search = SearchStack(app, options) if options.search == "serverless" else None
    service = ServiceStack(app, Inputs(options, manifests, source, state, search))
    front = FrontStack(app, options) if options.cloudfront == "on" and options.api_host else None
    check(app, options, state)
    return Stacks(state, search, service, front)


def layer_source(options: Options) -> LayerSource:
    """Where this deployment's layers come from: built when they are not there yet."""
    target = layers.host_target() if options.is_emulated else layers.lambda_target(options.architecture)

    def source(name: str) -> Path:
        return layers.memory_layer(target) if name == "memory" else layers.vendor_layer(name, target)

    return source


def main() -> None:
    app = App()
    try:
        options = read_options(app.node.try_get_context)
    except ContextError as error:
        sys.exit(str(error))
    build(app, options, read_manifests(layers.ROOT / "functions"), layer_source(options))
    app.synth()


if __name__ == "__main__":
    main()
