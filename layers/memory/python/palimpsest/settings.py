"""Settings: the environment as one frozen value. Nothing else reads `os.environ`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from palimpsest.domain.scrub.kinds import CHOOSABLE, Kind, Treatment

T = TypeVar("T")

PREFIX = "PALIMPSEST_"
_AMOUNT = r"[0-9]{1,4}(?:\.[0-9]{1,6})?"


class SettingError(Exception):
    """A setting that means nothing; the message names the variable and what it takes, never its value."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What an installation decides. Each field is the variable ``PALIMPSEST_<NAME>``, described in the settings page.

    Attributes:
        store: ``embedded`` (files in the data folder) or ``dynamodb``.
        search: ``embedded``, ``opensearch`` or ``off``.
        key: An owner key; when unset, one machine makes its own.
        key_secret: Name or ARN of the secret that holds the owner key, in place of `key`.
        opensearch_secret: Name or ARN of the secret that holds name and password, in place of both.
        scrub: What is done with which kind of personal data, where it is not taken out.
        scrub_regions: Whose phone numbers are known without their prefix.
        scrub_words: What is taken out besides.
        bucket: Where the ledger of erased ids lies, with ``dynamodb``.
        ledger_dir: Where it lies on one machine; when unset, in the data folder.
        queue_url: Where background work is asked for, with ``dynamodb``.
        ingest_queue_url: Where the reading of documents is asked for, if not there.
        model: ``off``, or provider and name of the language model.
        model_price: Dollars for a million tokens of input and output, where they are not those that are listed.
        judge_box: Seconds that a save waits for the model's judgement.
        auto_index: What is saved or ingested is read for entities by itself, where a space does not say otherwise.
        synonyms: Groups of words that recall takes for one another, beside its own; None: none at all.
        rerank: ``off``, or what looks at the best results of a recall again: kind and model, or ``model``.
        rerank_seconds: How long a recall waits for that; None: 0.4, and 1 for the language model.
        rerank_price: Dollars for 1,000 calls of it, where they are not those that are listed.
        daily_cap: Dollars that all calls of models may cost on one day, in UTC.
    """

    store: str = "embedded"
    data_dir: Path = field(default_factory=lambda: Path.home() / ".palimpsest")
    ledger_dir: Path | None = None
    table: str = "palimpsest"
    bucket: str | None = None
    host: str = "127.0.0.1"
    port: int = 8377
    threads: int = 16
    key: str | None = field(default=None, repr=False)
    key_secret: str | None = None
    queue_url: str | None = None
    ingest_queue_url: str | None = None
    url: str | None = None
    search: str = "embedded"
    opensearch_url: str | None = None
    opensearch_auth: str = "none"
    opensearch_user: str | None = None
    opensearch_password: str | None = field(default=None, repr=False)
    opensearch_secret: str | None = None
    opensearch_prefix: str = "palimpsest"
    embedder: str = "local"
    embedder_url: str | None = None
    embedder_model: str | None = None
    embedder_key: str | None = field(default=None, repr=False)
    embedder_dimensions: int | None = None
    embedder_query_prefix: str | None = None
    embedder_passage_prefix: str | None = None
    embedder_seconds: float = 10.0
    model: str = "off"
    model_url: str | None = None
    model_key: str | None = field(default=None, repr=False)
    model_key_secret: str | None = None
    model_price: str | None = None
    model_effort: str | None = None
    rerank: str = "off"
    rerank_url: str | None = None
    rerank_key: str | None = field(default=None, repr=False)
    rerank_key_secret: str | None = None
    rerank_price: str | None = None
    rerank_seconds: float | None = None
    judge_box: float = 4.0
    daily_cap: Decimal = Decimal("15.00")
    embed_seconds: float = 1.0
    recall_seconds: float = 1.5
    recovery_days: int = 30
    synonyms: tuple[tuple[str, ...], ...] | None = ()
    auto_index: bool = True
    scrub: tuple[tuple[Kind, Treatment], ...] = ()
    scrub_regions: tuple[str, ...] = ("PL",)
    scrub_words: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    docs: bool = True
    log_level: str = "INFO"
    log_format: str = "auto"

    @property
    def key_file(self) -> Path:
        """Where the first start on one machine keeps the owner key that it made."""
        return self.data_dir / "key"

    @property
    def ledger_folder(self) -> Path:
        """Where one machine keeps the ledger of erased ids."""
        return self.ledger_dir or self.data_dir / "ledger"

    def kept_key(self) -> str | None:
        """The owner key in the key file; None when there is none that may be read."""
        try:
            return self.key_file.read_text("ascii").strip() or None
        except (OSError, ValueError):
            return None

    @property
    def judge_time(self) -> timedelta:
        """How long a save waits for the model's judgement."""
        return timedelta(seconds=self.judge_box)

    @property
    def rerank_box(self) -> timedelta:
        """How long a recall waits for a second look at its results."""
        usual = 1.0 if self.rerank == "model" else 0.4
        return timedelta(seconds=usual if self.rerank_seconds is None else self.rerank_seconds)

    @property
    def embed_box(self) -> timedelta:
        """How long a request waits for an embedding."""
        return timedelta(seconds=self.embed_seconds)

    @property
    def recall_box(self) -> timedelta:
        """How long a recall waits for its arms."""
        return timedelta(seconds=self.recall_seconds)


