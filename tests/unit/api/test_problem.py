"""Errors as RFC 9457 problems."""

from __future__ import annotations

import pytest

from palimpsest.api import problem
from palimpsest.api.failures import Fault, InvalidRequest, MethodNotAllowed, NoSuchRoute, TooLarge, Unreadable
from palimpsest.domain import errors


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (Unreadable("x"), 400, "unreadable"),
        (errors.Unauthenticated(), 401, "unauthenticated"),
        (errors.NotAllowed("x"), 403, "not-allowed"),
        (errors.NotFound(), 404, "not-found"),
        (NoSuchRoute(), 404, "no-such-route"),
        (MethodNotAllowed(["GET"]), 405, "method-not-allowed"),
        (errors.VersionMoved(expected=1, current=2), 409, "version-moved"),
        (errors.LostRace(3), 409, "lost-race"),
        (errors.WrongState("live", "x"), 409, "wrong-state"),
        (errors.HeadMoved(), 409, "condition-failed"),
        (TooLarge(1), 413, "too-large"),
        (errors.ItemTooLarge("x"), 413, "item-too-large"),
        (errors.Invalid("a", "x"), 422, "invalid"),
        (errors.InvalidText("a", "x"), 422, "invalid-text"),
        (errors.TooLong("a", limit=1, unit="bytes"), 422, "too-long"),
        (errors.CursorRefused(), 422, "cursor-refused"),
        (errors.IdempotencyReused(), 422, "idempotency-reused"),
        (errors.TableThrottled(), 503, "table-throttled"),
        (errors.TableUnavailable("x"), 503, "table-unavailable"),
        (errors.NothingSearched({"keyword": "late"}), 503, "nothing-searched"),
        (errors.CorruptItem("pk", "sk", "x"), 500, "internal-error"),
        (errors.VersionMissing("pk", "sk", space="s", number=2), 500, "version-missing"),
        (errors.NewerItem("pk", "sk", form=3, readable=2), 503, "newer-item"),
        (ValueError("x"), 500, "internal-error"),
    ],
)
def test_each_error_has_its_type_and_status(error: Exception, status: int, kind: str) -> None:
    told = problem.of(error, request_id="r-1")

    assert (told.status, told.document["type"]) == (status, f"/docs/errors#{kind}")
    assert told.document.keys() - {"errors"} == {"type", "title", "status", "detail", "request_id"}
    assert ("errors" in told.document) == (status == 422)


@pytest.mark.parametrize(
    "error",
    [KeyError("the secret"), errors.CorruptItem("M#the secret", "H", "the secret"), errors.ItemTooLarge("the secret")],
)
def test_the_words_of_an_unforeseen_error_are_not_told(error: Exception) -> None:
    assert "the secret" not in problem.of(error, request_id="r-1").text


def test_a_missing_key_is_told_how_to_authenticate() -> None:
    assert problem.of(errors.Unauthenticated(), request_id="r").headers["www-authenticate"].startswith("Bearer")


def test_what_may_be_tried_again_says_when() -> None:
    assert problem.of(errors.TableThrottled(7), request_id="r").headers == {"retry-after": "7"}
    assert problem.of(errors.TableUnavailable("full"), request_id="r").headers == {"retry-after": "5"}


def test_a_wrong_method_is_told_the_right_ones() -> None:
    assert problem.of(MethodNotAllowed(["GET", "POST"]), request_id="r").headers == {"allow": "GET, POST"}


def test_a_refusal_of_the_domain_says_where_the_field_is() -> None:
    told = problem.of(errors.Invalid("source.agent", "too odd"), request_id="r", where=("body", "memories", 3))

    assert told.document["errors"] == [
        {"loc": ["body", "memories", 3, "source", "agent"], "type": "invalid", "msg": "too odd"}
    ]


def test_only_the_beginning_of_an_unknown_name_is_told() -> None:
    fault = Fault(("body", "n" * 1_000), "extra_forbidden", "no")

    told = problem.of(InvalidRequest([fault]), request_id="r")

    assert told.document["errors"][0]["loc"] == ["body", "n" * 64]
    assert len(told.text) < 1_000


def test_at_most_twenty_faults_are_told() -> None:
    reported = [{"loc": ("tags", at), "type": "string_type", "msg": "no"} for at in range(1_000)]

    assert len(problem.faults_of(reported)) == 20


def test_a_lone_surrogate_in_an_unknown_name_can_be_told() -> None:
    told = problem.of(InvalidRequest([Fault(("body", "\ud800"), "extra_forbidden", "no")]), request_id="r")

    assert told.text.isascii()
