"""Alarms, each with a page that says what to do. A test looks each one up there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from aws_cdk import Aws, Duration
from aws_cdk import aws_budgets as budgets
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.context import Options
from infra.parts.function import NAMESPACE, Function
from infra.parts.gateway import Gateway
from infra.stacks.state import INDEXES

PAGE = "docs/operate/alarms.md"
_FIVE_MINUTES = Duration.minutes(5)


@dataclass(frozen=True, slots=True)
class Limit:
    """When an alarm rings.

    Attributes:
        above: The value that is still well.
        periods: How many periods in a row have to be above it.
    """

    above: float
    periods: int = 1


class Alarms(Construct):
    """Every alarm of the deployment, told to one topic."""

    def __init__(self, scope: Construct, name: str, *, options: Options) -> None:
        super().__init__(scope, name)
        self._name = options.name
        self.topic = sns.Topic(self, "Topic", display_name="Palimpsest alarms", enforce_ssl=True)
        self._let_alarms_publish()
        self.all: list[cloudwatch.Alarm] = []
        if options.alarm_email:
            self.topic.add_subscription(subscriptions.EmailSubscription(options.alarm_email))

    def _let_alarms_publish(self) -> None:
        """A topic with a policy of its own, such as the one that wants TLS, lets nobody in whom it does not name."""
        self.topic.add_to_resource_policy(
            iam.PolicyStatement(
                sid="AlarmsOfThisAccount",
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["sns:Publish"],
                resources=[self.topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            )
        )

    def add(
        self, name: str, metric: cloudwatch.IMetric, limit: Limit, *, what: str, page: str | None = None
    ) -> cloudwatch.Alarm:
        """One alarm. `what` is true when it rings; `page` is its heading on the page when it isn't the name."""
        alarm = cloudwatch.Alarm(
            self,
            "".join(part.title() for part in name.split("-")),
            alarm_name=f"{self._name}-{name}",
            alarm_description=f"{what} What to do: {PAGE}#{page or name}",
            metric=metric,
            threshold=limit.above,
            evaluation_periods=limit.periods,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
        self.all.append(alarm)
        return alarm

    def watch_function(self, function: Function) -> cloudwatch.Alarm:
        """Its errors; gives the alarm, so that a rollout can heed it."""
        name = function.manifest.name
        errors = function.alias.metric_errors(period=Duration.minutes(1), statistic="Sum")
        what = f"Calls of {name} end with an error."
        return self.add(f"errors-{name}", errors, Limit(0), what=what, page="errors")

    def watch_account(self) -> None:
        """Calls that found no room among what the account may run at once."""
        throttled = lambda_.Function.metric_all_throttles(period=_FIVE_MINUTES, statistic="Sum")
        self.add("throttles", throttled, Limit(0, periods=2), what="The account has no room for more calls at once.")

    def watch_stream(self, function: Function) -> None:
        """How far the index is behind the table."""
        age = function.alias.metric("IteratorAge", period=Duration.minutes(1), statistic="Maximum")
        self.add("iterator-age", age, Limit(60_000, periods=5), what="The index is a minute or more behind the table.")

    def watch_recall(self) -> None:
        """What the product itself tells: recalls that miss what the index does not show yet, throttles, mute arms."""
        truncated = _own("TailTruncated")
        self.add("tail-lag", truncated, Limit(0, periods=3), what="Recalls miss what was saved most recently.")
        search = _own("IndexThrottled")
        self.add("index-throttle", search, Limit(0, periods=3), what="The search index refuses requests: too many.")
        mute = _own("ArmMute")
        self.add("arm-mute", mute, Limit(0), what="An arm of recalls does not give what is there.")

    def watch_gateway(self, gateway: Gateway) -> None:
        """Answers that say the fault is ours."""
        failed = gateway.stage.metric_server_error(period=_FIVE_MINUTES, statistic="Sum")
        self.add("server-errors", failed, Limit(0), what="The API answers 500 to 599.")

    def watch_table(self, table: dynamodb.ITable, options: Options) -> None:
        """Throttles of the table and of its indexes, and transactions that met each other."""
        conflicts = table.metric("TransactionConflict", period=_FIVE_MINUTES, statistic="Sum")
        self.add(
            "transaction-conflicts",
            conflicts,
            Limit(100, periods=3),
            what="Writers wait for each other's transactions.",
        )
        if options.is_emulated:
            return  # emulators know no sums in alarms
        refused = cloudwatch.MathExpression(
            expression="SUM(METRICS())", using_metrics=_throttles(table), label="throttled", period=_FIVE_MINUTES
        )
        self.add("table-throttle", refused, Limit(0, periods=2), what="DynamoDB refuses reads or writes: too many.")

    def watch_kept(self, name: str, queue: sqs.IQueue, what: str) -> None:
        """Anything at all in a queue of what was given up."""
        waiting = queue.metric_approximate_number_of_messages_visible(period=_FIVE_MINUTES, statistic="Maximum")
        self.add(f"dlq-{name}", waiting, Limit(0), what=what, page="dlq")

    def watch_units(self, options: Options) -> None:
        """Hours of OpenSearch compute in a day: what a sleeping collection does not use and a kept awake one costs."""
        used = {name: _units(metric) for name, metric in (("search", "SearchOCU"), ("indexing", "IndexingOCU"))}
        hours = cloudwatch.MathExpression(
            expression="(FILL(search, 0) + FILL(indexing, 0)) / 60",
            using_metrics=used,
            label="OCU hours a day",
            period=Duration.days(1),
        )
        limit = Limit(options.ocu_hours_a_day)
        self.add("ocu-hours", hours, limit, what="The search collection was awake for longer than foreseen.")

    def watch_bill(self, options: Options) -> None:
        """A mail when the account's month is expected to cost more."""
        spent = budgets.CfnBudget.SpendProperty(amount=options.monthly_budget_usd, unit="USD")
        notices = [
            budgets.CfnBudget.NotificationWithSubscribersProperty(
                notification=budgets.CfnBudget.NotificationProperty(
                    comparison_operator="GREATER_THAN",
                    notification_type=kind,
                    threshold=100,
                    threshold_type="PERCENTAGE",
                ),
                subscribers=[
                    budgets.CfnBudget.SubscriberProperty(address=options.alarm_email, subscription_type="EMAIL")
                ],
            )
            for kind in ("ACTUAL", "FORECASTED")
        ]
        budgets.CfnBudget(
            self,
            "Bill",
            budget=budgets.CfnBudget.BudgetDataProperty(budget_type="COST", time_unit="MONTHLY", budget_limit=spent),
            notifications_with_subscribers=notices,
        )


def _own(name: str) -> cloudwatch.Metric:
    """A metric that functions write into their logs."""
    dimensions = {"service": "api"}
    return cloudwatch.Metric(
        namespace=NAMESPACE, metric_name=name, dimensions_map=dimensions, period=_FIVE_MINUTES, statistic="Sum"
    )


def _units(name: str) -> cloudwatch.Metric:
    """Compute units in use, told each minute for the whole account."""
    account = {"ClientId": Aws.ACCOUNT_ID}
    return cloudwatch.Metric(
        namespace="AWS/AOSS", metric_name=name, dimensions_map=account, period=Duration.days(1), statistic="Sum"
    )


def _throttles(table: dynamodb.ITable) -> dict[str, cloudwatch.IMetric]:
    found: dict[str, cloudwatch.IMetric] = {}
    for index, kind in product(("", *INDEXES), ("Read", "Write")):
        where = {"TableName": table.table_name} | ({"GlobalSecondaryIndexName": index} if index else {})
        found[f"{kind.lower()}{index.partition('-')[0]}"] = cloudwatch.Metric(
            namespace="AWS/DynamoDB",
            metric_name=f"{kind}ThrottleEvents",
            dimensions_map=where,
            period=_FIVE_MINUTES,
            statistic="Sum",
        )
    return found
