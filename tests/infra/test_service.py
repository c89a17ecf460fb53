"""The functions and what calls them, as their manifests say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.layers import ROOT
from infra.manifest import Manifest, read_manifests
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.upload import UPLOADS
from palimpsest.settings import Settings, read, variable
from palimpsest.stores.keys import LOGS, LogPartition, chunk_log
from tests.infra.templates import Deployment, Json, Template
from tests.infra.variants import VARIANTS

MANIFESTS = read_manifests(ROOT / "functions")
QUEUED = [each for each in MANIFESTS if each.trigger == "queue"]


def functions(service: Template) -> dict[str, Json]:
    """Properties of each function of ours, by the manifest's name."""
    found = service.properties("AWS::Lambda::Function")
    return {each["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"]: each for each in found}


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_a_function_is_what_its_manifest_says(service: Template, manifest: Manifest) -> None:
    function = functions(service)[manifest.name]

    assert function["MemorySize"] == manifest.memory_mb
    assert function["Timeout"] == manifest.timeout_seconds
    assert function["Handler"] == "handler.lambda_handler"
    assert len(function["Layers"]) == 1 + len(manifest.layers)
    assert function.get("ReservedConcurrentExecutions") == manifest.reserved_concurrency


def test_every_function_has_json_logs_for_some_time_and_traces(service: Template) -> None:
    made = functions(service)
    logs = service.properties("AWS::Logs::LogGroup")

    assert made.keys() == {manifest.name for manifest in MANIFESTS}
    assert {each["LoggingConfig"]["LogFormat"] for each in made.values()} == {"JSON"}
    assert {each["TracingConfig"]["Mode"] for each in made.values()} == {"Active"}
    assert {each["RetentionInDays"] for each in logs} == {30}
    assert len(logs) == len(made) + 1


def test_logs_are_kept_at_least_as_long_as_was_chosen(everything: Deployment) -> None:
    logs = everything["service"].properties("AWS::Logs::LogGroup")

    assert VARIANTS["everything"]["log_retention_days"] == "45"
    assert {each["RetentionInDays"] for each in logs} == {60}


def test_every_variable_that_functions_get_is_a_setting(serverless: Deployment, external: Deployment) -> None:
    known = {variable(name) for name in Settings.__dataclass_fields__}
    deployments = [serverless, external]

    told = {
        name
        for deployment in deployments
        for function in functions(deployment["service"]).values()
        for name in function["Environment"]["Variables"]
        if name.startswith("PALIMPSEST_")
    }

    assert {"PALIMPSEST_OPENSEARCH_URL", "PALIMPSEST_MODEL", "PALIMPSEST_MODEL_KEY_SECRET"} <= told
    assert told - known == set()


def test_functions_that_store_texts_are_told_what_to_take_out_of_them(everything: Deployment) -> None:
    made = functions(everything["service"])
    chosen = {f"PALIMPSEST_{name.upper()}": value for name, value in VARIANTS["everything"].items() if "scrub" in name}

    told = {name: made[name]["Environment"]["Variables"] for name in made}
    assert len(chosen) == 3
    assert {name for name in told if chosen.items() <= told[name].items()} == {"api", "ingest", "worker"}
    assert {name for name in told if chosen.keys() & told[name].keys()} == {"api", "ingest", "worker"}
    assert read(chosen).scrub_words == ("Aurora", "Borealis")


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_a_function_is_told_only_where_that_is_which_it_may_touch(service: Template, manifest: Manifest) -> None:
    told = functions(service)[manifest.name]["Environment"]["Variables"]

    assert told["PALIMPSEST_STORE"] == "dynamodb"
    assert ("PALIMPSEST_KEY_SECRET" in told) == ("secret:read" in manifest.grants)
    assert ("PALIMPSEST_BUCKET" in told) == ("ledger:read" in manifest.grants)
    assert ("PALIMPSEST_QUEUE_URL" in told) == ("queue:send" in manifest.grants)
    assert ("PALIMPSEST_INGEST_QUEUE_URL" in told) == ("queue:send" in manifest.grants)
    assert "PALIMPSEST_KEY" not in told


