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
_.create_table_request  # deployment and the contract suite make tables by them
_.time_to_live_request
_.ensure  # what tests begin spaces by, in one step
_.cached_bytes  # how much the index holds in memory; tests keep it bounded
_.dollars  # money as people read it
_.is_balanced  # tests hold the budget to it

_.headed  # what was measured of a section or a fragment: tests hold it to the window

# The graph, until extraction is wired.
_.extract
