"""How much of a recall falls to the tail under load: from 1 to 1,000 writes a second to one space, in counted time.

It runs the product's own change log, watermark and tail over a table in memory, and takes some seconds. The clock and
the consumer of the index are made up; what is assumed of them is printed. docs/operate/scale.md shows the result.
"""

from __future__ import annotations

from dataclasses import asdict

from harness import command, report
from harness.backlog import RATES, Consumer, Standing, stand

LOADS = ((200, 10), (2_048, 10), (200, 60), (2_048, 60))
"""Characters of a text, and seconds until the index shows what it was given: 10 NextGen, 60 Classic."""

HEAD = ("writes/s", "index behind, s", "waiting rows", "in the tail", "lag, s", "the tail arm says")


def main() -> None:
    options = command.parser(__doc__).parse_args()
    consumer = Consumer()
    told = {}
    for characters, refresh in LOADS:
        standings = standings_of(characters, refresh, consumer)
        report.table(title(characters, refresh), HEAD, [row(each) for each in standings])
        told[title(characters, refresh)] = [asdict(each) for each in standings]
    print(f"\nassumed: {consumer}, so {consumer.rows_a_second:.0f} rows a second at most")
    report.write(options.out, {"standings": told, "consumer": asdict(consumer)})


def standings_of(characters: int, refresh: int, consumer: Consumer) -> list[Standing]:
    """One for each rate."""
    return [stand(rate, characters=characters, refresh_seconds=refresh, consumer=consumer) for rate in RATES]


def title(characters: int, refresh: int) -> str:
    """What the rows of one table have in common."""
    return f"Texts of {characters:,} characters, an index that refreshes after {refresh} s"


def row(standing: Standing) -> tuple[str, ...]:
    """One line of the table."""
    return (
        f"{standing.rate:,}",
        f"{standing.behind_seconds:.1f}",
        f"{standing.waiting:,}",
        f"{standing.read:,}",
        f"{standing.lag_seconds:.0f}",
        standing.says,
    )


if __name__ == "__main__":
    main()
