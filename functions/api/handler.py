"""The HTTP API: every route of docs/api."""

import gc

gc.disable()  # what imports make stays; looking for garbage in it takes a fifth of a cold start

from palimpsest.api.app import http_handler  # noqa: E402
from palimpsest.bootstrap import edge_options, service  # noqa: E402

gc.freeze()
gc.enable()

lambda_handler = http_handler(service, edge_options)
