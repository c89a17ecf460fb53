"""Makes the search index equal to the beliefs that the table's stream names."""

from palimpsest.api.stream import stream_handler
from palimpsest.bootstrap import hear_changes

lambda_handler = stream_handler(hear_changes)
