"""The verbs that change memories."""

from __future__ import annotations

import json
import uuid
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence

from palimpsest.local.cli import library, naming, options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal

_BATCH = 100
_BATCH_BYTES = 2 * 1024 * 1024
"""Half of what a request may hold."""


def _save_arguments(parser: ArgumentParser) -> None:
    options.add_text(parser)
    options.add_version_fields(parser)
    parser.add_argument("--tag", action="append", metavar="TAG", help="a tag; may be repeated")
    parser.add_argument("--pin", action="store_true", help="put it first into every context of its space")
    parser.add_argument(
        "--importance",
        type=float,
        metavar="X",
        help="0 to 10; 1 by default; moves the score of a recall by 5 % at the most",
    )
    parser.add_argument("--expires-at", metavar="WHEN", help="when it leaves recall by itself")
    parser.add_argument(
        "--judge", choices=("auto", "sync", "async", "off"), help="how it is compared with the rest; auto by default"
    )
    parser.add_argument(
        "--lines",
        choices=("text", "json"),
        help="save many: each line is a text, or a JSON object with the fields of a save",
    )


def _save(session: Session) -> Exit:
    fields = _save_fields(session)
    if session.arguments.lines:
        return _save_lines(session, fields)
    body = {"content": session.text(session.arguments.text), **fields}
    return session.show(_post(session, "/memory/save", body), _show_saved)


def _save_fields(session: Session) -> Json:
    given = session.arguments
    own = {"tags": given.tag, "pinned": given.pin or None, "importance": given.importance}
    own |= {"expires_at": given.expires_at, "judge": given.judge}
    return {**options.version_fields(given), **options.given_only(own), **session.space()}


def _save_lines(session: Session, fields: Json) -> Exit:
    refused = 0
    for batch in _batches(list(_items(session, fields))):
        answer = _post(session, "/memory/batch", {"memories": [item for _, item in batch]})
        refused += sum("outcome" not in result for result in answer["results"])
        session.show(answer, _shows_results([number for number, _ in batch], session.arguments.lines))
    return Exit.REFUSED if refused else Exit.OK


def _items(session: Session, fields: Json) -> Iterator[tuple[int, Json]]:
    """Each with the number of its line."""
    for number, line in enumerate(session.text(session.arguments.text).splitlines(), start=1):
        if not line.strip():
            continue
        if session.arguments.lines == "text":
            yield number, {**fields, "content": line}
            continue
        try:
            item = json.loads(line)
        except ValueError:
            item = None
        if not isinstance(item, dict):
            raise Refusal(Exit.REFUSED, f"line {number} is no JSON object; nothing was saved")
        yield number, {**fields, **item}


