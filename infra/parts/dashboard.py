"""One page of graphs: is it answering, how fast, how far behind, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from infra.context import Options
from infra.parts.alarms import Alarms
from infra.parts.function import Function
from infra.parts.gateway import Gateway

_FIVE_MINUTES = Duration.minutes(5)
_HALF = 12


class Dashboard(Construct):
    """The dashboard of a deployment."""

    def __init__(self, scope: Construct, name: str, *, options: Options, alarms: Alarms) -> None:
        super().__init__(scope, name)
        self._board = cloudwatch.Dashboard(
            self, "Board", dashboard_name=options.name, default_interval=Duration.hours(12)
        )
        self._board.add_widgets(cloudwatch.AlarmStatusWidget(alarms=list(alarms.all), width=24, height=4))

    def show_gateway(self, gateway: Gateway) -> None:
        stage = gateway.stage
        self._row(
            _graph("Requests", stage.metric_count(), stage.metric_client_error(), stage.metric_server_error()),
            _graph("Answer time", *(stage.metric_latency(statistic=each) for each in ("p50", "p99"))),
        )

    def show_functions(self, functions: Sequence[Function]) -> None:
        alias = [function.alias for function in functions]
        self._row(
            _graph(
                "Calls and errors", *(m for each in alias for m in (each.metric_invocations(), each.metric_errors()))
            ),
            _graph("Duration, p99", *(each.metric_duration(statistic="p99") for each in alias)),
        )

    def show_table(self, table: dynamodb.ITable) -> None:
        used = [
            table.metric(f"Consumed{kind}CapacityUnits", period=_FIVE_MINUTES, statistic="Sum")
            for kind in ("Read", "Write")
        ]
        conflicts = table.metric("TransactionConflict", period=_FIVE_MINUTES, statistic="Sum")
        self._row(_graph("Units of the table", *used), _graph("Transaction conflicts", conflicts))

    def _row(self, *graphs: cloudwatch.GraphWidget) -> None:
        self._board.add_widgets(*graphs)


def _graph(title: str, *metrics: cloudwatch.IMetric) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(title=title, left=list(metrics), width=_HALF, period=_FIVE_MINUTES)
