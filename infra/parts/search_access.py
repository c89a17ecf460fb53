"""Who may do what in the indexes of the collection: AWS wants it said beside IAM."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Stack
from aws_cdk import aws_opensearchserverless as aoss
from constructs import Construct

from infra.parts.function import Function

_READ = ("aoss:DescribeIndex", "aoss:ReadDocument")
_WRITE = ("aoss:CreateIndex", "aoss:DeleteIndex", "aoss:UpdateIndex", "aoss:WriteDocument")


class SearchAccess(Construct):
    """The data access policy of one collection: readers read, writers also write."""

    def __init__(
        self, scope: Construct, name: str, *, policy_name: str, collection: str, functions: Sequence[Function]
    ) -> None:
        super().__init__(scope, name)
        rules = [
            _rule(collection, [each.role.role_arn for each in functions if each.manifest.may("index:read")], _READ),
            _rule(collection, [each.role.role_arn for each in functions if each.manifest.may("index:write")], _WRITE),
        ]
        aoss.CfnAccessPolicy(
            self,
            "Policy",
            name=policy_name,
            type="data",
            policy=Stack.of(self).to_json_string([rule for rule in rules if rule["Principal"]]),
        )


def _rule(collection: str, principals: list[str], permissions: Sequence[str]) -> dict[str, object]:
    index = {"ResourceType": "index", "Resource": [f"index/{collection}/*"], "Permission": list(permissions)}
    return {"Rules": [index], "Principal": principals}