def _batches(items: Sequence[tuple[int, Json]]) -> Iterator[list[tuple[int, Json]]]:
    batch: list[tuple[int, Json]] = []
    size = 0
    for number, item in items:
        length = len(json.dumps(item))
        if batch and (len(batch) == _BATCH or size + length > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append((number, item))
        size += length
    if batch:
        yield batch


def _update_arguments(parser: ArgumentParser) -> None:
    options.add_id(parser)
    parser.add_argument("text", nargs="?", help="the new text, where it changes; - reads it from the standard input")
    options.add_version_fields(parser)
    parser.add_argument("--never-ends", action="store_true", help="take --valid-until away")
    parser.add_argument(
        "--because",
        choices=("changed", "corrected"),
        help="changed: the old version was true until then; corrected: it never was; by default corrected, and changed "
        "with --valid-from",
    )
    _expected(parser)


def _update(session: Session) -> Exit:
    given = session.arguments
    own = {"because": given.because, "expected_version": given.expected_version}
    fields = options.version_fields(given) | ({} if given.text is None else {"content": session.text(given.text)})
    if given.never_ends and given.valid_until is not None:
        raise Refusal(Exit.USAGE, "give --valid-until or --never-ends, not both")
    fields |= {"valid_until": None} if given.never_ends else {}
    if not fields:
        raise Refusal(Exit.USAGE, "say what to change: the new text, or an option such as --valid-until")
    return _change(session, "update", fields | options.given_only(own))


def _annotate_arguments(parser: ArgumentParser) -> None:
    options.add_id(parser)
    tags = parser.add_mutually_exclusive_group()
    tags.add_argument(
        "--tag", action="append", metavar="TAG", help="replaces all tags that it had; repeat it for each tag"
    )
    tags.add_argument("--no-tags", action="store_true", help="take all tags away")
    pins = parser.add_mutually_exclusive_group()
    pins.add_argument("--pin", action="store_true", help="put it first into every context of its space")
    pins.add_argument("--unpin", action="store_true", help="no longer")
    parser.add_argument(
        "--importance", type=float, metavar="X", help="0 to 10; moves the score of a recall by 5 % at the most"
    )
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument("--expires-at", metavar="WHEN", help="when it leaves recall by itself")
    ends.add_argument("--never-expires", action="store_true", help="take the expiry away")


def _annotate(session: Session) -> Exit:
    given = session.arguments
    body: Json = options.given_only({"tags": given.tag, "importance": given.importance, "expires_at": given.expires_at})
    body |= {"tags": []} if given.no_tags else {}
    body |= {"pinned": given.pin} if given.pin or given.unpin else {}
    body |= {"expires_at": None} if given.never_expires else {}
    if not body:
        raise Refusal(
            Exit.USAGE,
            "say what to change: --tag, --pin, --importance, --expires-at or their opposites (palimpsest update "
            "changes the text, --valid-from and --valid-until)",
        )
    return session.show(session.api.patch(f"/memory/{part(given.id)}", body), _shows("annotated"))


def _revert_arguments(parser: ArgumentParser) -> None:
    options.add_id(parser)
    parser.add_argument("version", type=options.positive, help="the version whose text becomes the newest version")
    _expected(parser)


def _revert(session: Session) -> Exit:
    given = session.arguments
    own = {"version": given.version, "expected_version": given.expected_version}
    return _change(session, "revert", options.given_only(own))


def _restore_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the memory, mem_…, or the document, doc_…")


def _restore(session: Session) -> Exit:
    if library.is_document(session.arguments.id):
        return library.restore(session, session.arguments.id)
    return _change(session, "restore", {})


def _expected(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--expected-version", type=options.positive, metavar="N", help="only if this version is still the current one"
    )


def _change(session: Session, verb: str, body: Json) -> Exit:
    done = {"update": "updated", "revert": "reverted", "restore": "restored"}[verb]
    answer = _post(session, f"/memory/{part(session.arguments.id)}/{verb}", body)
    if answer.get("outcome") == "conflict":
        return session.show(answer, _shows_beside(one_line(session.arguments.id)))
    return session.show(answer, _shows("unchanged" if answer.get("outcome") == "unchanged" else done))


def _post(session: Session, path: str, body: Json) -> Json:
    return session.api.post(path, body, idempotency_key=str(uuid.uuid4()))


def _shows_beside(there: str) -> Callable[[Screen, Json], None]:
    """For what was trusted less than the memory that it was to change."""

    def show(screen: Screen, answer: Json) -> None:
        screen.line(f"conflict: saved as {answer['memory']['id']} beside {there}; {answer['conflict_id']}")
        show_scrubbed(screen, answer)

    return show


def _show_saved(screen: Screen, answer: Json) -> None:
    _shows(answer["outcome"])(screen, answer)


def show_scrubbed(screen: Screen, answer: Json) -> None:
    """What was taken out of a text, and what is worth a word, if an answer tells of any."""
    for warning in answer.get("warnings") or ():
        screen.line(f"  warning: {one_line(warning['message'])}")
    taken = [f"{each['kind']} ({each['count']})" for each in answer.get("redactions") or ()]
    if taken:
        screen.line(f"  taken out: {one_line(', '.join(taken))}")


def _shows_results(numbers: Sequence[int], form: str) -> Callable[[Screen, Json], None]:
    def show(screen: Screen, answer: Json) -> None:
        for number, result in zip(numbers, answer["results"], strict=True):
            if "outcome" in result:
                _show_saved(screen, result)
            else:
                why = naming.of_item(result, as_fields=form == "json")
                screen.line(f"line {number} was refused: {one_line(why)}")

    return show


def _shows(done: str) -> Callable[[Screen, Json], None]:
    def show(screen: Screen, answer: Json) -> None:
        memory = answer["memory"]
        pending = ", not embedded yet" if memory.get("embedding") == "pending" else ""
        screen.line(f"{done} {memory['id']} ({memory['memory_type']} in {memory['space']}{pending})")
        show_scrubbed(screen, answer)

    return show


VERBS = (
    Verb("save", "save a memory", _save, _save_arguments, ("POST /memory/save", "POST /memory/batch")),
    Verb(
        "update",
        "write a new version over a memory; what is not given stays as it was",
        _update,
        _update_arguments,
        ("POST /memory/{id}/update",),
    ),
    Verb(
        "annotate",
        "change tags, pin, importance or expiry, without a new version",
        _annotate,
        _annotate_arguments,
        ("PATCH /memory/{id}",),
    ),
    Verb(
        "revert",
        "make the text of an old version the newest version",
        _revert,
        _revert_arguments,
        ("POST /memory/{id}/revert",),
    ),
    Verb(
        "restore",
        "bring a forgotten memory or document back",
        _restore,
        _restore_arguments,
        ("POST /memory/{id}/restore", "POST /documents/{id}/restore"),
    ),
)
