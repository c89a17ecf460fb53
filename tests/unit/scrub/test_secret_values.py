"""What stands behind the name of a secret: told apart from types, blanks, paths, code and prose, at every edge."""

from __future__ import annotations

import pytest

from palimpsest.domain.scrub import secret_values as values

LONG = "aB1_cD2_" * 4
"""32 signs, mixed, with no part of eight letters and digits."""


@pytest.mark.parametrize(
    "value",
    [
        "<secret>",
        "{{ vault }}",
        "{value}",
        "%(password)s",
        "%PASSWORD%",
        "[REDACTED]",
        "${SECRET}",
        "$SECRET",
        "***",
        "...",
        "…",
        "xxxx",
        "XXX",
        "your_password",
        "your-key",
        "changeme",
        "abc***def",
        "begin${x}",
        "String",
        "(None),",
        "*char",
        "hasło",
    ],
)
def test_what_stands_in_for_a_secret_is_none(value: str) -> None:
    assert values.is_place_of_one(value)


@pytest.mark.parametrize("value", ["hunter2", "xx", "x1", "changeme2", "my<secret>", "strings", "$ECRET-1", "%ab", "["])
def test_a_secret_that_looks_a_little_like_a_blank_is_one(value: str) -> None:
    assert not values.is_place_of_one(value)


@pytest.mark.parametrize(
    ("value", "is_so"),
    [
        ("os.environ", True),
        ("Self::token", True),
        ("user->token", True),
        ("user?.token;", True),
        ("getenv(", True),
        ("settings[0]", True),
        ("settings", False),
        ("a b.c", False),
        ("1.password", False),
        ("Sun.day1!x", False),
    ],
)
def test_code_that_gets_a_secret_is_code(value: str, is_so: bool) -> None:
    assert values.is_code(value) is is_so


@pytest.mark.parametrize(
    ("value", "is_so"),
    [
        ("https://vault/secret", True),
        ("./secrets.txt", True),
        ("../secrets.txt", True),
        ("~/secrets", True),
        ("/etc/secrets", True),
        ("C:\\secrets", True),
        ("!vault", True),
        ("@secrets.txt", True),
        ("@s3cr3t-x", False),
        ("ARN:aws:secret", True),
        ("hunter2/x", False),
        ("/" + LONG[1:], False),
        ("/" + LONG[2:], True),
        ("/" + LONG[1:].lower(), True),
        ("/" + LONG[1:].upper(), True),
    ],
)
def test_a_path_says_where_a_secret_lies_unless_it_is_one_itself(value: str, is_so: bool) -> None:
    assert values.is_reference(value) is is_so


@pytest.mark.parametrize(
    ("value", "name", "is_so"),
    [
        ("google_client_secret", "client_secret", True),
        ("googleClientSecret", "client_secret", True),
        ("client_secret", "client_secret", True),
        ("secret", "client_secret", False),
        ("client_secret_1", "client_secret", True),
        ("client-secret", "client_secret", False),
        ("1client_secret", "client_secret", False),
        ("client_secret_of", "client_secret", False),
    ],
)
def test_a_variable_that_is_called_like_the_secret_is_none(value: str, name: str, is_so: bool) -> None:
    assert values.is_named_like(value, name) is is_so


@pytest.mark.parametrize(
    ("value", "is_so"),
    [
        ("abc.def1", True),
        ("abc1.", True),
        ("abc", False),
        ("plain", False),
        ("my-token-1", False),
        ("plm_", False),
        ("YOUR_API_KEY", False),
        ("${TOKEN1}", False),
        ("aBc1.def", True),
    ],
)
def test_what_a_header_sends_is_strong_and_no_word_of_prose(value: str, is_so: bool) -> None:
    assert values.is_sent(value) is is_so


@pytest.mark.parametrize(
    ("value", "is_so"),
    [
        ("abcdefg1abcdefgh", True),
        ("abcdefg1abcdefg", False),
        ("abcdefg1 bcdefgh", False),
        ("abcdefghabcdefgh", False),
        ("1234567812345678", False),
        ("abcdef1_abcdef1_", False),
        (LONG, True),
        (LONG[:-1], False),
        (LONG.lower(), False),
        (LONG.upper(), False),
    ],
)
def test_long_values_in_which_chance_put_letters_and_digits_are_random(value: str, is_so: bool) -> None:
    assert values.is_random(value) is is_so


@pytest.mark.parametrize(
    ("value", "is_so"),
    [
        ("ab1", False),
        ("abc1", True),
        ("abcd", False),
        ("Abcd", False),
        ("aBcd", True),
        ("ABCD", False),
        ("ABcd", True),
        ("ABCD!", False),
        ("word!", False),
        ("word?", False),
        ("word.", True),
        ("wo!rd", True),
        ("word!!", True),
        ("it's", False),
        ("it’s", False),
        ("a_bc", True),
        ("one-two", False),
        ("one-two-three", True),
        ("żółć", False),
    ],
)
def test_a_strong_value_is_no_word_of_a_language(value: str, is_so: bool) -> None:
    assert values.is_strong(value) is is_so


def test_a_password_has_at_least_four_characters() -> None:
    assert [values.is_long_enough("x" * length) for length in (3, 4, 5)] == [False, True, True]
