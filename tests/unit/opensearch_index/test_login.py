"""How requests are signed, and for which service and region."""

from __future__ import annotations

import pytest

from palimpsest.adapters.aws.opensearch_cluster import Cluster, signer
from palimpsest.domain.errors import IndexUnavailable
from tests.support.scripted_server import ScriptedServer
from tests.unit.opensearch_index.conftest import EMPTY


@pytest.fixture
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")


@pytest.mark.usefixtures("credentials")
@pytest.mark.parametrize(
    ("host", "scope"),
    [
        ("abc123.eu-central-1.aoss.amazonaws.com", "eu-central-1/aoss"),
        ("search-mine-xyz.eu-west-1.es.amazonaws.com", "eu-west-1/es"),
    ],
)
def test_a_request_is_signed_for_the_region_and_service_of_its_address(host: str, scope: str) -> None:
    url = f"https://{host}"

    headers = signer(url)("POST", f"{url}/one/_search", b"{}")

    assert f"/{scope}/aws4_request" in headers["Authorization"]
    assert headers["X-Amz-Content-SHA256"]


@pytest.mark.usefixtures("credentials")
def test_an_address_without_a_region_takes_that_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-west-2")

    headers = signer("https://search.example")("GET", "https://search.example/", None)

    assert "/us-west-2/es/aws4_request" in headers["Authorization"]


def test_without_credentials_nothing_is_signed(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, f"{tmp_path}/none")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    with pytest.raises(IndexUnavailable) as refused:
        signer("https://search.example")

    assert refused.value.reason == "index_refused"


def test_a_name_and_a_password_go_as_basic_authentication(server: ScriptedServer) -> None:
    server.will_answer(EMPTY)
    cluster = Cluster(server.url, login=("one", "word"), read_seconds=10)

    cluster.search("any", {"size": 0})
    cluster.close()

    assert server.asked[0].headers["authorization"] == "Basic b25lOndvcmQ="


@pytest.mark.usefixtures("credentials")
def test_what_is_sent_to_a_server_is_signed(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-west-2")
    server.will_answer(EMPTY)
    cluster = Cluster(server.url, login=signer(server.url), read_seconds=10)

    cluster.search("any", {"size": 0})
    cluster.close()

    assert "/us-west-2/es/aws4_request" in server.asked[0].headers["authorization"]
