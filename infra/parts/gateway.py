"""The HTTP API: one route per line of the manifests, an access log without anything that people wrote, a throttle."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aws_cdk import RemovalPolicy
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_apigatewayv2_integrations as integrations
from aws_cdk import aws_certificatemanager as acm
from aws_cdk import aws_logs as logs
from aws_cdk import aws_route53 as route53
from aws_cdk import aws_route53_targets as targets
from constructs import Construct

from infra.context import Options
from infra.parts.function import Function, retention

_LOGGED = {
    "request_id": "$context.requestId",
    "at": "$context.requestTimeEpoch",
    "ip": "$context.identity.sourceIp",
    "method": "$context.httpMethod",
    "route": "$context.routeKey",
    "status": "$context.status",
    "bytes": "$context.responseLength",
    "integration_ms": "$context.integrationLatency",
    "error": "$context.integrationErrorMessage",
}
"""No path and no query: those hold ids and words of people."""


class Gateway(Construct):
    """The address of the API.

    Attributes:
        url: Without a slash at the end.
        host: Its name, for a front before it.
    """

    def __init__(self, scope: Construct, name: str, *, functions: Sequence[Function], options: Options) -> None:
        super().__init__(scope, name)
        self.api = apigateway.HttpApi(
            self, "Api", api_name=options.name, description="Palimpsest's API", create_default_stage=False
        )
        for function in functions:
            self._route(function)
        self.stage = self._stage(options)
        self.host = f"{self.api.api_id}.execute-api.{self.api.env.region}.amazonaws.com"
        self.url = self._domain(options) if options.domain_name else self.api.api_endpoint

    def _route(self, function: Function) -> None:
        integration = integrations.HttpLambdaIntegration(f"{function.manifest.name}-calls", function.alias)
        for method, path in function.manifest.routes:
            self.api.add_routes(path=path, methods=[apigateway.HttpMethod[method]], integration=integration)

    def _stage(self, options: Options) -> apigateway.HttpStage:
        log = logs.LogGroup(
            self,
            "AccessLog",
            retention=retention(options.log_retention_days),
            removal_policy=RemovalPolicy.DESTROY,
        )
        stage = apigateway.HttpStage(
            self,
            "Stage",
            http_api=self.api,
            stage_name="$default",
            auto_deploy=True,
            detailed_metrics_enabled=True,
            throttle=apigateway.ThrottleSettings(rate_limit=options.throttle_rate, burst_limit=options.throttle_burst),
        )
        child = stage.node.default_child
        assert isinstance(child, apigateway.CfnStage)  # noqa: S101  # what an HttpStage is made of
        child.access_log_settings = apigateway.CfnStage.AccessLogSettingsProperty(
            destination_arn=log.log_group_arn, format=json.dumps(_LOGGED)
        )
        return stage

    def _domain(self, options: Options) -> str:
        certificate = acm.Certificate.from_certificate_arn(self, "Certificate", options.certificate_arn)
        domain = apigateway.DomainName(self, "Domain", domain_name=options.domain_name, certificate=certificate)
        apigateway.ApiMapping(self, "Mapping", api=self.api, domain_name=domain, stage=self.stage)
        if options.hosted_zone_id:
            self._record(options, domain)
        return f"https://{options.domain_name}"

    def _record(self, options: Options, domain: apigateway.DomainName) -> None:
        zone = route53.HostedZone.from_hosted_zone_attributes(
            self, "Zone", hosted_zone_id=options.hosted_zone_id, zone_name=options.hosted_zone_name
        )
        target = targets.ApiGatewayv2DomainProperties(domain.regional_domain_name, domain.regional_hosted_zone_id)
        route53.ARecord(
            self,
            "Record",
            zone=zone,
            record_name=options.domain_name,
            target=route53.RecordTarget.from_alias(target),
        )
