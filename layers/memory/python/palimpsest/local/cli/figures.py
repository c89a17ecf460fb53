"""The verb that shows how recalls fare."""

from __future__ import annotations

from argparse import ArgumentParser

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--days", type=options.positive, metavar="N", help="so many days up to now, 30 by default")


def _stats(session: Session) -> Exit:
    return session.show(session.api.get("/stats", {"days": session.arguments.days, **session.space()}), _show)


def _show(screen: Screen, answer: Json) -> None:
    never, age = answer["never_recalled"], answer["median_age_days"]
    states = [
        (f"arm {arm}", ", ".join(f"{count} {state}" for state, count in told.items()))
        for arm, told in answer["arm_states"].items()
    ]
    screen.fields(
        [
            ("space", answer["space"]),
            ("recalls", f"{answer['recalls']} in {answer['days']} days"),
            ("with result", f"{answer['with_result']}{_share(answer['hit_rate'])}"),
            ("median age", "unknown" if age is None else f"{age:g} days"),
            ("never recalled", f"{never['never_recalled']} of {never['memories']}" if never else "unknown"),
            *states,
        ]
    )


def _share(rate: float | None) -> str:
    return "" if rate is None else f" ({rate:.0%})"


VERBS = (Verb("stats", "show how recalls of a space fare", _stats, _arguments, ("GET /stats",)),)
