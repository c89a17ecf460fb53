"""What an installation decides about its HTTP edge."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EdgeOptions:
    """Settings of the edge.

    Attributes:
        cors_origins: Origins, such as ``https://console.example``, whose pages may call; ``*`` means any.
        are_docs_served: Whether /openapi.json and /docs are answered.
        log_level: Of the request log; each request is one INFO line.
        log_format: ``json``, or ``text``: short lines for a person who watches.
        service_name: How the log lines call this service.
    """

    cors_origins: tuple[str, ...] = ()
    are_docs_served: bool = True
    log_level: str = "INFO"
    log_format: str = "json"
    service_name: str = "palimpsest"
