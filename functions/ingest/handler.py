"""Reads the documents that the messages of its queue name."""

from palimpsest.api.work import queue_handler
from palimpsest.bootstrap import worker

lambda_handler = queue_handler(worker)
