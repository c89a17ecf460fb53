"""A new version takes a tenth of the calls for five minutes, then all; an alarm takes it back."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_codedeploy as codedeploy
from constructs import Construct

from infra.parts.function import Function


class Rollout(Construct):
    """One CodeDeploy application; a deployment group for each function."""

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        self.application = codedeploy.LambdaApplication(self, "Application")

    def guard(self, function: Function, alarms: Sequence[cloudwatch.IAlarm]) -> None:
        """Shift this function's calls step by step, watched by these alarms."""
        codedeploy.LambdaDeploymentGroup(
            self,
            function.node.id,
            application=self.application,
            alias=function.alias,
            deployment_config=codedeploy.LambdaDeploymentConfig.CANARY_10_PERCENT_5_MINUTES,
            alarms=list(alarms),
            auto_rollback=codedeploy.AutoRollbackConfig(failed_deployment=True, deployment_in_alarm=True),
        )
