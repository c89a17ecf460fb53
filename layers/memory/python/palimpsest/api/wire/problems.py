"""A problem as it is described in the OpenAPI document and told in the answer to a batch."""

from __future__ import annotations

from pydantic import Field

from palimpsest.api.wire.fields import Answer, is_none


class FaultItem(Answer):
    """One thing that is wrong with a request."""

    loc: tuple[str | int, ...]
    type: str
    msg: str


class ProblemItem(Answer):
    """Why something was refused, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str
    errors: tuple[FaultItem, ...] | None = Field(default=None, exclude_if=is_none)
