"""HTML pages without scripts: the routes, and the types of problems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from palimpsest.api.problem import Kind
from palimpsest.api.type_words import Schema, type_words

_CODE = re.compile(r"`([^`]*)`")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:1rem;color:#111;background:#fff}"
    "h2{margin-top:2.5rem}h3{margin-top:2rem}code,pre{font:13px/1.5 ui-monospace,monospace;background:#f4f4f4}"
    "pre{padding:.75rem;overflow:auto}table{border-collapse:collapse;width:100%}"
    "td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}code,pre{background:#222}td,th{border-color:#333}}"
)
_LINKS = "<p><a href='openapi.json'>OpenAPI document</a>, <a href='docs/errors'>types of problems</a></p>"


def routes(document: Mapping[str, Any]) -> str:
    """Every operation of an OpenAPI document, and every shape that they take and give."""
    info = document["info"]
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    links = "".join(
        f"<li><a href='#{op['operationId']}'>{_title(method, path)}</a> {escape(op['summary'])}</li>"
        for method, path, op in operations
    )
    parts = [f"<p>{_prose(info['description'])}</p>{_LINKS}<h2>Routes</h2><ul>{links}</ul>"]
    parts += [_operation(method, path, operation, document) for method, path, operation in operations]
    parts += ["<h2>Shapes</h2><p>What the routes take and give.</p>", *_shapes(document["components"]["schemas"])]
    return _page(f"{info['title']} {info['version']}", parts)


def errors(kinds: Mapping[str, Kind]) -> str:
    """Every type of problem."""
    parts = (
        f"<h2 id='{escape(slug)}'>{escape(kind.title)}</h2><p>Status {kind.status}. {_prose(kind.advice)}</p>"
        for slug, kind in kinds.items()
    )
    return _page("Problems", parts)


def _operation(method: str, path: str, operation: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    named = document["components"]["schemas"]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return (
        f"<h3 id='{operation['operationId']}'>{_title(method, path)}</h3><p>{escape(operation['summary'])}.</p>"
        + "".join(f"<p>{_prose(part)}</p>" for part in operation.get("description", "").split("\n\n") if part)
        + _parameters([_resolved(each, document) for each in operation.get("parameters", [])], named)
        + (_body(_resolved(body, document), named) if body else "")
        + _answers(operation["responses"], document)
    )


def _parameters(parameters: Iterable[Mapping[str, Any]], named: Mapping[str, Schema]) -> str:
    rows = [
        (each["name"], type_words(each["schema"], named), f"in the {each['in']}", each.get("description", ""))
        for each in parameters
    ]
    return _table("Parameter", rows)


def _body(schema: Schema, named: Mapping[str, Schema]) -> str:
    examples = "".join(f"<pre>{escape(json.dumps(each, indent=2))}</pre>" for each in schema.get("examples", ()))
    return f"<p>{_prose(schema.get('description', ''))}</p>{_fields(schema, named)}{examples}"


def _answers(responses: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    rows = []
    for status, answer in responses.items():
        resolved = _resolved(answer, document)
        shapes = [content["schema"] for content in resolved.get("content", {}).values()]
        words = " or ".join(type_words(shape, document["components"]["schemas"]) for shape in shapes)
        phrase = escape(resolved["description"].rstrip("."))
        rows.append(f"<li>{status} {phrase}{f': {words}' if words else ''}</li>")
    return f"<p>Answers:</p><ul>{''.join(rows)}</ul>"


def _shapes(named: Mapping[str, Schema]) -> Iterator[str]:
    for name, schema in sorted(named.items()):
        if "properties" in schema:
            is_answer = not name.endswith("Request")
            told = "".join(f"<p>{_prose(part)}</p>" for part in schema.get("description", "").split("\n\n"))
            yield f"<h3 id='{escape(name)}'>{escape(name)}</h3>{told}{_fields(schema, named, is_answer=is_answer)}"


def _fields(schema: Schema, named: Mapping[str, Schema], *, is_answer: bool = False) -> str:
    needed = schema.get("required", ())
    rows = [
        (name, type_words(about, named), _presence(name in needed, about, is_answer), about.get("description", ""))
        for name, about in schema.get("properties", {}).items()
    ]
    return _table("Field", rows)


def _presence(is_needed: bool, about: Schema, is_answer: bool) -> str:
    default = about.get("default")
    if is_answer:
        return "" if is_needed or default is not None else "not always there"
    if is_needed:
        return "needed"
    return (
        f"{json.dumps(default)} when left out" if isinstance(default, bool | int | float | str) else "may be left out"
    )


def _table(title: str, rows: Iterable[tuple[str, str, str, str]]) -> str:
    told = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{words}</td><td>{escape(need)}</td><td>{_prose(about)}</td></tr>"
        for name, words, need, about in rows
    )
    return f"<table><tr><th>{title}</th><th>Type</th><th></th><th>Meaning</th></tr>{told}</table>" if told else ""


def _prose(text: str) -> str:
    """Text in which words between backticks are code."""
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))


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
