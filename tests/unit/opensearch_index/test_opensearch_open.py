"""An index is opened for the generation as the table has it now."""

from __future__ import annotations

from dataclasses import replace

from palimpsest.adapters.aws.opensearch import OpenSearchIndexes
from palimpsest.adapters.aws.opensearch_cluster import Cluster
from palimpsest.ports.search_index import Generation
from tests.contract.search_index.sample import MODEL
from tests.support.scripted_server import ScriptedServer
from tests.unit.opensearch_index.conftest import ORDINARY


def test_a_generation_that_was_made_again_with_other_capabilities_is_opened_with_those(server: ScriptedServer) -> None:
    indexes = OpenSearchIndexes(Cluster(server.url, login=None, read_seconds=10))
    first = Generation("01KJMA0JE00000000000000000", MODEL, 1, ORDINARY.words())
    again = replace(first, capabilities=replace(ORDINARY, has_deletes=False).words())

    opened = [indexes.open(generation) for generation in (first, again, again)]
    indexes.close()

    assert [index.generation for index in opened] == [first, again, again]
    assert opened[1] is opened[2]
