"""What every way to a language model promises, on good days and on bad ones."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from palimpsest.domain.errors import ModelAnswerUnusable, ModelFailure, ModelUnavailable
from palimpsest.ports.language_model import Tokens
from tests.contract.language_model.conftest import SHAPE, Provider, provider_of, question
from tests.support.model_server import Drips, HangsUp, Mood, Refuses, Says, Sends, Stalls, model_service


def unavailable(provider: Provider, *moods: Mood, seconds: float = 5.0) -> ModelUnavailable:
    provider.service.moods[:] = moods
    with pytest.raises(ModelUnavailable) as failed:
        provider.model().ask(question(seconds))
    assert "words of the service" not in str(failed.value)
    assert "tea" not in str(failed.value)
    return failed.value


def unusable(provider: Provider, mood: Mood) -> ModelAnswerUnusable:
    provider.service.moods[:] = [mood]
    with pytest.raises(ModelAnswerUnusable) as failed:
        provider.model().ask(question())
    assert "yes" not in str(failed.value)
    return failed.value


def test_a_question_comes_to_the_model_whole_and_the_answer_back_as_an_object(provider: Provider) -> None:
    answer = provider.model().ask(question())

    (asked,) = provider.service.asked
    assert (asked.system, asked.user) == ("You are a judge.", "Is tea hot? Zażółć.")
    assert (asked.schema, asked.max_tokens) == (SHAPE.schema, 200)
    assert answer.content == {"said": "yes"}
    assert answer.tokens == Tokens(120, 30)
    assert "a-model" in answer.model


def test_no_temperature_is_sent_since_models_that_reason_refuse_it(provider: Provider) -> None:
    provider.model().ask(question())

    assert "temperature" not in str(provider.service.asked[0].request)


def test_how_much_it_thinks_is_sent_only_when_it_is_set(provider: Provider) -> None:
    provider.model(effort="low").ask(question())
    provider.model().ask(question())

    assert ["low" in str(asked.request) for asked in provider.service.asked] == [True, False]


def test_what_the_model_thought_is_no_part_of_the_answer(provider: Provider) -> None:
    provider.service.moods[:] = [Says({"said": "no"}, thinks=True)]

    assert provider.model().ask(question()).content == {"said": "no"}


def test_an_object_in_a_markdown_fence_is_read(provider: Provider) -> None:
    provider.service.moods[:] = [Says(text='```json\n{"said": "no"}\n```\n')]

    assert provider.model().ask(question()).content == {"said": "no"}


def test_a_server_that_does_not_count_gives_an_answer_without_counts(provider: Provider) -> None:
    provider.service.moods[:] = [Says({"said": "yes"}, tokens=None)]

    assert provider.model().ask(question()).tokens is None


@pytest.mark.parametrize("text", ["", "Yes, it is.", "[]", '"yes"', '{"said": "ye', "[" * 100_000])
def test_an_answer_that_is_no_object_is_unusable_and_tells_what_it_took(provider: Provider, text: str) -> None:
    assert unusable(provider, Says(text=text)).tokens == Tokens(120, 30)


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_was_cut_or_declined_is_unusable_although_it_is_json(provider: Provider, reason: str) -> None:
    assert unusable(provider, Says({"said": "yes"}, reason=reason)).tokens == Tokens(120, 30)


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe", b"[]", b"null", b"{}", b'{"usage": 3, "choices": 7, "content": 7, "output": 7}']
)
def test_a_body_that_is_no_answer_at_all_is_unusable(provider: Provider, body: bytes) -> None:
    assert unusable(provider, Sends(body)).tokens is None


def test_a_throttled_question_tells_how_long_to_wait_and_costs_nothing(provider: Provider) -> None:
    mood = Refuses(429, "ThrottlingException", {"retry-after": "7"})

    failed = unavailable(provider, mood)

    assert (failed.reason, failed.may_cost) == (ModelFailure.THROTTLED, False)
    assert failed.retry_after == timedelta(seconds=7)


def test_a_wait_until_a_date_counts_from_the_date_of_the_answer(provider: Provider) -> None:
    dates = {"retry-after": "Mon, 30 Nov 2026 10:00:09 GMT", "date": "Mon, 30 Nov 2026 10:00:04 GMT"}

    assert unavailable(provider, Refuses(429, "ThrottlingException", dates)).retry_after == timedelta(seconds=5)


@pytest.mark.parametrize("text", ["", "soon", "-3", "1e99", "9" * 40])
def test_a_wait_that_means_nothing_is_none(provider: Provider, text: str) -> None:
    assert unavailable(provider, Refuses(429, "ThrottlingException", {"retry-after": text})).retry_after is None


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "ValidationException"),
        (403, "AccessDeniedException"),
        (404, "ResourceNotFoundException"),
        (418, "NobodyKnows"),
    ],
)
def test_a_refused_question_costs_nothing_and_is_told_as_such(provider: Provider, status: int, name: str) -> None:
    failed = unavailable(provider, Refuses(status, name))

    assert (failed.reason, failed.may_cost) == (ModelFailure.REFUSED, False)


@pytest.mark.parametrize(("status", "name"), [(500, "InternalServerException"), (502, "BadGateway")])
def test_a_question_at_which_the_service_failed_may_have_to_be_paid(provider: Provider, status: int, name: str) -> None:
    failed = unavailable(provider, Refuses(status, name))

    assert (failed.reason, failed.may_cost) == (ModelFailure.FAILED, True)


def test_an_unknown_model_is_refused(provider: Provider) -> None:
    with pytest.raises(ModelUnavailable) as failed:
        provider.model(model="no-such-model").ask(question())

    assert failed.value.reason is ModelFailure.REFUSED


def test_every_failure_is_asked_once_since_each_attempt_has_to_be_paid(provider: Provider) -> None:
    unavailable(provider, Refuses(503, "ServiceUnavailableException"))

    assert len(provider.service.asked) == 1


def test_half_an_answer_is_none_and_may_have_to_be_paid(provider: Provider) -> None:
    failed = unavailable(provider, HangsUp())

    assert (failed.reason, failed.may_cost) == (ModelFailure.FAILED, True)


def test_an_answer_that_does_not_come_is_given_up_in_time_and_may_have_to_be_paid(provider: Provider) -> None:
    began = time.monotonic()

    failed = unavailable(provider, Stalls(), seconds=0.3)

    assert (failed.reason, failed.may_cost) == (ModelFailure.LATE, True)
    assert time.monotonic() - began < 2


def test_a_server_that_is_not_there_costs_nothing(provider: Provider) -> None:
    with model_service() as gone:
        model = provider_of(provider.name, gone).model()

    with pytest.raises(ModelUnavailable) as failed:
        model.ask(question())

    assert (failed.value.reason, failed.value.may_cost) == (ModelFailure.FAILED, False)


@pytest.mark.parametrize("provider", ["openai", "anthropic"], indirect=True)
def test_a_server_that_sends_a_little_again_and_again_is_given_up_in_time(provider: Provider) -> None:
    began = time.monotonic()

    failed = unavailable(provider, Drips(), seconds=0.3)

    assert failed.reason is ModelFailure.LATE
    assert time.monotonic() - began < 2
