"""Which reranker the settings name, and what a call of it costs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest import bootstrap
from palimpsest.adapters.models.rerankers import LISTED
from palimpsest.ports.reranker import PricedReranker
from palimpsest.settings import SettingError, Settings, read

CACHES = (bootstrap.settings, bootstrap._reranker)
SERVER = {"rerank": "http:tiny", "rerank_url": "http://127.0.0.1:1/v1"}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    for cache in CACHES:
        cache.cache_clear()
    yield
    for cache in CACHES:
        cache.cache_clear()


def chosen(monkeypatch: pytest.MonkeyPatch, **variables: str) -> PricedReranker | None:
    monkeypatch.setenv("PALIMPSEST_KEY", "k" * 32)
    for name, value in variables.items():
        monkeypatch.setenv(f"PALIMPSEST_{name.upper()}", value)
    return bootstrap._reranker()


def reading(**variables: str) -> Settings:
    return read({f"PALIMPSEST_{name.upper()}": value for name, value in variables.items()})


def test_there_is_no_reranker_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch) is None
    assert chosen(monkeypatch, rerank="model", model="openai:gpt-5-mini") is None


@pytest.mark.parametrize(("model", "price"), [("cohere.rerank-v3-5:0", 2_000), ("amazon.rerank-v1:0", 1_000)])
def test_a_reranker_of_bedrock_has_its_listed_price(monkeypatch: pytest.MonkeyPatch, model: str, price: int) -> None:
    found = chosen(monkeypatch, rerank=f"bedrock:{model}")

    assert found is not None
    assert (found.reranker.name, found.price, model in LISTED) == (f"bedrock:{model}", price, True)


def test_a_reranker_of_bedrock_that_is_not_listed_needs_a_price(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match="PALIMPSEST_RERANK_PRICE"):
        chosen(monkeypatch, rerank="bedrock:somebody.rerank-v9")
    bootstrap.settings.cache_clear()

    found = chosen(monkeypatch, rerank_price="0.0011")

    assert found is not None
    assert found.price == 2  # 1.1 micro-dollars, rounded up


def test_a_server_costs_what_the_settings_say_and_nothing_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    free = chosen(monkeypatch, **SERVER)
    for cache in CACHES:
        cache.cache_clear()
    paid = chosen(monkeypatch, rerank_price="2.00")

    assert free is not None
    assert paid is not None
    assert (free.reranker.name, free.price, paid.price) == ("http:tiny", 0, 2_000)


def test_an_address_that_is_none_is_refused_by_its_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match="PALIMPSEST_RERANK_URL has to begin with"):
        chosen(monkeypatch, **{**SERVER, "rerank_url": "ftp://there"})


def test_a_folder_without_a_model_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="model.onnx and tokenizer.json"):
        chosen(monkeypatch, rerank=f"onnx:{tmp_path}")


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"rerank": "best"}, "PALIMPSEST_RERANK takes off, model, onnx:FOLDER"),
        ({"rerank": "onnx:"}, "PALIMPSEST_RERANK takes"),
        ({"rerank": "model"}, "needs PALIMPSEST_MODEL"),
        ({"rerank": "http:tiny"}, "needs PALIMPSEST_RERANK_URL"),
        ({**SERVER, "rerank_key": "a", "rerank_key_secret": "b"}, "both name a key"),
        ({"rerank_price": "much"}, "PALIMPSEST_RERANK_PRICE takes dollars"),
        ({"rerank_seconds": "0"}, "PALIMPSEST_RERANK_SECONDS takes a number"),
    ],
)
def test_settings_that_mean_nothing_say_what_they_take(variables: dict[str, str], told: str) -> None:
    with pytest.raises(SettingError, match=told):
        reading(**variables)


def test_the_language_model_has_a_second_and_others_less_unless_the_settings_say_otherwise() -> None:
    assert reading().rerank_box == timedelta(seconds=0.4)
    assert reading(rerank="model", model="openai:gpt-5-mini").rerank_box == timedelta(seconds=1)
    assert reading(rerank_seconds="0.25").rerank_box == timedelta(seconds=0.25)


def test_the_key_is_in_no_representation() -> None:
    assert "a-secret" not in repr(reading(**SERVER, rerank_key="a-secret"))
