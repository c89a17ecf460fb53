"""What a run over sources is asked for."""

from __future__ import annotations

from typing import Final

NEW: Final = "new"
"""What nobody has read."""
OUTDATED: Final = "outdated"
"""Also what was read with another vocabulary, or by rules where there is a model."""
ALL: Final = "all"
"""Everything."""
