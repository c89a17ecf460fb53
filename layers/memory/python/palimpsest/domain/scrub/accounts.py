"""Bank accounts and payment cards, by their shapes and check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palimpsest.domain.scrub.checksums import is_iban, is_luhn
from palimpsest.domain.scrub.kinds import Found, Kind

_COUNTRIES = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18
FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20
LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24
SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
"""
_LENGTHS = {text[:2]: int(text[2:]) for text in _COUNTRIES.split()}
"""How long the account numbers of each country are (SWIFT's IBAN registry)."""

_IBAN = re.compile(r"[A-Z]{2}\d{2}(?=(?:[ -]?[A-Z0-9]){11})", re.IGNORECASE | re.ASCII)
_POLISH = re.compile(r"(?<![\w.,-])\d{2}(?:\d{24}|(?P<apart>[ -])\d{4}(?:(?P=apart)\d{4}){5})(?![\w-])")

_CARD = re.compile(
    r"(?<![\w-])(?<!\d[.,])"
    r"(?=(?P<whole>\d{13,19})(?![\w-])(?![.,]\d)"
    r"|(?P<fours>\d{4}(?P<a>[ -])\d{4}(?P=a)\d{4}(?P=a)\d{4})(?P<rest>(?P=a)\d{1,3}(?!\w))?(?![\w-])(?![.,]\d)"
    r"|(?P<other>\d{4}(?P<b>[ -])\d{6}(?P=b)\d{4,5})(?![\w-])(?![.,]\d))",
    re.ASCII,
)
_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"  # Mastercard
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|35(?:2[89]|[3-8]\d)\d{12,15}"  # American Express, Diners, JCB
    r"|6(?:011|4[4-9]\d|5\d\d)\d{12,15}|62\d{14,17}|220[0-4]\d{12,15}"  # Discover, UnionPay, Mir
    r"|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{9,15}"  # Maestro
)
_CARD_WORDS = re.compile(r"card|visa|kart[aęyąo]|\bpan\b", re.IGNORECASE)
_OLD_VISA = 13
_NEAR = 40


def accounts(text: str) -> Iterator[Found]:
    """International account numbers, and Polish ones without their country."""
    for match in _IBAN.finditer(text):
        is_apart = match.start() == 0 or not text[match.start() - 1].isalnum()
        length = _LENGTHS.get(match[0][:2].upper()) if is_apart else None
        end = None if length is None else _end(text, match.start(), length)
        if end is not None and is_iban(_compact(text[match.start() : end])):
            yield Found(match.start(), end, Kind.IBAN)
    for match in _POLISH.finditer(text):
        if is_iban("PL" + _compact(match[0])):
            yield Found(match.start(), match.end(), Kind.IBAN)


def cards(text: str) -> Iterator[Found]:
    """Numbers of payment cards."""
    for match in _CARD.finditer(text):
        for length in _lengths(match):
            end = match.start() + length
            digits = _compact(text[match.start() : end])
            if _ISSUERS.fullmatch(digits) and is_luhn(digits) and not _is_article(text, match.start(), digits):
                yield Found(match.start(), end, Kind.CARD)
                break


def _lengths(match: re.Match[str]) -> list[int]:
    if match["fours"]:
        four = len(match["fours"])
        return [four + len(match["rest"]), four] if match["rest"] else [four]
    return [len(match["whole"] or match["other"])]


def _is_article(text: str, start: int, digits: str) -> bool:
    """Thirteen digits are far more often an article's bar code than one of the old Visa cards."""
    return len(digits) == _OLD_VISA and not _CARD_WORDS.search(text[max(0, start - _NEAR) : start])


def _end(text: str, start: int, length: int) -> int | None:
    """Where `length` letters and digits from `start` on end; None when a word goes on there."""
    place, seen = start, 0
    while place < len(text) and seen < length:
        seen += text[place].isalnum()
        place += 1
    goes_on = place < len(text) and (text[place].isalnum() or text[place] == "_")
    return place if seen == length and not goes_on else None


def _compact(text: str) -> str:
    return text.replace(" ", "").replace("-", "").upper()
