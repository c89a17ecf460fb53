"""`make deploy` into an empty account, again in the middle of traffic, half-failed, and `make destroy`."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.e2e.cloud.account import Account, Deployed
from tests.e2e.cloud.calling import Caller, eventually, fresh_space, root_of


def test_deploying_ends_with_a_command_that_works(account: Account, deployed: Deployed, owner: Caller) -> None:
    curl = deployed.printed.strip().splitlines()[-1]

    environment = {"PATH": os.environ["PATH"], "URL": owner.url, "KEY": owner.key or ""}
    done = subprocess.run(["sh", "-c", curl], env=environment, capture_output=True, text=True, check=False, timeout=60)

    assert curl.startswith("curl -s $URL/memory/save")
    assert '"content":"Ola is allergic to nuts"' in done.stdout
    assert (owner.key or "") not in deployed.printed


def test_the_stream_rings_the_index_function_for_what_was_saved(account: Account, owner: Caller) -> None:
    owner.save("The stream rings when something is saved", fresh_space("stream"))

    def has_run() -> bool:
        logs = account.client("logs")
        groups = [each["logGroupName"] for each in logs.describe_log_groups()["logGroups"]]
        (index,) = (name for name in groups if "IndexLog" in name)
        return bool(logs.describe_log_streams(logGroupName=index)["logStreams"])

    eventually(has_run, "a call of the index function")
    assert waiting(account, "WorkFailures") == 0


@pytest.mark.slow  # two deployments of its own, a minute or more
def test_a_deploy_that_fails_half_way_and_the_next_one_lose_nothing_in_the_middle_of_traffic(
    account: Account, owner: Caller
) -> None:
    with saving(owner, fresh_space("traffic")) as saved:
        # The emulator refuses AWS::Budgets::Budget, after it has made other things anew.
        failed = account.run("infra.deploy", account.choices("alarm_email=me@mail.example", "monthly_budget_usd=5"))
        between = len(saved)
        good = account.deploy("log_retention_days=90", f"data_dir={account.folder / 'other'}")
        after = len(saved)
        eventually(lambda: len(saved) >= after + 3, "saves after the deploy")

    assert failed.returncode == 1
    assert "cdk deploy failed" in failed.stderr
    assert good.url == owner.url
    assert between > 0
    assert {status for status, _ in saved} == {201}
    assert [root for _, root in saved if owner.get(f"/memory/{root}").status != 200] == []


@pytest.mark.slow  # two deployments of its own, a minute or more
def test_destroying_keeps_the_table_and_the_key_and_deploying_again_finds_them(
    account: Account, deployed: Deployed, owner: Caller
) -> None:
    root = root_of(owner.save("This outlives the service", fresh_space("destroy")))

    destroyed = account.run("infra.destroy", ["--app", str(account.folder / "cdk.out"), "--force"])

    assert destroyed.returncode == 0, destroyed.stderr[-2_000:]
    assert "Kept: the stack that ends in -state" in destroyed.stdout
    assert account.client("lambda").list_functions()["Functions"] == []
    assert account.owner_key(deployed) == owner.key
    again = account.deploy_again()
    Caller(again.url, owner.key).get(f"/memory/{root}").expect(200)


@contextmanager
def saving(owner: Caller, space: str) -> Iterator[list[tuple[int, str]]]:
    """Saves one memory after the other; the status and the root of each so far."""
    saved: list[tuple[int, str]] = []
    is_over = threading.Event()

    def save() -> None:
        while not is_over.is_set():
            answer = owner.post("/memory/save", {"content": f"note {len(saved)}", "space": space})
            saved.append((answer.status, root_of(answer.body) if answer.status == 201 else answer.raw.decode()))

    worker = threading.Thread(target=save)
    worker.start()
    try:
        yield saved
    finally:
        is_over.set()
        worker.join()


def waiting(account: Account, name: str) -> int:
    """How many messages lie in the queue that is called so."""
    queues = account.client("sqs")
    (url,) = (url for url in queues.list_queues()["QueueUrls"] if name in url)
    told = queues.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"])
    return int(told["Attributes"]["ApproximateNumberOfMessages"])
