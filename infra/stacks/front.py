"""An optional front: CloudFront with a firewall. It lives in us-east-1, where CloudFront wants its rules."""

from __future__ import annotations

from aws_cdk import CfnOutput, Environment, Stack
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_cloudfront_origins as origins
from aws_cdk import aws_wafv2 as waf
from constructs import Construct

from infra.context import Options

_REQUESTS_IN_FIVE_MINUTES = 2_000


class FrontStack(Stack):
    """A distribution before the API, with the rules of AWS and a rate limit for each address."""

    def __init__(self, scope: Construct, options: Options) -> None:
        super().__init__(
            scope,
            options.stack("front"),
            description="Palimpsest: CloudFront and a firewall before the API",
            env=Environment(region="us-east-1"),
        )
        rules = self._rules(options)
        distribution = cloudfront.Distribution(
            self,
            "Distribution",
            comment="Palimpsest",
            default_behavior=cloudfront.BehaviorOptions(
                origin=origins.HttpOrigin(options.api_host),
                allowed_methods=cloudfront.AllowedMethods.ALLOW_ALL,
                cache_policy=cloudfront.CachePolicy.CACHING_DISABLED,
                origin_request_policy=cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
                viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
            ),
            minimum_protocol_version=cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
            web_acl_id=rules.attr_arn,
        )
        CfnOutput(self, "FrontUrl", value=f"https://{distribution.distribution_domain_name}", description="The front")

    def _rules(self, options: Options) -> waf.CfnWebACL:
        return waf.CfnWebACL(
            self,
            "Rules",
            name=options.stack("front"),
            scope="CLOUDFRONT",
            default_action=waf.CfnWebACL.DefaultActionProperty(allow=waf.CfnWebACL.AllowActionProperty()),
            rules=[_reputation(), _rate()],
            visibility_config=_seen("all"),
        )


def _reputation() -> waf.CfnWebACL.RuleProperty:
    """Addresses that AWS knows for harm."""
    known = waf.CfnWebACL.ManagedRuleGroupStatementProperty(
        vendor_name="AWS", name="AWSManagedRulesAmazonIpReputationList"
    )
    return waf.CfnWebACL.RuleProperty(
        name="reputation",
        priority=0,
        statement=waf.CfnWebACL.StatementProperty(managed_rule_group_statement=known),
        override_action=waf.CfnWebACL.OverrideActionProperty(none={}),
        visibility_config=_seen("reputation"),
    )


def _rate() -> waf.CfnWebACL.RuleProperty:
    """One address that asks too often."""
    often = waf.CfnWebACL.RateBasedStatementProperty(aggregate_key_type="IP", limit=_REQUESTS_IN_FIVE_MINUTES)
    return waf.CfnWebACL.RuleProperty(
        name="rate",
        priority=1,
        statement=waf.CfnWebACL.StatementProperty(rate_based_statement=often),
        action=waf.CfnWebACL.RuleActionProperty(block=waf.CfnWebACL.BlockActionProperty()),
        visibility_config=_seen("rate"),
    )


def _seen(name: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    """Counted, but no request is kept as a sample: requests hold keys and memories."""
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=f"palimpsest-{name}", sampled_requests_enabled=False
    )
