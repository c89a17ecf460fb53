"""What was taken out is nowhere: not in an answer, not in a file of the data folder, not in the log."""

from __future__ import annotations

import json
from contextlib import closing

from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.support.server_process import OWNER_KEY, ServerProcess

SECRETS = {
    "token": "ghp_" + "q7W3" * 9,
    "password": "Xylophone-77-Marmot",
    "phone": "+48 601 987 654",
    "digits": "601987654",
    "email": "quetzal.wombat@example.com",
    "pesel": "44051401359",
    "iban": "PL61109010140000071219812874",
    "card": "4539 1488 0343 6467",
    "url": "Zanzibar_1987_gate",
    "word": "Aurorafish",
}
TEXT = (
    f"token {SECRETS['token']}, password: {SECRETS['password']}, {SECRETS['phone']}, tel. {SECRETS['digits']},"
    f" {SECRETS['email']}, PESEL {SECRETS['pesel']}, {SECRETS['iban']}, {SECRETS['card']},"
    f" postgres://app:{SECRETS['url']}@db.internal/shop, {SECRETS['word']}"
)
SCRUBBED = (
    "token [REDACTED], password: [REDACTED], [PHONE], tel. [PHONE], [EMAIL], PESEL [ID], [IBAN], [CARD],"
    " postgres://app:[REDACTED]@db.internal/shop, [REDACTED]"
)


def ask(server: ServerProcess, method: str, path: str, body: object, retry: str | None = None) -> tuple[int, str]:
    """Status and text of an answer; `body` is sent as JSON unless it is text."""
    headers = {"authorization": f"Bearer {OWNER_KEY}", **({"idempotency-key": retry} if retry else {})}
    with closing(server.connection()) as connection:
        connection.request(method, path, body if isinstance(body, str) else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.read().decode()


def write_everywhere(server: ServerProcess) -> list[str]:
    """Send the text by every way in; the answers."""
    everything = {
        "content": TEXT,
        "canonical": TEXT + ".",
        "tags": [SECRETS["email"], SECRETS["phone"]],
        "metadata": {"notes": [TEXT], SECRETS["email"]: int(SECRETS["pesel"]), "password": SECRETS["password"]},
        "source": {"session": SECRETS["email"], "channel": SECRETS["phone"], "agent": SECRETS["email"]},
        "attributed_to": SECRETS["email"],
    }
    answers = [ask(server, "POST", "/memory/save", everything, "once") for _ in range(2)]
    memory = json.loads(answers[0][1])["memory"]
    assert memory["content"] == SCRUBBED
    answers.append(
        ask(server, "POST", "/memory/batch", {"memories": [{"content": f"again {TEXT}"}, everything]}, "two")
    )
    path = f"/memory/{memory['root_id']}"
    revision = {**everything, "content": f"newer {TEXT}"}
    del revision["tags"]
    answers.append(ask(server, "POST", f"{path}/update", revision, "three"))
    answers.append(ask(server, "POST", f"{path}/revert", {"version": 1}))
    answers.append(ask(server, "PATCH", path, {"tags": [SECRETS["email"]]}))
    assert [status for status, _ in answers] == [201, 201, 200, 200, 200, 200]
    return [text for _, text in answers]


def refused(server: ServerProcess) -> list[str]:
    """Send it in requests that are refused; the answers."""
    body = {"content": TEXT, "metadata": {"x": TEXT}}
    answers = [
        ask(server, "POST", "/memory/save", {**body, "memory_type": TEXT}),
        ask(server, "POST", "/memory/save", {**body, "asserted_at": TEXT, "source": TEXT, "tags": TEXT}),
        ask(server, "POST", "/memory/save", {**body, "valid_until": "2020-01-01", "valid_from": "2021-01-01"}),
        ask(server, "POST", "/memory/save", {**body, "space": TEXT}),
        ask(server, "POST", "/memory/save", json.dumps(body)[:-1]),
        ask(server, "POST", "/memory/save", {**body, "content": TEXT + "\0"}),
        ask(server, "POST", "/memory/save", {**body, "content": TEXT * 1000}),
        ask(server, "POST", "/memory/mem_00000000000000000000000000/update", body),
        ask(server, "POST", "/memory/save", {"content": TEXT}, "once"),
        ask(server, "POST", "/memory/save", {**body, SECRETS["token"]: 1, SECRETS["email"]: 2}),
    ]
    assert {status for status, _ in answers} <= {400, 404, 413, 422}
    return [text for _, text in answers]


def test_what_was_taken_out_is_in_no_file_no_log_and_no_answer(make_server: MakeServer) -> None:
    settings = {"PALIMPSEST_LOG_LEVEL": "DEBUG", "PALIMPSEST_SCRUB_WORDS": SECRETS["word"], "PALIMPSEST_KEY": OWNER_KEY}
    server = make_server(**NO_MODEL, **settings).start()

    answers = write_everywhere(server) + refused(server)
    running = {path: path.read_bytes() for path in server.folder.rglob("*") if path.is_file()}
    server.stop()
    stopped = {path: path.read_bytes() for path in server.folder.rglob("*") if path.is_file()}

    assert any(b"[IBAN]" in held for held in stopped.values())
    places = [*answers, server.output, *(str(held) for held in (*running.values(), *stopped.values()))]
    found = {name for name, secret in SECRETS.items() for place in places if secret.lower() in place.lower()}
    assert found == set()
