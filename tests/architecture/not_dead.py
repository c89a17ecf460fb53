"""Names that vulture can't see in use: each is read by a framework or is somebody's way in."""

# ruff: noqa: B018

from unittest.mock import Mock

_ = Mock()

# What Lambda's context has; libraries of handlers read it.
_.memory_limit_in_mb
_.function_version
_.invoked_function_arn
_.log_group_name
_.log_stream_name
_.get_remaining_time_in_millis

_.description  # of a function's manifest: for people and for deployment
_.handle_exit  # uvicorn calls it
_.variable  # of settings: the page of settings is held equal by it