def test_each_route_of_a_manifest_is_a_route_of_the_api(service: Template) -> None:
    routes = {each["RouteKey"] for each in service.properties("AWS::ApiGatewayV2::Route")}

    assert routes == {f"{method} {path}" for manifest in MANIFESTS for method, path in manifest.routes}


def test_the_api_logs_no_paths_and_no_queries_and_is_throttled(service: Template) -> None:
    stage = service.only("AWS::ApiGatewayV2::Stage")

    logged = set(json.loads(stage["AccessLogSettings"]["Format"]).values())
    assert not {entry for entry in logged if "path" in entry.lower() or "query" in entry.lower()}
    assert (stage["StageName"], stage["AutoDeploy"]) == ("$default", True)
    throttle = stage["DefaultRouteSettings"]
    assert (throttle["ThrottlingRateLimit"], throttle["ThrottlingBurstLimit"]) == (50, 100)


def test_the_stream_rings_for_new_rows_of_the_change_log_and_keeps_what_fails(service: Template) -> None:
    (mapping,) = (each for each in mappings(service) if "BisectBatchOnFunctionError" in each)
    (manifest,) = (each for each in MANIFESTS if each.trigger == "stream")

    (pattern,) = (json.loads(each["Pattern"]) for each in mapping["FilterCriteria"]["Filters"])
    prefixes = tuple(each["prefix"] for each in pattern["dynamodb"]["Keys"]["pk"]["S"])
    assert pattern["eventName"] == ["INSERT"]
    assert prefixes == LOGS
    assert LogPartition(SpaceId("spc_1"), 0).pk.startswith(prefixes[0])
    assert chunk_log(SpaceId("spc_1")).pk.startswith(prefixes[1])
    assert mapping["BisectBatchOnFunctionError"] is True
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert (mapping["BatchSize"], mapping["MaximumRetryAttempts"]) == (manifest.batch_size, manifest.max_attempts)
    assert mapping["DestinationConfig"]["OnFailure"]["Destination"]["Fn::GetAtt"][0] in queues(service)


def test_an_upload_that_has_come_goes_to_the_queue_of_documents_and_to_nobody_else(serverless: Deployment) -> None:
    service, bucket = serverless["service"], serverless["state"].only("AWS::S3::Bucket")
    rule = service.only("AWS::Events::Rule")

    (target,) = rule["Targets"]
    assert bucket["NotificationConfiguration"] == {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}
    assert rule["EventPattern"]["detail"]["object"] == {"key": [{"prefix": UPLOADS}]}
    assert target["Arn"]["Fn::GetAtt"][0].startswith("WorkIngestQueue")
    assert target["DeadLetterConfig"]["Arn"]["Fn::GetAtt"][0] in queues(service)


@pytest.mark.parametrize("manifest", QUEUED, ids=lambda manifest: manifest.name)
def test_a_queue_is_worked_on_by_few_at_once_and_gives_up_at_last(service: Template, manifest: Manifest) -> None:
    fed = [each for each in mappings(service) if "ScalingConfig" in each]
    (mapping,) = (each for each in fed if manifest.name.title() in json.dumps(each["FunctionName"]))
    work = queues(service)[mapping["EventSourceArn"]["Fn::GetAtt"][0]]

    assert mapping["ScalingConfig"] == {"MaximumConcurrency": manifest.max_concurrency}
    assert mapping["BatchSize"] == manifest.batch_size
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert work["RedrivePolicy"]["maxReceiveCount"] == manifest.max_attempts
    assert work["VisibilityTimeout"] >= 6 * manifest.timeout_seconds


def test_the_worker_may_ask_for_more_work_as_often_as_it_takes(service: Template) -> None:
    allowed = [each for each in service.properties("AWS::Lambda::Function") if each.get("RecursiveLoop") == "Allow"]

    assert {each["Description"] for each in allowed} == {each.description for each in QUEUED}


def test_each_scheduled_function_has_its_schedule(service: Template) -> None:
    schedules = service.properties("AWS::Scheduler::Schedule")

    wanted = [each.every_seconds for each in MANIFESTS if each.every_seconds is not None]
    assert sorted(each["ScheduleExpression"] for each in schedules) == sorted(map(rate, wanted))
    assert all(each["Target"]["DeadLetterConfig"]["Arn"]["Fn::GetAtt"][0] in queues(service) for each in schedules)


