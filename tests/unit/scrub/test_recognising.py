"""Pieces of texts that are not in the corpus: what is found, where it ends, and what is left alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.scrub.checksums import is_luhn, is_nip, is_pesel, is_regon
from palimpsest.domain.scrub.recognise import recognise
from tests.unit.scrub.conftest import find_phones

Find = Callable[..., list[tuple[str, str]]]
CUT_KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B"
TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Mój numer to 601 234 567.", [("phone", "601 234 567")]),
        ("phone: (22) 123-45-67", [("phone", "(22) 123-45-67")]),
        ("kontakt telefoniczny: 512345678", [("phone", "512345678")]),
        ("+44 (0)20 7946 0958 is London", [("phone", "+44 (0)20 7946 0958")]),
        ("(+48 601 234 567)", [("phone", "(+48 601 234 567)")]),
        ("+48 601 234 567 12 apples", [("phone", "+48 601 234 567")]),
        ("６０１ ２３４ ５６７", [("phone", "６０１ ２３４ ５６７")]),
        ("+48\u200b601\u200b234\u200b567\u200b!", [("phone", "+48\u200b601\u200b234\u200b567")]),
        ("jan.kowalski@gmail.com.", [("email", "jan.kowalski@gmail.com")]),
        ("44051401359", [("id", "44051401359")]),
        ("NIP 5260250274", [("id", "5260250274")]),
        ("konto 61 1090 1014 0000 0712 1981 2874", [("iban", "61 1090 1014 0000 0712 1981 2874")]),
        ("12 4111 1111 1111 1111 120 EUR", [("card", "4111 1111 1111 1111")]),
        ("Visa 4222222222222", [("card", "4222222222222")]),
        ("postgres://u:p4ssw0rd@h/db", [("secret", "p4ssw0rd")]),
        ("Hasło do routera to: Abc123!x", [("secret", "Abc123!x")]),
        ("Hasło - Kotek123", [("secret", "Kotek123")]),
        ("password: swordfish", [("secret", "swordfish")]),
        ("İ password: swordfish", [("secret", "swordfish")]),
        ("{'clientKey': '8f3a2b1c9d8e7f6a5b4c3d2e1f0a9b8c'}", [("secret", "8f3a2b1c9d8e7f6a5b4c3d2e1f0a9b8c")]),
        (f"TOKEN={TOKEN}", [("secret", TOKEN)]),
        ("Authorization: Bearer abc.def", [("secret", "abc.def")]),
        ("curl -H 'authorization: bearer s3same' x.example", [("secret", "s3same")]),
        ('{"Authorization": "Bearer 12ab-34cd"}', [("secret", "12ab-34cd")]),
        ("client secret: fuzzy-otter-9", [("secret", "fuzzy-otter-9")]),
        ("client_secret=Zx9kLm2p", [("secret", "Zx9kLm2p")]),
        ("GOOGLE_CLIENT_SECRET='opensesame'", [("secret", "opensesame")]),
        ('{"clientSecret": "Zx9kLm2p", "id": 1}', [("secret", "Zx9kLm2p")]),
        ("app secret = 7h1nk!", [("secret", "7h1nk!")]),
        (f"plm_{'0' * 26}_{'x' * 51}", [("secret", f"plm_{'0' * 26}_{'x' * 51}")]),
        (f"password={TOKEN}&user=1", [("secret", TOKEN)]),
        (f"{CUT_KEY}\ncut", [("secret", CUT_KEY)]),
    ],
)  # fmt: skip
def test_a_piece_is_found_from_its_begin_to_its_end(found: Find, text: str, pieces: list[tuple[str, str]]) -> None:
    assert found(text) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "Order 601 234 567, total 4111 units",
        "Grupa 22 123 45 67 osób",
        "Mamy 601234567 i nic więcej",
        "Sesja 20241130123055 i 1732966255",
        "git@github.com:org/repo.git",
        "ssh://jan.kowalski@files.example.org/home",
        "monkey: 4bf92f3577b34da6a3ce929d0e0e4736",
        "Idempotency-Key: 4bf92f3577b34da6a3ce929d0e0e4736",
        "password: &str",
        "password: z.string().min(8)",
        "The password: it's on the fridge",
        "Hasło: razem możemy więcej",
        "Authorization: Bearer YOUR_API_KEY",
        "Authorization: Bearer my-access-token",
        "Authorization: Bearer plm_<key id>_<secret>",
        "Authorization: Bearer authentication is what they use",
        "client_secret: str",
        "client_secret=google_client_secret, scope='x'",
        "client_secret=os.environ['X']",
        "client_secret=settings.client_secret",
        "client_secret: ${CLIENT_SECRET}",
        "The client secret: it's with Ola",
        "client_secret_post and client_secret_basic",
        "4006381333931",
        "the header says -----BEGIN PRIVATE KEY----- and so on",
        "[PHONE] [EMAIL] [ID] [IBAN] [CARD] password: [REDACTED]",
    ],
)
def test_what_only_looks_like_it_is_left_alone(found: Find, text: str) -> None:
    assert found(text) == []


def test_regions_decide_whose_numbers_are_known_without_their_prefix(found: Find) -> None:
    text = "call 020 7946 0958 or 601 234 567"

    assert found(text, regions=("GB",)) == [("phone", "020 7946 0958")]
    assert found("tel. 601 234 567", regions=()) == []
    assert found("tel. +48 601 234 567", regions=()) == [("phone", "+48 601 234 567")]


def test_a_listed_word_is_found_as_a_word_in_any_case_and_script(found: Find) -> None:
    words = ("Żółw", "big  corp", "tom", "")

    assert found("żółw i ŻÓŁWIE, Big\nCorp, tom, atom, Tom.", words=words) == [
        ("word", "żółw"),
        ("word", "Big\nCorp"),
        ("word", "tom"),
        ("word", "Tom"),
    ]


def test_a_piece_belongs_to_the_first_kind_that_claims_it(found: Find) -> None:
    assert found("login: jan, password: jan@example.org") == [("secret", "jan@example.org")]
    assert found("jan@example.org", words=("jan",)) == [("email", "jan@example.org")]


@given(st.text(alphabet="01234 56789-+()@.:=a\npPkł\u200b", max_size=120))
def test_pieces_are_ordered_apart_and_inside_the_text(text: str) -> None:
    edges = [edge for piece in recognise(text, find_phones, regions=("PL",)) for edge in (piece.start, piece.end)]

    assert edges == sorted(edges)
    assert not edges or (edges[0] >= 0 and edges[-1] <= len(text))


@given(st.integers(0, 10**11 - 1), st.integers(0, 9), st.integers(1, 9))
def test_one_wrong_digit_breaks_a_check_sum(number: int, place: int, change: int) -> None:
    digits = f"{number:011d}"
    other = digits[:place] + str((int(digits[place]) + change) % 10) + digits[place + 1 :]

    assert not (is_pesel(digits) and is_pesel(other))
    assert not (is_luhn(digits) and is_luhn(other))
    assert not (is_nip(digits[:10]) and is_nip(other[:10]))


@pytest.mark.parametrize(
    ("digits", "is_right"),
    [("44051401359", True), ("44051401358", False), ("44451401359", False), ("4405140135", False)],
)
def test_a_pesel_begins_with_a_day_that_there_was(digits: str, is_right: bool) -> None:
    assert is_pesel(digits) is is_right


def test_leap_years_have_their_day() -> None:
    born = [f"{year:02d}{month:02d}29" for year, month in ((0, 22), (0, 2), (0, 82), (4, 2), (5, 2))]

    assert [any(is_pesel(f"{day}{rest:05d}") for rest in range(100)) for day in born] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_registers_of_companies_have_nine_digits_or_fourteen() -> None:
    assert [is_regon(digits) for digits in ("123456785", "12345678512347", "123456784", "12345678512340", "12345")] == [
        True,
        True,
        False,
        False,
        False,
    ]
