"""Every alarm tells somebody and has a page that says what to do."""

from __future__ import annotations

import re

import pytest

from infra.layers import ROOT
from palimpsest.api.happenings import NAMESPACE, Happening
from tests.infra.templates import Deployment, Json
from tests.support.costs import Costs

LINK = re.compile(r"What to do: (docs/operate/alarms\.md)#([a-z-]+)$")


@pytest.fixture(scope="session")
def alarms(everything: Deployment) -> list[Json]:
    return everything["service"].properties("AWS::CloudWatch::Alarm")


def test_every_alarm_has_its_heading_on_the_page(alarms: list[Json]) -> None:
    headings = set(re.findall(r"^## (.+)$", (ROOT / "docs/operate/alarms.md").read_text("utf-8"), re.MULTILINE))

    linked = {each["AlarmName"]: LINK.search(each["AlarmDescription"]) for each in alarms}

    assert [name for name, link in linked.items() if link is None or link[2] not in headings] == []
    assert headings == {link[2] for link in linked.values() if link is not None}


def test_every_alarm_is_told_to_the_topic_and_the_topic_to_a_mail_address(everything: Deployment) -> None:
    service = everything["service"]
    (topic,) = service.resources("AWS::SNS::Topic")

    alarms = service.properties("AWS::CloudWatch::Alarm")
    assert all(each["AlarmActions"] == [{"Ref": topic}] for each in alarms)
    mail = service.only("AWS::SNS::Subscription")
    assert (mail["Protocol"], mail["Endpoint"], mail["TopicArn"]) == ("email", "operator@mail.example", {"Ref": topic})


def test_the_page_of_costs_counts_the_metrics_that_alarms_look_at(serverless: Deployment) -> None:
    alarms = serverless["service"].properties("AWS::CloudWatch::Alarm")

    metrics = [sum("MetricStat" in metric for metric in each.get("Metrics", [{"MetricStat": 1}])) for each in alarms]
    assert sum(metrics) == Costs().assumed["alarm-metrics"]


def test_throttles_are_counted_of_reads_and_writes_of_the_table_and_of_each_index(alarms: list[Json]) -> None:
    (refused,) = (each for each in alarms if each["AlarmName"].endswith("table-throttle"))

    metrics = [each["MetricStat"]["Metric"] for each in refused["Metrics"] if "MetricStat" in each]
    dimensions = [{told["Name"]: told["Value"] for told in each["Dimensions"]} for each in metrics]
    places = [
        (each["MetricName"], told.get("GlobalSecondaryIndexName", ""))
        for each, told in zip(metrics, dimensions, strict=True)
    ]
    kinds = ("ReadThrottleEvents", "WriteThrottleEvents")
    assert sorted(places) == sorted((kind, index) for kind in kinds for index in ("", "g1-index", "g2-index"))


def test_silence_is_no_alarm(alarms: list[Json]) -> None:
    assert {each["TreatMissingData"] for each in alarms} == {"notBreaching"}


def test_the_hours_of_search_compute_are_counted_by_day(alarms: list[Json]) -> None:
    (hours,) = (each for each in alarms if each["AlarmName"].endswith("ocu-hours"))

    metrics = [each["MetricStat"] for each in hours["Metrics"] if "MetricStat" in each]
    assert {metric["Metric"]["MetricName"] for metric in metrics} == {"SearchOCU", "IndexingOCU"}
    assert {metric["Period"] for metric in metrics} == {86_400}
    assert hours["Threshold"] == 8


def test_a_monthly_budget_is_a_mail_about_the_bill(everything: Deployment, serverless: Deployment) -> None:
    budget = everything["service"].only("AWS::Budgets::Budget")

    assert budget["Budget"]["BudgetLimit"] == {"Amount": 10, "Unit": "USD"}
    assert serverless["service"].resources("AWS::Budgets::Budget") == {}


def test_without_an_address_the_topic_is_there_for_others(serverless: Deployment) -> None:
    assert serverless["service"].resources("AWS::SNS::Subscription") == {}
    assert len(serverless["service"].resources("AWS::SNS::Topic")) == 1


def test_an_alarm_on_a_metric_of_our_own_is_on_one_that_the_functions_write(alarms: list[Json]) -> None:
    own = {each["MetricName"] for each in alarms if each.get("Namespace") == NAMESPACE}

    assert own == {happening.value for happening in Happening}
