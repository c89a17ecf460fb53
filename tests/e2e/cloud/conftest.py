"""One account for the whole folder, deployed once by what `make deploy` runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract.table.ministack import ministack
from tests.e2e.cloud.account import Account, Deployed
from tests.e2e.cloud.calling import Caller
from tests.support.aws_clients import clients


@pytest.fixture(scope="package")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Account]:
    folder = tmp_path_factory.mktemp("account")
    with ministack(folder) as endpoint, clients(endpoint) as client:
        yield Account(endpoint, folder, client)


@pytest.fixture
def deployed(account: Account) -> Deployed:
    """The deployment as it stands; the first one goes into the empty account."""
    return account.now or account.deploy()


@pytest.fixture
def owner(account: Account, deployed: Deployed) -> Caller:
    """Whoever has the owner key."""
    return Caller(deployed.url, account.owner_key(deployed))
