"""Arguments that several verbs share, and the fields that they become."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any

MEMORY_TYPES = ("fact", "preference", "episode", "procedure")
STATUSES = ("current", "retired", "forgotten")
_VERSION_FIELDS = ("canonical", "attributed_to", "asserted_at", "valid_from", "valid_until", "event_date", "metadata")


def add_id(parser: ArgumentParser) -> None:
    """The memory."""
    parser.add_argument("id", help="the memory, mem_…")


def add_text(parser: ArgumentParser) -> None:
    """The text of a version."""
    parser.add_argument("text", help="the text; - reads it from the standard input")


def add_version_fields(parser: ArgumentParser) -> None:
    """What a version says beside its text."""
    parser.add_argument("--type", choices=MEMORY_TYPES, help="what kind of thing it is")
    parser.add_argument("--canonical", metavar="TEXT", help="the same in a form that stands alone")
    parser.add_argument("--attributed-to", metavar="NAME", help="who said it")
    parser.add_argument("--asserted-at", metavar="WHEN", help="when it was said: a date or an instant; now by default")
    parser.add_argument("--valid-from", metavar="WHEN", help="from when it is true")
    parser.add_argument("--valid-until", metavar="WHEN", help="until when it is true")
    parser.add_argument("--event-date", metavar="WHEN", help="when what it tells of happened")
    parser.add_argument("--metadata", type=json_object, metavar="JSON", help="a JSON object to keep with it")
    parser.add_argument("--agent", metavar="NAME", help="where it comes from, e.g. user_direct; api by default")
    parser.add_argument("--session", metavar="NAME", help="the conversation that it comes from")
    parser.add_argument("--channel", metavar="NAME", help="the channel that it came through")
    parser.add_argument("--trust", choices=("a1", "a2", "b"), help="lower the trust in it")


def version_fields(arguments: Namespace) -> dict[str, Any]:
    """The fields of a version that were given."""
    given = {name: getattr(arguments, name) for name in _VERSION_FIELDS}
    source = {name: getattr(arguments, name) for name in ("agent", "session", "channel", "trust")}
    given |= {"memory_type": arguments.type, "source": given_only(source) or None}
    return given_only(given)


def add_filters(parser: ArgumentParser) -> None:
    """What narrows a recall or a list."""
    parser.add_argument("--type", action="append", choices=MEMORY_TYPES, help="only of this kind; may be repeated")
    parser.add_argument("--tag", action="append", metavar="TAG", help="only with this tag; may be repeated")
    parser.add_argument("--from", dest="date_from", metavar="WHEN", help="only from this date or instant on")
    parser.add_argument("--to", dest="date_to", metavar="WHEN", help="only up to this date or instant")
    parser.add_argument("--session", metavar="NAME", help="only from this conversation")
    parser.add_argument("--channel", metavar="NAME", help="only through this channel")
    parser.add_argument("--attributed-to", metavar="NAME", help="only what is attributed to them")
    parser.add_argument("--agent", action="append", metavar="NAME", help="only from this agent; may be repeated")
    parser.add_argument("--not-agent", action="append", metavar="NAME", help="not from this agent; may be repeated")
    parser.add_argument("--min-trust", choices=("a1", "a2", "b"), help="only with at least so much trust")
    parser.add_argument("--metadata", type=json_object, metavar="JSON", help="only with this metadata")
    parser.add_argument("--entity", metavar="NAME", help="only what names this entity: one of its names, or ent_…")
    parser.add_argument("--subject", metavar="NAME", help="only what is about this entity: one of its names, or ent_…")
    parser.add_argument("--as-of", metavar="WHEN", help="what was true then")
    parser.add_argument("--believed-at", metavar="WHEN", help="what was believed then, whatever was recorded later")
    parser.add_argument("--limit", type=positive, metavar="N", help="at most so many")


def filter_fields(arguments: Namespace) -> dict[str, Any]:
    """The filters that were given."""
    given = {"memory_types": arguments.type, "tags": arguments.tag, "limit": arguments.limit}
    given |= {"date_from": arguments.date_from, "date_to": arguments.date_to}
    given |= {"session": arguments.session, "channel": arguments.channel, "attributed_to": arguments.attributed_to}
    given |= {"source_agents": arguments.agent, "exclude_source_agents": arguments.not_agent}
    given |= {"min_trust": arguments.min_trust, "metadata": arguments.metadata}
    given |= {"entity": arguments.entity, "subject": arguments.subject}
    return given_only(given | {"as_of": arguments.as_of, "believed_at": arguments.believed_at})


def query_fields(arguments: Namespace) -> dict[str, Any]:
    """The same as parameters of an address."""
    fields = filter_fields(arguments)
    return {name: json.dumps(value) if isinstance(value, dict) else value for name, value in fields.items()}


def given_only(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that have a value; False and zero are values."""
    return {name: value for name, value in fields.items() if value is not None and value not in ([], {})}


def yes_or_no(text: str) -> bool:
    """Whether it is so."""
    if text not in ("yes", "no"):
        raise ArgumentTypeError(f"{text!r} is neither yes nor no")
    return text == "yes"


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def json_object(text: str) -> dict[str, Any]:
    """A JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ArgumentTypeError('give a JSON object, such as \'{"source": "phone"}\'')
    return value
