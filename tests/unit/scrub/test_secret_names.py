"""Secrets behind their names: where they begin and end, and what stands there that is none."""

from __future__ import annotations

import pytest

from palimpsest.domain.scrub.kinds import Kind
from palimpsest.domain.scrub.secret_names import named

TOKEN = "aB3dE5fG7hJ9kL2m"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password: hunter2", "hunter2"),
        ("PASSWORD=hunter2", "hunter2"),
        ("passwd => hunter2", "hunter2"),
        ("pwd := hunter2", "hunter2"),
        ("hasło: Zima2024!", "Zima2024!"),
        ("HASLO: zima", "zima"),
        ('"password": "two words"', "two words"),
        ("'password', 'hunter2'", "hunter2"),
        ('<x name="password" value="hunter2"/>', "hunter2"),
        ("hasło: „dwa słowa”", "dwa słowa"),
        ("password: `hunter2`", "hunter2"),
        ("password: hunter2.", "hunter2"),
        ("password: hunter2;", "hunter2"),
        ("(password: hunter2)", "hunter2"),
        ("password: 1un(ter)2", "1un(ter)2"),
        ("password: hun(ter)2", None),
        ("[password: hunter2]", "hunter2"),
        ("https://x/?password=hunter2&user=jan", "hunter2"),
        ("DB_PASSWORD_PROD=hunter2", "hunter2"),
        ("password2: hunter2", "hunter2"),
        ("password for the router: hunter2", "hunter2"),
        ("password for x of y z: hunter2", None),
        ("password - hunter2", "hunter2"),
        ("login jan password hunter2", "hunter2"),
        ("mysql --password hunter2", "hunter2"),
        ("my password hunter2", None),
        ("İ password: hunter2", "hunter2"),
        ("passwordless: hunter2", None),
        ("compass: hunter2", None),
        ("pass: hunter2", "hunter2"),
        ("pass: today", None),
        ("password: day", None),
        ("password: sunshine", "sunshine"),
        ("password: sunshine is what he likes", None),
        ("password: hunter2 is what he likes", "hunter2"),
        ("password: str = None", None),
        ("password: Optional[str]", None),
        ("password = os.environ", None),
        ("password: <yours>", None),
        ("password: /run/secrets/db", None),
        ("password", None),
        ("password:", None),
        ("password: ;", None),
        ("client_secret = google_client_secret", None),
        ("client secret: abcd-efgh-1", "abcd-efgh-1"),
        ("app_secret: sunshine", "sunshine"),
        (f"token: {TOKEN}", TOKEN),
        ("token: sunshine", None),
        ("token: abc123", None),
        (f"api key: {TOKEN}", TOKEN),
        (f"klucz api: {TOKEN}", TOKEN),
        (f"SIGNING_KEY={TOKEN}", TOKEN),
        (f"signingKey={TOKEN}", TOKEN),
        (f"monkey={TOKEN}", None),
        (f"cache_key={TOKEN}", None),
        (f"partition-key={TOKEN}", None),
        (f"Key={TOKEN}", None),
        (f"Authorization: Bearer {TOKEN}", TOKEN),
        ("Authorization: Bearer abc.def1", "abc.def1"),
        ("Authorization: Bearer token", None),
        ("Authorization: Bearer abc1{x}", None),
        ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
        ("Authorization: Basic short", None),
        (f"authorization = 'token {TOKEN}'", TOKEN),
        (f"bearer {TOKEN}", TOKEN),
        ("bearer abcdefghabcdefgh", None),
        (f"forbearer {TOKEN}", None),
        ("nothing of that kind here", None),
    ],
)
def test_the_secret_behind_its_name_is_found_and_nothing_else(text: str, secret: str | None) -> None:
    found = list(named(text))

    assert {text[each.start : each.end] for each in found} == (set() if secret is None else {secret})
    assert {each.kind for each in found} <= {Kind.SECRET}


def test_several_secrets_of_a_text_are_all_found() -> None:
    text = f"password: hunter2, token: {TOKEN}\npwd=Zima2024"

    assert [text[each.start : each.end] for each in named(text)] == ["hunter2", TOKEN, "Zima2024"]
