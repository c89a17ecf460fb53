"""Words beside a number that say whether it is a phone's."""

from __future__ import annotations

import re
from enum import Enum, auto


class Label(Enum):
    """What the words before a number call it."""

    PHONE = auto()
    OTHER = auto()


_PHONE_WORDS = """
tel telephone kom komórka komórkę komórki komorka komorke phone phones smartphone mobile cell call called dial ring fax
faks whatsapp viber signal contact gsm hotline infolinia pager dzwoń dzwon
"""
_PHONE_BEGINNINGS = """
sms telefon komórkow komorkow kontakt faks dzwoni zadzwo oddzwo przedzwo zatelefon oddzwani
"""
_OTHER_WORDS = """
zam order orders ticket tickets invoice części sku id ids nip regon krs pesel kod kodu case meter serial sum suma sumy
price amount total parcel tracking byte bytes version draw score population saldo isbn konto konta account meeting
webinar ref vol part row line page from size
"""
_OTHER_BEGINNINGS = """
zamów zamow faktur polis katalog catalog licznik budż budget kwot koszt cena ceny cenę przychód przychody przychodów
revenue paczk przesył wersj odszkod rachun referenc volum
"""
_PHONE, _PHONE_STEMS = frozenset(_PHONE_WORDS.split()), tuple(_PHONE_BEGINNINGS.split())
_OTHER, _OTHER_STEMS = frozenset(_OTHER_WORDS.split()), tuple(_OTHER_BEGINNINGS.split())
_WORD = re.compile(r"[^\W\d_]+|[\u260e\U0001f4de\U0001f4f1]|\n")
_SIGNS = frozenset("\u260e\U0001f4de\U0001f4f1")
_NEAR = 40

_GOES_ON = re.compile(r"[ ]?[\w%$€£+*=]|[ ]-|[.,:]\d|[\])]?\[|\]")


def label_before(text: str, place: int) -> Label | None:
    """The nearest word before the place that calls a number something; what is no phone's counts on its line alone."""
    found = None
    for word in _WORD.findall(text[max(0, place - _NEAR) : place].lower()):
        if word == "\n":
            found = None if found is Label.OTHER else found
        elif word in _PHONE or word in _SIGNS or word.startswith(_PHONE_STEMS):
            found = Label.PHONE
        elif word in _OTHER or word.startswith(_OTHER_STEMS):
            found = Label.OTHER
    return found


def follows_number(text: str, place: int) -> bool:
    """What goes on at the place makes a number before it an amount, a size or a part of something longer."""
    return _GOES_ON.match(text, place) is not None