def test_whatever_calls_a_function_calls_its_alias(service: Template) -> None:
    aliases = set(service.resources("AWS::Lambda::Alias"))
    callers: list[Any] = [
        *(each["FunctionName"] for each in mappings(service)),
        *(each["IntegrationUri"] for each in service.properties("AWS::ApiGatewayV2::Integration")),
        *(each["Target"]["Arn"] for each in service.properties("AWS::Scheduler::Schedule")),
    ]

    assert len(aliases) == len(MANIFESTS)
    assert [each for each in callers if not aliases & references(each)] == []


def test_a_new_version_gets_a_tenth_of_the_calls_first_and_an_alarm_takes_it_back(service: Template) -> None:
    groups = service.properties("AWS::CodeDeploy::DeploymentGroup")
    aliases = service.resources("AWS::Lambda::Alias").values()

    assert len(groups) == len(MANIFESTS)
    assert {each["DeploymentConfigName"] for each in groups} == {"CodeDeployDefault.LambdaCanary10Percent5Minutes"}
    assert all(each["AlarmConfiguration"]["Enabled"] for each in groups)
    assert all("DEPLOYMENT_STOP_ON_ALARM" in each["AutoRollbackConfiguration"]["Events"] for each in groups)
    assert all("CodeDeployLambdaAliasUpdate" in each["UpdatePolicy"] for each in aliases)


def test_an_emulator_gets_nothing_that_emulators_lack(emulator: Deployment) -> None:
    kinds = {each["Type"] for each in emulator["service"].body["Resources"].values()}

    lacking = {"AWS::CodeDeploy::DeploymentGroup", "AWS::Budgets::Budget", "AWS::OpenSearchServerless::AccessPolicy"}
    assert kinds & lacking == set()
    assert [each for each in emulator["service"].properties("AWS::CloudWatch::Alarm") if "Metrics" in each] == []


def test_only_logs_and_things_that_can_be_made_again_go_with_the_service(service: Template) -> None:
    kept = {each["Type"] for each in service.body["Resources"].values() if each.get("DeletionPolicy") == "Retain"}

    assert kept == set()


def test_a_domain_of_ones_own_has_a_certificate_and_a_record(everything: Deployment) -> None:
    service = everything["service"]

    assert service.only("AWS::ApiGatewayV2::DomainName")["DomainName"] == "memory.example"
    assert service.only("AWS::Route53::RecordSet")["Name"] == "memory.example."
    assert service.body["Outputs"]["Url"]["Value"] == "https://memory.example"


def test_the_front_has_a_firewall_and_takes_only_https(everything: Deployment) -> None:
    front = everything["front"]

    distribution = front.only("AWS::CloudFront::Distribution")["DistributionConfig"]
    assert distribution["DefaultCacheBehavior"]["ViewerProtocolPolicy"] == "https-only"
    assert distribution["WebACLId"]["Fn::GetAtt"][0] in front.resources("AWS::WAFv2::WebACL")
    rules = {rule["Name"] for rule in front.only("AWS::WAFv2::WebACL")["Rules"]}
    assert rules == {"reputation", "rate"}


def test_functions_run_on_the_chosen_processor(serverless: Deployment, everything: Deployment) -> None:
    chosen = {
        name: {tuple(each["Architectures"]) for each in functions(deployment["service"]).values()}
        for name, deployment in (("default", serverless), ("everything", everything))
    }

    assert chosen == {"default": {("x86_64",)}, "everything": {("arm64",)}}


def mappings(service: Template) -> list[Json]:
    return service.properties("AWS::Lambda::EventSourceMapping")


def queues(service: Template) -> dict[str, Json]:
    return {name: each["Properties"] for name, each in service.resources("AWS::SQS::Queue").items()}


def rate(seconds: int) -> str:
    minutes = seconds // 60
    return f"rate({minutes} {'minute' if minutes == 1 else 'minutes'})"


def references(value: object) -> set[str]:
    """The logical ids that a value of a template is made of."""
    if isinstance(value, dict):
        own = {value["Ref"]} if "Ref" in value else {value["Fn::GetAtt"][0]} if "Fn::GetAtt" in value else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()
