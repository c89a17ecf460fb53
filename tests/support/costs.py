"""What things cost in the cloud: measured units times the prices and assumptions that docs/operate/cost.md names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATTERN = re.compile(r"^\| (?P<name>[^|]+?) \|(?:[^|]*\|)* (?P<read>[\d.]+) \| (?P<write>[\d.]+) \|$")
PRICE = re.compile(r"^\| `(?P<id>[a-z-]+)` \| (?P<usd>[\d.]+) \| (?P<per>[\d,]+) \|")
ASSUMED = re.compile(r"^\| `(?P<id>[a-z-]+)` \| (?P<value>[\d.,]+) \| [^\d|]")

TIMES = 10_000
SAVES_A_SECOND = 1_000
SECONDS_A_MONTH = 730 * 3600
MINUTES_A_MONTH = 730 * 60


@dataclass(frozen=True)
class Line:
    """One line of a bill: so many units of something for one save or recall."""

    name: str
    units: Decimal
    price: str


class Costs:
    """Worked-out tables, as lines of Markdown."""

    def __init__(self) -> None:
        patterns = _matches(PATTERN, "docs/reference/access-patterns.md")
        cost, scale = "docs/operate/cost.md", "docs/operate/scale.md"
        self.read = {m["name"]: Decimal(m["read"]) for m in patterns}
        self.write = {m["name"]: Decimal(m["write"]) for m in patterns}
        self.price = {m["id"]: Decimal(m["usd"]) / _number(m["per"]) for m in _matches(PRICE, cost)}
        self.price["log-kilobyte"] = self.price["log-gigabyte"] / 1024 / 1024
        self.assumed = {m["id"]: _number(m["value"]) for page in (cost, scale) for m in _matches(ASSUMED, page)}

    def per_many(self) -> list[str]:
        """Of 10,000 saves, then of 10,000 recalls."""
        table = ["| 10,000 saves | units of one | USD |", "|---|---|---|"]
        table += self._lines(self.of_a_save())
        table += ["", "| 10,000 recalls | units of one | USD |", "|---|---|---|"]
        return table + self._lines(self.of_a_recall())

    def idle(self) -> list[str]:
        """Of a month in which nobody asks anything."""
        stored, alarms = self.assumed["stored-gigabytes"], self.assumed["alarm-metrics"]
        polls, looks = self.assumed["queue-polls"], MINUTES_A_MONTH / Decimal(10) * self.price["list-request"]
        free = {"alarms": self.assumed["free-alarm-metrics"], "polls": self.assumed["free-queue-requests"]}
        rows: list[tuple[str, Decimal, Decimal]] = [
            ("owner's key in Secrets Manager", self.price["secret"], self.price["secret"]),
            ("table storage", stored * self.price["storage"], Decimal(0)),
            ("point-in-time recovery", stored * self.price["recovery"], stored * self.price["recovery"]),
            ("alarms", alarms * self.price["alarm"], max(Decimal(0), alarms - free["alarms"]) * self.price["alarm"]),
            ("dashboard", self.price["dashboard"], Decimal(0)),
            (
                "polls of the work queues",
                polls * self.price["queue-request"],
                max(Decimal(0), polls - free["polls"]) * self.price["queue-request"],
            ),
            ("a look for work, once a minute", self._planning(), self._planning() - self._planned_free()),
            ("a look at the ledger of erased ids, each ten minutes", looks, looks),
            ("index storage, asleep", stored * self.price["index-storage"], stored * self.price["index-storage"]),
            ("requests, function time, OpenSearch compute, streams", Decimal(0), Decimal(0)),
        ]
        table = ["| a month idle | USD | USD with the always free amounts |", "|---|---|---|"]
        table += [f"| {name} | {full:.2f} | {less:.2f} |" for name, full, less in rows]
        return [*table, f"| **sum** | **{sum(r[1] for r in rows):.2f}** | **{sum(r[2] for r in rows):.2f}** |"]

    def _planning(self) -> Decimal:
        """A month of the plan function, which finds nothing to do."""
        seconds = self.assumed["plan-seconds"] * self._gigabytes("plan")
        once = self.read["plan, nothing due"] * self.price["read-unit"] + self.price["call"]
        once += seconds * self.price["gigabyte-second"] + self.assumed["log-kilobytes"] * self.price["log-kilobyte"]
        return once * MINUTES_A_MONTH

    def _planned_free(self) -> Decimal:
        """The part of it that stays under what is always free of calls, function time and logs."""
        return self._planning() - self.read["plan, nothing due"] * self.price["read-unit"] * MINUTES_A_MONTH

    def load(self) -> list[str]:
        """What 1,000 saves a second take of each quota."""
        writes, reads = self._save_writes(), self._save_reads()
        log = self.assumed["log-row-write-units"]
        seconds = self.assumed["api-seconds"]
        rows = [
            ("table, write units a second", writes * SAVES_A_SECOND, self.assumed["quota-write-units"]),
            ("table, read units a second", reads * SAVES_A_SECOND, self.assumed["quota-read-units"]),
            ("api function, calls at once", seconds * SAVES_A_SECOND, self.assumed["quota-concurrency"]),
            ("HTTP API, requests a second", Decimal(SAVES_A_SECOND), self.assumed["quota-gateway"]),
            ("one log shard, write units a second", log * SAVES_A_SECOND, self.assumed["partition-write-units"]),
        ]
        table = ["| what | 1,000 saves/s need | there is by default | shards or quotas |", "|---|---|---|---|"]
        return table + [f"| {name} | {need:,.0f} | {has:,.0f} | {need / has:.2f} |" for name, need, has in rows]

    def month_of_load(self) -> list[str]:
        """What a month of 1,000 saves a second costs."""
        saves = Decimal(SAVES_A_SECOND * SECONDS_A_MONTH)
        lines = self.of_a_save()
        costs = [(line.name, line.units * self.price[line.price] * saves) for line in lines]
        table = ["| a month of 1,000 saves/s | USD |", "|---|---|"]
        table += [f"| {name} | {cost:,.0f} |" for name, cost in costs]
        return [*table, f"| **sum** | **{sum(cost for _, cost in costs):,.0f}** |"]

    def of_a_save(self) -> list[Line]:
        index_gb = self._gigabytes("index")
        api_time = self.assumed["api-seconds"] * self._gigabytes("api")
        return [
            Line("table writes: the save and its indexing", self._save_writes(), "write-unit"),
            Line("table reads: the save and its indexing", self._save_reads(), "read-unit"),
            Line("table writes: finding two new entities in it alone", self._entity_writes(), "write-unit"),
            Line("table reads: finding two new entities in it alone", self._entity_reads(), "read-unit"),
            Line("API requests", Decimal(1), "api-request"),
            Line("function calls: api, index", Decimal(2), "call"),
            Line("function time, GB-s", api_time + self.assumed["index-seconds"] * index_gb, "gigabyte-second"),
            Line("logs, KB", 2 * self.assumed["log-kilobytes"], "log-kilobyte"),
        ]

    def of_a_recall(self) -> list[Line]:
        return [
            Line("table writes", self.write["recall 10"], "write-unit"),
            Line("table reads", self.read["recall 10"], "read-unit"),
            Line("table writes: counting it alone", self.write["count another of the same 10"], "write-unit"),
            Line("table reads: counting it alone", self.read["count another of the same 10"], "read-unit"),
            Line("API requests", Decimal(1), "api-request"),
            Line("function calls: api", Decimal(1), "call"),
            Line("function time, GB-s", self.assumed["api-seconds"] * self._gigabytes("api"), "gigabyte-second"),
            Line("logs, KB", self.assumed["log-kilobytes"], "log-kilobyte"),
        ]

    def _lines(self, lines: list[Line]) -> list[str]:
        costs = [line.units * self.price[line.price] * TIMES for line in lines]
        told = [f"| {line.name} | {line.units:.6g} | {cost:.4f} |" for line, cost in zip(lines, costs, strict=True)]
        return [*told, f"| **sum** | | **{sum(costs):.4f}** |"]

    def _save_writes(self) -> Decimal:
        return self.write["save"] + self.write["index one change"]

    def _save_reads(self) -> Decimal:
        return self.read["save"] + self.read["index one change"]

    def _entity_writes(self) -> Decimal:
        return sum((self.write[each] for each in _ENTITIES), Decimal(0))

    def _entity_reads(self) -> Decimal:
        return sum((self.read[each] for each in _ENTITIES), Decimal(0))

    def _gigabytes(self, function: str) -> Decimal:
        manifest: Mapping[str, int] = tomllib.loads((ROOT / f"functions/{function}/function.toml").read_text("utf-8"))
        return Decimal(manifest["memory_mb"]) / 1024


_ENTITIES = ("begin a run over a new memory", "read a memory that names 2 new entities and states 1 relation")


def _matches(pattern: re.Pattern[str], page: str) -> list[re.Match[str]]:
    lines = (ROOT / page).read_text("utf-8").splitlines()
    return [found for line in lines if (found := pattern.match(line))]


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))
