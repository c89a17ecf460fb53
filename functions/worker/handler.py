"""Does what the messages of the work queue ask for."""

from palimpsest.api.work import queue_handler
from palimpsest.bootstrap import worker

lambda_handler = queue_handler(worker)
