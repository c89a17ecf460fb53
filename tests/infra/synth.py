"""Synthesizes every kind of deployment into one folder, in a process of its own: CDK needs Node, the tests only text.

Called with the folder. Layers are stand-ins: what is in them has tests of its own.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

from aws_cdk import App

from infra.app import build
from infra.context import read_options
from infra.layers import ROOT
from infra.manifest import read_manifests
from tests.infra.variants import VARIANTS


def main(folder: Path) -> None:
    layer = folder / "layer.zip"
    with zipfile.ZipFile(layer, "w") as archive:
        archive.writestr("python/stand_in.py", "")
    context = json.loads((ROOT / "cdk.json").read_text("utf-8"))["context"]
    for name, chosen in VARIANTS.items():
        app = App(outdir=str(folder / name))
        build(app, read_options({**context, **chosen}.get), read_manifests(ROOT / "functions"), lambda _: layer)
        try:
            app.synth()
        except RuntimeError as refused:  # cdk-nag found something; its report lies beside the templates
            (folder / name / "refused.txt").write_text(str(refused), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
