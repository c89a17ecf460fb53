"""What may never be lost: the table, the bucket and the owner key. Deleting this stack keeps all three."""

from __future__ import annotations

from aws_cdk import Duration, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra.context import Options

INDEXES = {"g1-index": ("g1pk", "g1sk"), "g2-index": ("g2pk", "g2sk")}
TTL_ATTRIBUTE = "ttl"
_KEY_CHARACTERS = 48


class StateStack(Stack):
    """Table, bucket, secret."""

    def __init__(self, scope: Construct, options: Options) -> None:
        super().__init__(scope, options.stack("state"), description="Palimpsest: what may never be lost")
        self.key = kms.Key.from_key_arn(self, "Key", options.kms_key_arn) if options.kms_key_arn else None
        self.table = self._table()
        self.bucket = self._bucket()
        self.secret = self._secret()

    def _table(self) -> dynamodb.Table:
        managed = dynamodb.TableEncryption.CUSTOMER_MANAGED if self.key else dynamodb.TableEncryption.DEFAULT
        table = dynamodb.Table(
            self,
            "Table",
            partition_key=_attribute("pk"),
            sort_key=_attribute("sk"),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            encryption=managed,
            encryption_key=self.key,
            stream=dynamodb.StreamViewType.KEYS_ONLY,
            time_to_live_attribute=TTL_ATTRIBUTE,
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            deletion_protection=True,
            removal_policy=RemovalPolicy.RETAIN,
        )
        for name, (partition, sort) in INDEXES.items():
            table.add_global_secondary_index(
                index_name=name,
                partition_key=_attribute(partition),
                sort_key=_attribute(sort),
                projection_type=dynamodb.ProjectionType.KEYS_ONLY,
            )
        return table

    def _bucket(self) -> s3.Bucket:
        """What comes into it is told to EventBridge, where the service listens for uploads."""
        bucket = s3.Bucket(
            self,
            "Blobs",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.KMS if self.key else s3.BucketEncryption.S3_MANAGED,
            encryption_key=self.key,
            bucket_key_enabled=True if self.key else None,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            versioned=False,  # what is deleted has to be gone
            lifecycle_rules=[s3.LifecycleRule(abort_incomplete_multipart_upload_after=Duration.days(7))],
            removal_policy=RemovalPolicy.RETAIN,
        )
        # CDK's own way to say so is a function of its own, with rights on the bucket.
        told = s3.CfnBucket.EventBridgeConfigurationProperty(event_bridge_enabled=True)
        bucket.node.default_child.notification_configuration = s3.CfnBucket.NotificationConfigurationProperty(
            event_bridge_configuration=told
        )
        return bucket

    def _secret(self) -> secretsmanager.Secret:
        return secretsmanager.Secret(
            self,
            "OwnerKey",
            description="The owner key of Palimpsest: whoever has it may do everything",
            encryption_key=self.key,
            generate_secret_string=secretsmanager.SecretStringGenerator(
                password_length=_KEY_CHARACTERS, exclude_punctuation=True, include_space=False
            ),
            removal_policy=RemovalPolicy.RETAIN,
        )


def _attribute(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)
