"""Laws of the two times: free of order, nothing recorded later matters, one version answers at most."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain import lineage, timeline
from palimpsest.domain.belief import Annotations, Head
from palimpsest.domain.ids import KeyId, RootId, SpaceId
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.timeline import BEGINNING, Moment
from palimpsest.domain.version import Because, Reason, Statement, Version

START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)

_DAYS = st.integers(-12, 24).map(lambda n: START + n * DAY)
_STEPS = st.tuples(
    st.sampled_from(("changed", "corrected", "restated", "reverted")),
    st.none() | _DAYS,
    st.none() | _DAYS,
    st.integers(0, 9),
)
_PLANS = st.lists(_STEPS, min_size=1, max_size=8)
_MOMENTS = st.builds(Moment, _DAYS, _DAYS)


def lived(plan: list[tuple[str, datetime | None, datetime | None, int]]) -> tuple[Head, list[Version]]:
    """A belief that took these steps, one a day, and its versions."""
    first, *rest = plan
    stamp = Stamp(START, KeyId("k"))
    begun = lineage.begin(
        RootId("r"), SpaceId("s"), _said(0, first[1], first[2]), stamp, annotations=Annotations(), embedded=True
    )
    head, versions = begun.after, [begun.added]
    for day, (kind, valid_from, valid_until, back) in enumerate(rest, start=1):
        stamp = replace(stamp, at=START + day * DAY)
        if kind == "reverted" and len(versions) > 1:
            old = versions[back % (len(versions) - 1)]
            step = lineage.revert(head, versions[-1], old, stamp, embedded=True)
        else:
            because = {"corrected": Because.CORRECTED, "changed": Because.CHANGED}.get(kind)
            reason = Reason.RESTATED if kind == "restated" else Reason.UPDATED
            said = _said(day, valid_from, valid_until)
            step = lineage.revise(head, versions[-1], said, stamp, because=because, embedded=True, reason=reason)
        head, versions = step.after, [*versions, step.added]
    return head, versions


def _said(day: int, valid_from: datetime | None, valid_until: datetime | None) -> Statement:
    return Statement(f"text {day}", START, valid_from=valid_from, valid_until=valid_until)


def by_the_book(versions: list[Version], moment: Moment) -> Version | None:
    """What answers, told forwards: after each version the set of those that hold, each with its beginning."""
    sets: list[list[tuple[datetime, Version]]] = [[]]
    places: list[int] = [0]
    begins: list[datetime] = [BEGINNING]
    for v in versions:
        if v.recorded_at > moment.believed_at:
            break
        stands_for = v.number
        if v.reason is Reason.REVERTED:
            stands_for = int(v.note or 0)
        elif v.because is Because.CORRECTED or (v.reason is Reason.RESTATED and v.statement.valid_from is None):
            stands_for = v.number - 1
        place = v.number if stands_for == v.number else places[stands_for]
        usual = BEGINNING if v.number == 1 else v.recorded_at
        begin = v.statement.valid_from or (usual if stands_for == v.number else begins[stands_for])
        until = v.statement.valid_until or datetime.max.replace(tzinfo=UTC)
        was = begin if place == v.number else _placed(versions[place - 1])
        others = [(b, o) for b, o in sets[place - 1] if not begin <= b < min(was, until)]
        sets.append([*others, (begin, v)])
        places.append(place)
        begins.append(begin)
    held = [(begin, v.number, v) for begin, v in sets[-1] if begin <= moment.true_at]
    if not held:
        return None
    _, _, best = max(held)
    return None if best.statement.valid_until and best.statement.valid_until <= moment.true_at else best


def _placed(version: Version) -> datetime:
    return version.statement.valid_from or (BEGINNING if version.number == 1 else version.recorded_at)


@given(_PLANS, _MOMENTS)
def test_the_walk_backwards_answers_as_the_rule_told_forwards(plan: list, moment: Moment) -> None:  # type: ignore[type-arg]
    _, versions = lived(plan)

    assert timeline.answering(versions, moment) == by_the_book(versions, moment)


@given(_PLANS, _MOMENTS, st.randoms())
def test_the_order_in_which_versions_are_given_does_not_matter(plan: list, moment: Moment, chance: object) -> None:  # type: ignore[type-arg]
    _, versions = lived(plan)
    mixed = list(versions)
    chance.shuffle(mixed)  # type: ignore[attr-defined]

    assert timeline.answering(mixed, moment) == timeline.answering(versions, moment)


@given(_PLANS, _MOMENTS)
def test_what_is_recorded_later_never_changes_what_was_believed_earlier(plan: list, moment: Moment) -> None:  # type: ignore[type-arg]
    _, versions = lived(plan)
    by_then = [v for v in versions if v.recorded_at <= moment.believed_at]

    answer = timeline.answering(by_then, moment)

    for more in range(len(by_then), len(versions) + 1):
        assert timeline.answering(versions[:more], moment) == answer


@given(_PLANS, _MOMENTS)
def test_what_answers_was_recorded_by_then_had_begun_and_had_not_ended(plan: list, moment: Moment) -> None:  # type: ignore[type-arg]
    _, versions = lived(plan)

    answer = timeline.answering(versions, moment)

    if answer is not None:
        said = answer.statement
        assert answer.recorded_at <= moment.believed_at
        assert said.valid_from is None or said.valid_from <= moment.true_at
        assert said.valid_until is None or moment.true_at < said.valid_until


@given(_PLANS, _MOMENTS)
def test_the_head_alone_says_rightly_that_no_other_version_is_in_question(plan: list, moment: Moment) -> None:  # type: ignore[type-arg]
    head, versions = lived(plan)

    if timeline.is_current(head, moment):
        current = versions[-1]
        expected = None if timeline.has_ended(current, moment.true_at) else current
        assert timeline.answering(versions, moment) == expected


@given(_PLANS, _DAYS)
def test_stopping_at_the_last_begin_that_is_known_changes_no_answer(plan: list, true_at: datetime) -> None:  # type: ignore[type-arg]
    head, versions = lived(plan)
    row = {v.number: v for v in versions}.__getitem__

    whole = timeline.answer(row, head.current, true_at)

    assert timeline.answer(row, head.current, true_at, last_begin=head.last_begin or BEGINNING) == whole


def test_of_a_long_lineage_only_what_an_answer_takes_is_read() -> None:
    head, versions = lived([("changed", None, None, 0)] * 300)
    read: list[int] = []

    def row(number: int) -> Version:
        read.append(number)
        return versions[number - 1]

    answer = timeline.answer(row, 300, START + 290 * DAY, last_begin=head.last_begin or BEGINNING)

    assert answer == versions[290]
    assert min(read) == 291
