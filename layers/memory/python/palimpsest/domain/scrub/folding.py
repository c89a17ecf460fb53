"""A text as a model may read it: hidden characters gone, look-alike letters Latin, one space between words, small."""

from __future__ import annotations

import re
import unicodedata

_TAGS = re.compile("[\U000e0020-\U000e007e]")
_TAG_DISTANCE = 0xE0000
_COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")
_CYRILLIC = zip("абвгеԁһіјкӏмнорԛсѕтухԝѵьѡ", "a6bredhijklmhopqcstyxwvbw", strict=True)
_GREEK = zip("αγεηικνορτυχωϲ", "ayenikvoptuxwc", strict=True)
_LATIN = zip("ıɡɩʀɴʟᴀᴄᴅᴇɪᴊᴋᴍᴏᴘᴛᴜᴠᴡʏᴢꜱøđ", "igirnlacdeijkmoptuvwyzsod", strict=True)
_ALIKE = str.maketrans({**dict(_CYRILLIC), **dict(_GREEK), **dict(_LATIN)})
_POLISH = str.maketrans("ąćęłńóśźż", "acelnoszz")
_IS_ALIKE = re.compile("[" + "".join(map(chr, _ALIKE)) + "]")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)


def fold(text: str) -> str:
    """The text in the form in which patterns are looked for."""
    if text.isascii():
        return " ".join(text.lower().split())
    plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", text)).casefold()
    plain = _COMBINING.sub("", plain).replace("ł", "l")
    return " ".join(_IS_ALIKE.sub(lambda alike: _ALIKE[ord(alike[0])], plain).split())


def spelled(text: str) -> str:
    """The text in small letters without the marks of Polish ones, each where it stood."""
    return "".join(sign if len(sign) == 1 else sign[0] for sign in map(str.lower, text)).translate(_POLISH)


def tagged(text: str) -> str:
    """What is spelled in tag characters, which nobody sees and some models read."""
    return "".join(chr(ord(sign) - _TAG_DISTANCE) for sign in _TAGS.findall(text))
