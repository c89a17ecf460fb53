"""``python -m palimpsest.local.cli``."""

from __future__ import annotations

import sys

from palimpsest.local.cli import main

if __name__ == "__main__":
    sys.exit(main())