def read(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings in the environment; SettingError for one that means nothing. An empty variable counts as unset."""
    environ = os.environ if environ is None else environ
    given = {}
    for each in fields(Settings):
        name = PREFIX + each.name.upper()
        text = environ.get(name, "")
        if text.strip():
            given[each.name] = _parsed(name, text if each.name.endswith("_prefix") else text.strip())
    if "key" in given and "key_secret" in given:
        raise SettingError("PALIMPSEST_KEY and PALIMPSEST_KEY_SECRET both name an owner key; unset one of them")
    settings = Settings(**given)  # type: ignore[arg-type]  # each field's parser gives the field's type
    if settings.search == "opensearch":
        _check_opensearch(settings)
    if settings.model_key is not None and settings.model_key_secret is not None:
        raise SettingError("PALIMPSEST_MODEL_KEY and PALIMPSEST_MODEL_KEY_SECRET both name a key; unset one of them")
    _check_rerank(settings)
    return settings


def shows_color(environ: Mapping[str, str] | None = None) -> bool:
    """Whether terminals may show colour: unless NO_COLOR is set."""
    return not (os.environ if environ is None else environ).get("NO_COLOR")


def limit_algebra_threads() -> None:
    """Let numpy's algebra use one thread, unless the environment says otherwise; only before numpy is imported.

    On busy cores its threads wait for each other and cost two to five times what they bring; requests run side by side
    anyway.
    """
    for name in ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def variable(field_name: str) -> str:
    """The variable behind a field."""
    return PREFIX + field_name.upper()


def _check_rerank(settings: Settings) -> None:
    if settings.rerank_key is not None and settings.rerank_key_secret is not None:
        raise SettingError("PALIMPSEST_RERANK_KEY and PALIMPSEST_RERANK_KEY_SECRET both name a key; unset one of them")
    if settings.rerank == "model" and settings.model == "off":
        raise SettingError("PALIMPSEST_RERANK=model needs PALIMPSEST_MODEL")
    if settings.rerank.startswith("http:") and settings.rerank_url is None:
        raise SettingError("PALIMPSEST_RERANK=http:… needs PALIMPSEST_RERANK_URL")


def _check_opensearch(settings: Settings) -> None:
    url, auth = settings.opensearch_url, settings.opensearch_auth
    if url is None:
        raise SettingError("PALIMPSEST_SEARCH=opensearch needs PALIMPSEST_OPENSEARCH_URL")
    if auth != "none" and not url.startswith("https://"):
        raise SettingError(
            "PALIMPSEST_OPENSEARCH_URL has to begin with https:// unless PALIMPSEST_OPENSEARCH_AUTH=none"
        )
    is_given = settings.opensearch_user is not None and settings.opensearch_password is not None
    if auth == "basic" and is_given == (settings.opensearch_secret is not None):
        raise SettingError(
            "PALIMPSEST_OPENSEARCH_AUTH=basic takes either PALIMPSEST_OPENSEARCH_USER and"
            " PALIMPSEST_OPENSEARCH_PASSWORD, or PALIMPSEST_OPENSEARCH_SECRET"
        )


def _parsed(name: str, text: str) -> object:
    parse, takes = _PARSERS.get(name.removeprefix(PREFIX).lower(), (str, "text"))
    try:
        return parse(text)
    except ValueError as error:
        raise SettingError(f"{name} takes {takes}") from error


def _between(kind: Callable[[str], T], low: float, high: float) -> tuple[Callable[[str], T], str]:
    def parse(text: str) -> T:
        value = kind(text)
        if not low <= float(text) <= high:
            raise ValueError(text)
        return value

    return parse, f"a number from {low:g} to {high:g}"


def _one_of(*words: str) -> tuple[Callable[[str], str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return parse, "one of: " + ", ".join(words)


def _flag(text: str) -> bool:
    return {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}[text.lower()]


def _checked_flag(text: str) -> bool:
    try:
        return _flag(text)
    except KeyError as error:
        raise ValueError(text) from error


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _model(text: str) -> str:
    if text != "off" and not re.fullmatch(r"(?:bedrock|openai|anthropic):[!-~]{1,200}", text):
        raise ValueError(text)
    return text


def _model_price(text: str) -> str:
    if text != "highest" and not re.fullmatch(rf"{_AMOUNT}/{_AMOUNT}", text):
        raise ValueError(text)
    return text


def _rerank(text: str) -> str:
    if text not in ("off", "model") and not re.fullmatch(r"(?:http|bedrock):[!-~]{1,200}|onnx:.+", text):
        raise ValueError(text)
    return text


def _amount(text: str) -> str:
    if not re.fullmatch(_AMOUNT, text):
        raise ValueError(text)
    return text


def _daily_cap(text: str) -> Decimal:
    return Decimal(_amount(text))


def _treatments(text: str) -> tuple[tuple[Kind, Treatment], ...]:
    """One word for all kinds, or ``kind=word`` for each that is meant."""
    if "=" not in text:
        return tuple((kind, Treatment(text)) for kind in CHOOSABLE)
    chosen = [part.partition("=") for part in _words(text)]
    treatments = {Kind(kind.strip()): Treatment(word.strip()) for kind, _, word in chosen}
    if Kind.SECRET in treatments or len(treatments) < len(chosen):
        raise ValueError(text)
    return tuple(treatments.items())


def _regions(text: str) -> tuple[str, ...]:
    regions = () if text == "none" else tuple(word.upper() for word in _words(text))
    if any(not re.fullmatch("[A-Z]{2}", region) for region in regions):
        raise ValueError(text)
    return regions


def _synonyms(text: str) -> tuple[tuple[str, ...], ...] | None:
    if text == "off":
        return None
    try:
        lines = Path(text).expanduser().read_text("utf-8").splitlines()
    except OSError as error:
        raise ValueError(text) from error
    return tuple(_words(line) for line in lines if line.strip())


def _index_prefix(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,60}", text):
        raise ValueError(text)
    return text


def _owner_key(text: str) -> str:
    if len(text) < 32 or not text.isascii():
        raise ValueError(text)
    return text


_PARSERS: dict[str, tuple[Callable[[str], object], str]] = {
    "store": _one_of("embedded", "dynamodb"),
    "data_dir": (lambda text: Path(text).expanduser(), "a folder"),
    "ledger_dir": (lambda text: Path(text).expanduser(), "a folder"),
    "port": _between(int, 0, 65_535),
    "threads": _between(int, 1, 256),
    "key": (_owner_key, "a secret of at least 32 ASCII characters"),
    "search": _one_of("embedded", "opensearch", "off"),
    "opensearch_auth": _one_of("none", "basic", "aws"),
    "opensearch_prefix": (_index_prefix, "lower-case letters, digits and -, with a letter first"),
    "embedder": _one_of("local", "http", "bedrock"),
    "embedder_dimensions": _between(int, 1, 4_096),
    "embedder_seconds": _between(float, 0.1, 300.0),
    "model": (_model, "off, or a provider (bedrock, openai, anthropic) and a model: PROVIDER:NAME"),
    "model_price": (_model_price, "dollars for a million tokens of input and of output (0.06/0.24), or: highest"),
    "model_effort": _one_of("none", "minimal", "low", "medium", "high"),
    "rerank": (_rerank, "off, model, onnx:FOLDER, http:MODEL or bedrock:MODEL"),
    "rerank_price": (_amount, "dollars for 1,000 calls, such as 2.00"),
    "rerank_seconds": _between(float, 0.05, 25.0),
    "judge_box": _between(float, 0.1, 20.0),
    "daily_cap": (_daily_cap, "an amount of dollars, such as 15.00"),
    "embed_seconds": _between(float, 0.0, 60.0),
    "recall_seconds": _between(float, 0.1, 25.0),
    "synonyms": (_synonyms, "off, or a file in UTF-8 with words that mean the same on each line, separated by commas"),
    "recovery_days": _between(int, 0, 3_650),
    "scrub": (_treatments, "redact, flag or off, for all or as kind=word for: " + ", ".join(CHOOSABLE)),
    "scrub_regions": (_regions, "countries of two letters, separated by commas, or none"),
    "scrub_words": (_words, "words, separated by commas"),
    "cors_origins": (_words, "origins, separated by commas"),
    "auto_index": (_checked_flag, "true or false"),
    "docs": (_checked_flag, "true or false"),
    "log_level": _one_of("DEBUG", "INFO", "WARNING", "ERROR"),
    "log_format": _one_of("auto", "json", "text"),
}
