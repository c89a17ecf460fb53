"""Which settings of an OpenSearch server mean something together."""

from __future__ import annotations

import pytest

from palimpsest.settings import SettingError, read

URL = {"SEARCH": "opensearch", "OPENSEARCH_URL": "https://search.example"}
GIVEN = {"OPENSEARCH_USER": "one", "OPENSEARCH_PASSWORD": "word"}
KEPT = {"OPENSEARCH_SECRET": "search"}
BASIC = URL | {"OPENSEARCH_AUTH": "basic"}
HTTP = {"OPENSEARCH_URL": "http://search.example"}


@pytest.mark.parametrize(
    "chosen", [URL, URL | HTTP, URL | {"OPENSEARCH_AUTH": "aws"}, BASIC | GIVEN, BASIC | KEPT], ids=str
)
def test_a_server_is_named_with_or_without_a_login(chosen: dict[str, str]) -> None:
    assert read(variables(chosen)).opensearch_url == chosen["OPENSEARCH_URL"]


@pytest.mark.parametrize(
    ("chosen", "complaint"),
    [
        ({"SEARCH": "opensearch"}, "needs PALIMPSEST_OPENSEARCH_URL"),
        (BASIC, "takes either PALIMPSEST_OPENSEARCH_USER and"),
        (BASIC | {"OPENSEARCH_USER": "one"}, "takes either PALIMPSEST_OPENSEARCH_USER and"),
        (BASIC | GIVEN | KEPT, "takes either PALIMPSEST_OPENSEARCH_USER and"),
        (BASIC | GIVEN | HTTP, "has to begin with https://"),
        (URL | HTTP | {"OPENSEARCH_AUTH": "aws"}, "has to begin with https://"),
    ],
    ids=str,
)
def test_what_means_nothing_together_is_refused(chosen: dict[str, str], complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        read(variables(chosen))


def variables(chosen: dict[str, str]) -> dict[str, str]:
    return {f"PALIMPSEST_{name}": value for name, value in chosen.items()}
