"""The labelled texts of scrub say what is true: spans, checksums, counts. Checksums are written out here on purpose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.support.corpora import FOLDER, SEPARATOR, ScrubPositive, Span, scrub_negatives, scrub_positives

LANGUAGES = {"en", "pl", "mixed", "code"}
KINDS = {"phone", "email", "id", "iban", "card", "secret"}
POSITIVES = scrub_positives()
NEGATIVES = scrub_negatives()


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _is_pesel(digits: str) -> bool:
    month, day = int(digits[2:4]) % 20, int(digits[4:6])
    return (
        1 <= month <= 12
        and 1 <= day <= 31
        and (_weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) + int(digits[10])) % 10 == 0
    )


def _is_nip(digits: str) -> bool:
    return _weighted(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == int(digits[9])


def _is_regon(digits: str) -> bool:
    short = _weighted(digits, [8, 9, 2, 3, 4, 5, 6, 7]) % 11 % 10 == int(digits[8])
    long = len(digits) == 9 or (_weighted(digits, [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]) % 11 % 10 == int(digits[13]))
    return short and long


def _is_iban(text: str) -> bool:
    compact = re.sub(r"[^0-9A-Z]", "", text.upper())
    iban = compact if compact[:2].isalpha() else f"PL{compact}"
    return int("".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])) % 97 == 1


def _is_card(digits: str) -> bool:
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return 13 <= len(digits) <= 19 and sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def _is_right(value: str, kind: str) -> bool:
    digits = re.sub(r"\D", "", value)
    if kind == "id":
        check = {9: _is_regon, 10: _is_nip, 11: _is_pesel, 14: _is_regon}.get(len(digits))
        return check is not None and check(digits)
    if kind == "phone":
        return 9 <= len(digits) <= 15
    if kind == "email":
        return re.fullmatch(r"[^@\s]+@[^@\s]+\.[^\W\d]{2,}", value) is not None
    return {"iban": lambda: _is_iban(value), "card": lambda: _is_card(digits), "secret": lambda: len(value) >= 6}[
        kind
    ]()


def _rest(text: ScrubPositive) -> str:
    signs = list(text.text)
    for span in text.spans:
        signs[span.start : span.end] = "\n" * (span.end - span.start)
    return "".join(signs)


def _checked_numbers(text: str) -> list[str]:
    """Numbers in a text that pass the checksum of their length."""
    found = set()
    for run in re.findall(r"\d(?:[ -]?\d)*", text):
        for digits in {re.sub(r"\D", "", run), *re.findall(r"\d+", run)}:
            check = {10: _is_nip, 11: _is_pesel, 26: _is_iban}.get(len(digits), _is_card)
            if check(digits):
                found.add(digits)
    return sorted(found)


def _skeleton(text: str, spans: Sequence[Span] = ()) -> str:
    for span in reversed(spans):
        text = text[: span.start] + span.kind + text[span.end :]
    return re.sub(r"\d", "0", text).lower()


def test_there_are_enough_texts_of_each_sort() -> None:
    kinds = Counter(span.kind for text in POSITIVES for span in text.spans)
    secret = sum(any(span.kind == "secret" for span in text.spans) for text in POSITIVES)

    assert len(POSITIVES) >= 330
    assert len(NEGATIVES) >= 330
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 25
    assert 0.35 <= secret / len(POSITIVES) <= 0.45


@pytest.mark.parametrize("texts", [POSITIVES, NEGATIVES], ids=["positives", "negatives"])
def test_ids_and_texts_are_there_once_and_every_language_occurs(texts: Sequence[ScrubPositive]) -> None:
    assert len({text.id for text in texts}) == len(texts)
    assert len({text.text for text in texts}) == len(texts)
    assert {text.language for text in texts} == LANGUAGES


def test_at_most_five_texts_differ_in_nothing_but_digits_and_labelled_values() -> None:
    skeletons = Counter(_skeleton(text.text, text.spans) for text in POSITIVES)
    skeletons.update(_skeleton(text.text) for text in NEGATIVES)

    assert skeletons.most_common(1)[0][1] <= 5


def test_spans_are_ordered_apart_and_hold_no_space_at_their_ends() -> None:
    for text in POSITIVES:
        edges = [edge for span in text.spans for edge in (span.start, span.end)]

        assert text.spans
        assert edges == sorted(edges)
        assert edges[-1] <= len(text.text)
        for span in text.spans:
            value = text.text[span.start : span.end]
            assert value == value.strip() != "", text.id


def test_what_is_labelled_is_what_the_label_says() -> None:
    wrong = [
        (text.id, text.text[span.start : span.end])
        for text in POSITIVES
        for span in text.spans
        if not _is_right(text.text[span.start : span.end], span.kind)
    ]

    assert wrong == []


def test_nothing_that_has_to_stay_passes_a_checksum() -> None:
    rests = [(text.id, _rest(text)) for text in POSITIVES] + [(text.id, text.text) for text in NEGATIVES]

    assert {name: found for name, rest in rests if (found := _checked_numbers(rest))} == {}


def test_no_labelled_value_is_repeated_where_it_has_to_stay() -> None:
    for text in POSITIVES:
        rest = _rest(text)
        for span in text.spans:
            assert text.text[span.start : span.end] not in rest, text.id


def test_every_secret_is_kept_apart_in_the_file_and_whole_in_the_text() -> None:
    stored = (FOLDER / "scrub/positives.jsonl").read_text(encoding="utf-8")
    secrets = [text.text[span.start : span.end] for text in POSITIVES for span in text.spans if span.kind == "secret"]

    assert stored.count(SEPARATOR) == len(secrets)
    assert not any(SEPARATOR in text.text for text in POSITIVES)
    assert all(secret.replace("\n", "\\n") not in stored for secret in secrets)


def test_a_negative_says_what_it_tempts_to() -> None:
    assert all(text.why.strip() for text in NEGATIVES)
