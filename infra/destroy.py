"""`make destroy`: remove what can be made again, and say what stays."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from infra.cdk import ToolError, run
from infra.choices import read_choices
from infra.context import ContextError
from infra.region import RegionError, needed_region

STAYS = """
Removed: functions, API, queues, alarms, logs, and the search collection, if there was one.
Kept: the stack that ends in -state, with the table, the bucket and the owner key. `make deploy` goes on with them.
To lose them as well: delete that stack, then the table (switch its deletion protection off first), the bucket and the
secret by hand. Nothing brings them back.
"""


def destroy(arguments: Sequence[str]) -> int:
    """Destroy every stack but the state; cdk's exit code.

    Raises:
        ContextError: A choice means nothing.
        RegionError: There is no region.
        ToolError: cdk is not installed.
    """
    front = ["-c", "api_host=destroyed.invalid"] if read_choices(arguments).cloudfront == "on" else []
    region = needed_region(os.environ)
    return run(["destroy", "*-service", "*-search", "*-front", *arguments, *front], region)


def main() -> int:
    try:
        code = destroy(sys.argv[1:])
    except (ToolError, ContextError, RegionError) as error:
        print(error, file=sys.stderr)
        return 1
    if code == 0:
        print(STAYS)
    return code


if __name__ == "__main__":
    sys.exit(main())
