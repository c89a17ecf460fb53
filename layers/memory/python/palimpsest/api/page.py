"""HTML pages without scripts: the routes, and the types of problems."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from palimpsest.api.problem import Kind

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:1rem;color:#111;background:#fff}"
    "h2{margin-top:2.5rem}h3{margin-top:2rem}code,pre{font:13px/1.5 ui-monospace,monospace;background:#f4f4f4}"
    "pre{padding:.75rem;overflow:auto}table{border-collapse:collapse;width:100%}"
    "td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}code,pre{background:#222}td,th{border-color:#333}}"
)
_LINKS = "<p><a href='openapi.json'>OpenAPI document</a>, <a href='docs/errors'>types of problems</a></p>"


def routes(document: Mapping[str, Any]) -> str:
    """Every operation of an OpenAPI document."""
    info = document["info"]
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    links = "".join(
        f"<li><a href='#{op['operationId']}'>{_title(method, path)}</a></li>" for method, path, op in operations
    )
    parts = [f"<p>{escape(info['description'])}</p>{_LINKS}<ul>{links}</ul>"]
    parts += [_operation(method, path, operation, document) for method, path, operation in operations]
    return _page(f"{info['title']} {info['version']}", parts)


def errors(kinds: Mapping[str, Kind]) -> str:
    """Every type of problem."""
    parts = (
        f"<h2 id='{escape(slug)}'>{escape(kind.title)}</h2><p>Status {kind.status}. {escape(kind.advice)}</p>"
        for slug, kind in kinds.items()
    )
    return _page("Problems", parts)


def _operation(method: str, path: str, operation: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = ", ".join(
        f"{status} {escape(_resolved(answer, document)['description'])}"
        for status, answer in operation["responses"].items()
    )
    return (
        f"<h3 id='{operation['operationId']}'>{_title(method, path)}</h3><p>{escape(operation['summary'])}.</p>"
        f"<p>{escape(operation.get('description', ''))}</p>"
        + _parameters([_resolved(each, document) for each in operation.get("parameters", [])])
        + (_body(_resolved(body, document)) if body else "")
        + f"<p>Answers: {answers}</p>"
    )


def _parameters(parameters: Iterable[Mapping[str, Any]]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(each['name'])}</code></td><td>{each['in']}</td>"
        f"<td>{escape(each.get('description', ''))}</td></tr>"
        for each in parameters
    )
    return f"<table><tr><th>Parameter</th><th>In</th><th></th></tr>{rows}</table>" if rows else ""


def _body(schema: Mapping[str, Any]) -> str:
    fields = ", ".join(f"<code>{escape(name)}</code>" for name in schema.get("properties", {}))
    examples = "".join(f"<pre>{escape(json.dumps(each, indent=2))}</pre>" for each in schema.get("examples", ()))
    return f"<p>{escape(schema.get('description', ''))}</p><p>Fields: {fields}</p>{examples}"


def _resolved(value: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = value.get("$ref")
    if reference is None:
        return value
    found: Any = document
    for part in str(reference).removeprefix("#/").split("/"):
        found = found[part]
    resolved: Mapping[str, Any] = found
    return resolved


def _title(method: str, path: str) -> str:
    return f"<code>{method} {escape(path)}</code>"


def _page(title: str, parts: Iterable[str]) -> str:
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>{''.join(parts)}</html>"
    )
