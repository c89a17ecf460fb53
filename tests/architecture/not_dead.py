"""Names that vulture can't see in use: each is read by a framework or is somebody's way in."""

from palimpsest.local.lambda_events import LambdaContext
from palimpsest.local.manifest import Manifest
from palimpsest.local.server import _Server

# What Lambda's context has; libraries of handlers read it.
LambdaContext.memory_limit_in_mb  # noqa: B018
LambdaContext.function_version  # noqa: B018
LambdaContext.invoked_function_arn  # noqa: B018
LambdaContext.log_group_name  # noqa: B018
LambdaContext.log_stream_name  # noqa: B018
LambdaContext.get_remaining_time_in_millis  # noqa: B018

Manifest.description  # noqa: B018 - for people and for deployment
_Server.handle_exit  # noqa: B018 - uvicorn calls it
