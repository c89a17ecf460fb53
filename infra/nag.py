"""cdk-nag's rules, over every stack that is synthesized."""

from __future__ import annotations

import re

import cdk_nag
from aws_cdk import Acknowledgment, App, Stack, Validations
from constructs import IConstruct

from infra.context import Options
from infra.findings import LEFT, Left
from infra.parts.grants import DOCUMENTS, LEDGER
from infra.parts.model import Place, bedrock_models
from infra.stacks.state import StateStack


def check(app: App, options: Options, state: StateStack) -> None:
    """Let the packs AWS Solutions and Serverless look at every stack when it is synthesized."""
    Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(app), cdk_nag.ServerlessChecks(app))
    left = (*LEFT, *_within_one_resource(options, state))
    for construct in app.node.find_all():
        _acknowledge(construct, left)


def _acknowledge(construct: IConstruct, left: tuple[Left, ...]) -> None:
    for each in left:
        if re.search(each.where, construct.node.path):
            Validations.of(construct).acknowledge(Acknowledgment(id=each.rule, reason=each.reason))


def _within_one_resource(options: Options, state: StateStack) -> list[Left]:
    """Wildcards below a resource of ours. Their rules carry the name by which the stack exports the resource."""
    listing = "ListStreams knows no single stream; this is all streams of this one table."
    paths = "A domain's requests are told apart by path, and indexes are made at run time."
    where = r"service/[^/]+/Role/DefaultPolicy$"
    entries = "Each entry of the ledger of erased ids is an object of its own, and its key is the entry."
    originals = "Each edition of a document is an object of its own, and its key has the edition's number."
    left = [
        _wildcard(f"{_exported(state, state.table.table_arn)}/stream/*", where, listing),
        _wildcard(f"{_exported(state, state.bucket.bucket_arn)}/{LEDGER}*", where, entries),
        _wildcard(f"{_exported(state, state.bucket.bucket_arn)}/{DOCUMENTS}*", where, originals),
    ]
    profiles = "A profile of Bedrock leads to regions that AWS chooses, so its one model is allowed in each."
    place = Place("<AWS::Partition>", "<AWS::Region>", "<AWS::AccountId>")
    left += [_wildcard(arn, where, profiles) for arn in bedrock_models(options, place) if "*" in arn]
    if options.opensearch_arn:
        left.append(_wildcard(f"{options.opensearch_arn}/*", where, paths))
    return left


def _wildcard(resource: str, where: str, reason: str) -> Left:
    return Left(f"AwsSolutions::AwsSolutions-IAM5[Resource::{resource}]", where, reason)


def _exported(stack: Stack, value: str) -> str:
    imported = stack.resolve(stack.export_value(value))
    return str(imported["Fn::ImportValue"])
