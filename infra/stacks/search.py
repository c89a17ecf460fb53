"""The collection of OpenSearch Serverless. All of it can be made again from the table, so nothing here is kept."""

from __future__ import annotations

import json

from aws_cdk import Stack
from aws_cdk import aws_opensearchserverless as aoss
from constructs import Construct

from infra.context import Options


class SearchStack(Stack):
    """A collection group that sleeps when idle, with one collection of type VECTORSEARCH.

    Who may read and write its indexes is said by the service stack, beside the roles that it names.

    Attributes:
        endpoint: The collection's address.
        collection: Its name.
        collection_arn: For the grant to call it at all.
    """

    def __init__(self, scope: Construct, options: Options) -> None:
        super().__init__(scope, options.stack("search"), description="Palimpsest: the search index, disposable")
        self.collection = f"{options.name}-memory"
        group = self._group(options)
        encryption = self._encryption(options)
        network = self._network(options)
        collection = aoss.CfnCollection(
            self,
            "Collection",
            name=self.collection,
            type="VECTORSEARCH",
            collection_group_name=group.name,
            standby_replicas="ENABLED",
            description="The search index of Palimpsest",
        )
        for needed in (group, encryption, network):
            collection.add_resource_dependency(needed)
        self.endpoint = collection.attr_collection_endpoint
        self.collection_arn = collection.attr_arn

    def _group(self, options: Options) -> aoss.CfnCollectionGroup:
        """Without a minimum it scales to zero ten minutes after the last request."""
        return aoss.CfnCollectionGroup(
            self,
            "Group",
            name=f"{options.name}-memory",
            generation="NEXTGEN",
            standby_replicas="ENABLED",
            description="The compute that the search index of Palimpsest may use",
            capacity_limits=aoss.CfnCollectionGroup.CapacityLimitsProperty(
                max_search_capacity_in_ocu=options.max_search_ocu,
                max_indexing_capacity_in_ocu=options.max_indexing_ocu,
            ),
        )

    def _encryption(self, options: Options) -> aoss.CfnSecurityPolicy:
        owner: dict[str, object] = {"KmsARN": options.kms_key_arn} if options.kms_key_arn else {"AWSOwnedKey": True}
        rules = [{"ResourceType": "collection", "Resource": [f"collection/{self.collection}"]}]
        return aoss.CfnSecurityPolicy(
            self,
            "Encryption",
            name=f"{options.name}-encryption",
            type="encryption",
            policy=_compact({"Rules": rules, **owner}),
        )

    def _network(self, options: Options) -> aoss.CfnSecurityPolicy:
        """Reachable without a VPC: functions outside one have no other way; signatures and the data policy guard it."""
        rules = [{"ResourceType": "collection", "Resource": [f"collection/{self.collection}"]}]
        return aoss.CfnSecurityPolicy(
            self,
            "Network",
            name=f"{options.name}-network",
            type="network",
            policy=_compact([{"Rules": rules, "AllowFromPublic": True}]),
        )


def _compact(policy: object) -> str:
    return json.dumps(policy, separators=(",", ":"))
