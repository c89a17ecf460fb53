"""Scrub on its labelled texts: how much of what has to go goes, and how much goes that has to stay."""

from __future__ import annotations

from collections import Counter

from palimpsest.domain.scrub.instructions import marks
from palimpsest.domain.scrub.kinds import Found
from palimpsest.domain.scrub.markup import without_markup
from palimpsest.domain.scrub.recognise import recognise
from tests.support.corpora import Span, html_texts, injections, scrub_negatives, scrub_positives
from tests.unit.scrub.conftest import MARKUP, find_phones

WANTED = 0.98


def _pieces(text: str) -> list[Found]:
    return recognise(text, find_phones, regions=("PL",))


def _covers(pieces: list[Found], span: Span, text: str) -> bool:
    removed = {place for piece in pieces if piece.kind == span.kind for place in range(piece.start, piece.end)}
    return all(place in removed or not text[place].isalnum() for place in range(span.start, span.end))


def _touches(piece: Found, span: Span) -> bool:
    return piece.start < span.end and span.start < piece.end


def test_what_has_to_go_goes_and_little_else_does() -> None:
    labelled, hit, right, wrong = Counter[str](), Counter[str](), 0, list[str]()
    for text in scrub_positives():
        pieces = _pieces(text.text)
        for span in text.spans:
            labelled[span.kind] += 1
            hit[span.kind] += _covers(pieces, span, text.text)
        touching = [piece for piece in pieces if any(_touches(piece, span) for span in text.spans)]
        right += len(touching)
        wrong += [text.id] * (len(pieces) - len(touching))
    for negative in scrub_negatives():
        wrong += [negative.id] * len(_pieces(negative.text))

    assert hit.total() / labelled.total() >= WANTED
    assert right / (right + len(wrong)) >= WANTED, wrong
    assert {kind: hit[kind] / count for kind, count in labelled.items() if hit[kind] / count < WANTED} == {}


def test_html_is_read_as_a_reader_reads_it_and_what_only_looks_like_it_stays() -> None:
    wrong = {}
    for text in html_texts():
        clean = without_markup(text.text, MARKUP.to_text)
        is_same = clean == text.text if text.clean == text.text else clean.split() == text.clean.split()
        if not is_same:
            wrong[text.id] = clean

    assert wrong == {}


def test_hidden_instructions_are_marked_with_their_patterns_and_harmless_texts_are_not() -> None:
    wrong = {}
    for text in injections():
        found = {each.pattern or str(each.mark) for each in marks(text.text, without_markup(text.text, MARKUP.to_text))}
        if not set(text.patterns) <= found or (found and not text.patterns):
            wrong[text.id] = found

    assert wrong == {}
