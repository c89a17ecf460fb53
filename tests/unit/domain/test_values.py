"""Ids, instants, texts, keys and sources: the small values that everything else is made of."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain import instants, key_text, text
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, InvalidText, NotAllowed, TooLong
from palimpsest.domain.ids import KeyId, RootId, VersionRef, parse_reference, ulid, ulid_milliseconds
from palimpsest.domain.source import Trust, agent_trust, lowest

ROOT = "mem_01J0000000000000000000000A"


# --- instants ---


@pytest.mark.parametrize(
    ("given_text", "instant"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00+02:00", datetime(2026, 3, 1, 7, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00.123456Z", datetime(2026, 3, 1, 9, 30, 0, 123_000, tzinfo=UTC)),
        ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC)),
    ],
)
def test_dates_and_instants_with_an_offset_are_understood(given_text: str, instant: datetime) -> None:
    assert instants.parse(given_text) == instant


@pytest.mark.parametrize(
    "given_text",
    ["0000-01-01", "10000-01-01", "2026-02-30", "2026-03-01T09:30:00", "yesterday", "", "0001-01-01T00:00:00+10:00"],
)
def test_what_names_no_instant_is_refused(given_text: str) -> None:
    with pytest.raises(Invalid):
        instants.parse(given_text, "asserted_at")


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_written_instants_sort_as_they_happened(one: datetime, other: datetime) -> None:
    one, other = instants.to_milliseconds(one), instants.to_milliseconds(other)

    assert (instants.write(one) < instants.write(other)) == (one < other)
    assert instants.read(instants.write(one)) == one


def test_after_never_gives_the_same_instant_twice() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)

    assert instants.after(now, now) == now + timedelta(milliseconds=1)
    assert instants.after(now, now - timedelta(days=1)) == now + timedelta(milliseconds=1)
    assert instants.after(now, now + timedelta(days=1)) == now + timedelta(days=1)


def test_an_expiry_in_epoch_seconds_is_never_early() -> None:
    instant = datetime(1970, 1, 1, 0, 0, 1, 1_000, tzinfo=timezone.utc)  # noqa: UP017

    assert instants.epoch_seconds(instant) == 2


def test_a_date_as_a_last_bound_means_the_whole_day() -> None:
    assert instants.parse_last("2026-03-01") == datetime(2026, 3, 1, 23, 59, 59, 999_000, tzinfo=UTC)
    assert instants.parse_last("2026-03-01T00:00:00Z") == datetime(2026, 3, 1, tzinfo=UTC)


# --- ids ---


@given(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10))
def test_a_ulid_holds_its_time(milliseconds: int, randomness: bytes) -> None:
    made = ulid(milliseconds, randomness)

    assert len(made) == 26
    assert ulid_milliseconds(made) == milliseconds


@pytest.mark.parametrize(
    ("given_text", "ref"),
    [
        (ROOT, VersionRef(RootId(ROOT))),
        (ROOT + "@2", VersionRef(RootId(ROOT), 2)),
        (ROOT + "@0", None),
        (ROOT + "@", None),
        (ROOT.lower(), None),
        ("mem_x", None),
        ("", None),
    ],
)
def test_a_reference_is_a_root_or_one_of_its_versions(given_text: str, ref: VersionRef | None) -> None:
    assert parse_reference(given_text) == ref
    assert ref is None or str(ref) == given_text


# --- texts ---


@pytest.mark.parametrize("content", ["", "  \n\t ", "a\0b", "half \ud83d of a pair"])
def test_text_that_can_not_be_kept_is_refused(content: str) -> None:
    with pytest.raises(InvalidText):
        text.accept(content, "content")


def test_right_to_left_marks_and_emoji_are_kept() -> None:
    content = "\u200fשלום\u200f 👩🏽‍🚀"

    assert text.accept(content, "content") == content


def test_limits_are_measured_after_normalisation() -> None:
    decomposed = "z\u0307" * 4

    assert text.accept(decomposed, "content", limit_bytes=8) == "ż" * 4
    with pytest.raises(TooLong):
        text.accept(decomposed, "content", limit_bytes=7)
    with pytest.raises(TooLong):
        text.accept("abc", "query", limit_characters=2)


def test_tags_lose_repetitions_and_have_a_limit() -> None:
    assert text.accept_tags(("b", "a", "b")) == ("b", "a")
    with pytest.raises(TooLong):
        text.accept_tags(tuple(map(str, range(10_000))))


def test_white_space_does_not_make_another_text() -> None:
    assert text.same_text_form(" a\n b ") == text.same_text_form("a b")
    assert text.same_text_form("US") != text.same_text_form("us")


# --- keys and access ---


def test_a_key_carries_its_id_and_a_check_sum() -> None:
    key = KeyId("01J0000000000000000000000A")
    made = key_text.compose(key, random.Random(1).randbytes(32))

    assert key_text.parse(made) == key
    assert key_text.is_same(made, key_text.secret_hash(made))
    for position in range(len(made)):
        damaged = made[:position] + ("x" if made[position] != "x" else "y") + made[position + 1 :]
        assert key_text.parse(damaged) is None


@pytest.mark.parametrize(
    ("patterns", "space", "may"),
    [
        (None, "anything", True),
        (("a", "b"), "b", True),
        (("a",), "ab", False),
        (("team.*",), "team.x", True),
        (("team.*",), "team", False),
        (("*",), "x", True),
    ],
)
def test_a_key_covers_names_and_prefixes(patterns: tuple[str, ...] | None, space: str, may: bool) -> None:
    assert Caller(KeyId("k"), Role.READER, patterns).may_enter(space) is may


def test_each_role_may_do_what_the_one_below_may() -> None:
    writer = Caller(KeyId("k"), Role.WRITER)

    writer.require(Role.READER)
    with pytest.raises(NotAllowed):
        writer.require(Role.OWNER)


def test_the_lowest_trust_holds() -> None:
    assert lowest(Trust.A1, Trust.B, Trust.A2) is Trust.B
    assert [agent_trust(agent) for agent in ("user_direct", "mcp", "ocr", "who knows")] == [
        Trust.A1,
        Trust.A2,
        Trust.B,
        Trust.B,
    ]
