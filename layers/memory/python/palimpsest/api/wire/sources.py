"""What saves and updates share."""

from __future__ import annotations

from functools import partial
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from palimpsest.api.wire.fields import Name, Request
from palimpsest.domain.source import Trust
from palimpsest.usecases.drafts import SourceClaim

_MOST_IMPORTANT = 10.0
_IMPORTANCE_DIGITS = 6
"""After the point; a table's decimals end at 1e-130, and no order depends on less."""

VersionNumber: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=999_999_999)]
Importance: TypeAlias = Annotated[
    float,
    Field(strict=True, ge=0, le=_MOST_IMPORTANT, allow_inf_nan=False),
    AfterValidator(partial(round, ndigits=_IMPORTANCE_DIGITS)),
]


class SourceRequest(Request):
    """Where a statement comes from. `trust` can lower what the agent and the key allow, never raise it."""

    agent: Name = "api"
    session: Name | None = None
    channel: Name | None = None
    trust: Trust | None = None

    def to_claim(self) -> SourceClaim:
        """The same for the core."""
        return SourceClaim(self.agent, self.session, self.channel, self.trust)
