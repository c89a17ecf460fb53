"""Which language model the settings name, at which price."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest

from palimpsest import bootstrap
from palimpsest.adapters.models.prices import DEAREST, LISTS, listed_price
from palimpsest.domain.prices import Price, dollars, micro_usd
from palimpsest.ports.language_model import PricedModel
from palimpsest.settings import SettingError, read


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    caches = (bootstrap.settings, bootstrap._language_model)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def chosen(monkeypatch: pytest.MonkeyPatch, **variables: str) -> PricedModel | None:
    monkeypatch.setenv("PALIMPSEST_KEY", "k" * 32)
    for name, value in variables.items():
        monkeypatch.setenv(f"PALIMPSEST_{name.upper()}", value)
    return bootstrap._language_model()


def test_there_is_no_model_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch) is None
    assert read({}).daily_cap == Decimal(15)


@pytest.mark.parametrize(
    ("named", "price"),
    [
        ("anthropic:claude-haiku-4-5-20251001", Price.usd("1", "5")),
        ("openai:gpt-5-mini", Price.usd("0.25", "2")),
        ("bedrock:amazon.nova-lite-v1:0", Price.usd("0.06", "0.24")),
        ("bedrock:eu.anthropic.claude-haiku-4-5-20251001-v1:0", Price.usd("1.1", "5.5")),
        ("bedrock:global.anthropic.claude-sonnet-4-6", Price.usd("3", "15")),
    ],
)
def test_a_listed_model_has_its_listed_price(monkeypatch: pytest.MonkeyPatch, named: str, price: Price) -> None:
    found = chosen(monkeypatch, model=named)

    assert found is not None
    assert (found.model.name, found.price) == (named, price)


def test_a_model_whose_price_nobody_knows_is_refused_unless_a_setting_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match="PALIMPSEST_MODEL_PRICE"):
        chosen(monkeypatch, model="openai:my-own", model_url="http://127.0.0.1:1/v1")
    bootstrap.settings.cache_clear()

    found = chosen(monkeypatch, model_price="0.5/2")

    assert found is not None
    assert found.price == Price.usd("0.5", "2")


def test_the_highest_price_that_is_listed_may_stand_for_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    found = chosen(monkeypatch, model="openai:my-own", model_price="highest")

    assert found is not None
    assert found.price == DEAREST
    every = [price for listed in LISTS.values() for price in listed.models.values()]
    assert all(price.input <= DEAREST.input and price.output <= DEAREST.output for price in every)


def test_a_name_that_only_begins_like_a_listed_one_is_another_model() -> None:
    assert listed_price("openai", "gpt-4.1-mini-2025-04-14") == Price.usd("0.40", "1.60")
    assert listed_price("openai", "gpt-4.1-giant") is None
    assert listed_price("anthropic", "claude-opus-4-55") is None


def test_every_list_of_prices_says_where_and_when_it_was_read() -> None:
    assert all(listed.source and len(listed.read_on) == 10 for listed in LISTS.values())


@pytest.mark.parametrize(
    "variables",
    [
        {"MODEL": "gpt"},
        {"MODEL": "mistral:x"},
        {"MODEL": "openai:"},
        {"MODEL_PRICE": "1"},
        {"MODEL_PRICE": "-1/2"},
        {"MODEL_PRICE": "1e3/2"},
        {"MODEL_EFFORT": "huge"},
        {"DAILY_CAP": "-1"},
        {"DAILY_CAP": "nan"},
        {"JUDGE_BOX": "0"},
        {"MODEL_KEY": "a", "MODEL_KEY_SECRET": "b"},
    ],
    ids=str,
)
def test_what_means_nothing_is_refused(variables: dict[str, str]) -> None:
    with pytest.raises(SettingError):
        read({f"PALIMPSEST_{name}": value for name, value in variables.items()})


def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match="PALIMPSEST_MODEL_URL"):
        chosen(monkeypatch, model="openai:gpt-5-mini", model_url="ftp://models.example/v1")


def test_the_models_key_is_never_shown() -> None:
    assert "hidden" not in repr(read({"PALIMPSEST_MODEL_KEY": "hidden"}))


def test_money_is_whole_and_rounded_up() -> None:
    price = Price.usd("0.06", "0.24")

    assert price == Price(60_000, 240_000)
    assert price.of(1, 0) == 1
    assert price.of(1_000_000, 1_000_000) == 300_000
    assert price.of(0, 0) == 0
    assert dollars(micro_usd("15.000001")) == Decimal("15.000001")


@pytest.mark.parametrize("text", ["", "-1", "1e3", "10001", "0.0000001", "½", "١"])
def test_what_is_no_amount_of_money_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        micro_usd(text)
