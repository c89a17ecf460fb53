"""The HTTP API: every route of docs/api."""

from palimpsest.api.app import http_handler
from palimpsest.bootstrap import edge_options, service

lambda_handler = http_handler(service, edge_options)
