"""Asks the queue for the work that is due."""

from palimpsest.api.work import plan_handler
from palimpsest.bootstrap import plan

lambda_handler = plan_handler(plan)
