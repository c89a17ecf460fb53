"""All that may have to go from a text, each piece claimed once."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from palimpsest.domain.scrub import accounts, identity, mail, secret_names, secret_shapes, words
from palimpsest.domain.scrub.kinds import Found, Kind
from palimpsest.domain.scrub.reading import read

FindPhones = Callable[[str, Sequence[str]], Iterable[Found]]
"""The phone numbers in a text, given the regions whose own numbers are known."""

_HAS_PHONES = re.compile(r"\d[\d ()./\n\u2013-]{5,}\d", re.ASCII)
_HAS_NUMBERS = re.compile(r"(?:\d[ -]?){8}", re.ASCII)
"""What an account, a card or a number of a person has: eight digits in a row, or next to it."""

_ORDER = {kind: place for place, kind in enumerate(Kind)}


def recognise(
    text: str,
    find_phones: FindPhones,
    *,
    regions: Sequence[str] = (),
    listed: tuple[str, ...] = (),
    called: str = "",
) -> list[Found]:
    """What may have to go, in the order of the text, apart from each other; of two that overlap the first kind stays.

    Secrets that overlap are one. Pieces count in `text` as it is given, hidden characters included.

    Args:
        regions: Countries whose phone numbers are known without their prefix.
        listed: Words that have to go.
        called: The name that the text stands under, if it does: a ``phone`` is called one.
    """
    if called:
        before = f"{called}: "
        named = recognise(before + text, find_phones, regions=regions, listed=listed)
        inside = [piece for piece in named if piece.end > len(before)]
        return [Found(max(0, start - len(before)), end - len(before), kind) for start, end, kind in inside]
    reading = read(text)
    kept: list[Found] = []
    for each in _merged(sorted(_all(reading.text, find_phones, regions, listed), key=_claim)):
        place = bisect_left(kept, each)
        is_free = (place == 0 or kept[place - 1].end <= each.start) and (
            place == len(kept) or each.end <= kept[place].start
        )
        if is_free:
            kept.insert(place, each)
    return [Found(*reading.original(each.start, each.end), each.kind) for each in kept]


def _claim(found: Found) -> tuple[int, int, int]:
    """Who comes first: by kind, then by place, then the longer one."""
    return _ORDER[found.kind], found.start, -found.end


def _merged(claims: list[Found]) -> Iterator[Found]:
    """Secrets that overlap as one, so that no part of any stays; all others as they are."""
    secret: Found | None = None
    for each in claims:
        if each.kind is not Kind.SECRET:
            break
        if secret is None or secret.end <= each.start:
            if secret is not None:
                yield secret
            secret = each
        elif each.end > secret.end:
            secret = secret._replace(end=each.end)
    if secret is not None:
        yield secret
    yield from (each for each in claims if each.kind is not Kind.SECRET)


def _all(text: str, find_phones: FindPhones, regions: Sequence[str], listed: tuple[str, ...]) -> Iterator[Found]:
    yield from secret_shapes.shaped(text)
    yield from secret_names.named(text)
    yield from mail.addresses(text)
    if _HAS_PHONES.search(text):
        yield from find_phones(text, regions)
        if _HAS_NUMBERS.search(text):
            yield from accounts.accounts(text)
            yield from accounts.cards(text)
            yield from identity.identities(text)
    if listed:
        yield from words.listed_words(text, listed)
