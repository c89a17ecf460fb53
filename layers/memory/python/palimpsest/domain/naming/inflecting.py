"""What the base form of an inflected Polish name may be.

The stemmers of `domain.language` keep the cases of a name apart (``latarn`` and ``latarni``, ``jir`` and ``jirz``), so
endings are undone here. That gives more forms than are right; they are only looked up among names, never believed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_ENDINGS: Final = """
dzie: da d dzia, cie: ta t cia, nie: na n nia, rze: ra r rza ro, le: ła ł la l ło eł, śle: sła, ce: ka, dze: ga,
sze: cha, bie: ba b, pie: pa p, wie: wa w, mie: ma m mię, fie: fa f, sie: sa s, zie: za z, ście: sta st, śnie: sna,
źnie: zna, ździe: zda zd, dle: dła, tle: tła, że: ga ża, ie: o ia
y: a @, i: a ia @, źnie: zno, ćka: ciek, ćkiem: ciek, ćkowi: ciek, ńka: niek, ńkiem: niek,  ę: a, ą: a, ii: ia, ji: ja,
ie: ia
ki: ka ek, gi: ga, ością: ość, ści: ść, dzi: dź, odzi: ódź, ci: ć, zi: ź, ni: ń nia, li: l la, rzy: rz rza, zy: z sz za
a: @ o e, u: @ o e, em: @ o e, owi: @, iem: @ o, ie: @, om: @ y i e a, ami: @ y i e a, ach: y i e a, ów: @ y i
ka: ek, ku: ek, kiem: ek, kowi: ek, ła: eł, łu: eł, łem: eł, łowi: eł, ra: er, rem: er, rowi: er, ru: er
nia: ń eń, niu: ń eń, niem: ń eń, niowi: ń, cia: ć, ciem: ć, ciowi: ć, dzia: dź, dziem: dź, siu: ś sio, sia: ś
ca: ec iec, cu: ec iec, cem: ec iec, cowi: ec iec, biu: b, bia: b, pia: p, piu: p, wiu: w, miu: m, mia: m, ściu: ść,
ścia: ść, wia: w, ia: io, iu: io
owa: ów, owu: ów, owem: ów, owowi: ów, owie: ów, odu: ód, odem: ód, ogu: óg, ołu: ół, oru: ór, oza: óz
ksa: x, ksu: x, ksem: x, ksie: x, ksowi: x, ksy: x
ego: y i e, emu: y i e, ym: y e, im: i ie, ej: a, iej: ia a, ich: ie i, ych: e y, ą: a, ymi: e y, imi: ie i, m: @
c: ca ce, w: wa wy, n: na ny, k: ka ki, t: ta ty, d: da dy, r: ra ry, l: le la, b: ba by
'a: @, 'em: @, 'u: @, 'owi: @, 'ie: @, ’a: @, ’em: @, ’u: @, ’owi: @, 'y: @, 'ego: @, 'emu: @, 'm: @, ’ego: @
-a: @, -em: @, -u: @, -ie: @, -owi: @, -ze: @, -ów: @, -y: @, -ka: @
"""
_IRREGULAR: Final = {
    "białegostoku": "białystok",
    "białymstoku": "białystok",
    "zakopanem": "zakopane",
    "niemczech": "niemcy",
    "włoszech": "włochy",
    "węgrzech": "węgry",
    "tychach": "tychy",
    "tychów": "tychy",
}
_LONGEST_ENDING = 5


def _parsed() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for each in _ENDINGS.replace("\n", ",").split(","):
        ending, _, replacements = each.strip().partition(": ")
        if ending:
            old = found.get(ending, ())
            found[ending] = old + tuple(new.strip("@") for new in replacements.split())
    return found


_RULES: Final = _parsed()


@lru_cache(maxsize=8192)
def bases(word: str) -> tuple[str, ...]:
    """The casefolded `word`, then what it may be a form of; some are no words at all."""
    if len(word) < 3:
        return (word,)
    found = [word]
    if word in _IRREGULAR:
        found.append(_IRREGULAR[word])
    for length in range(min(_LONGEST_ENDING, len(word) - 1), 0, -1):
        stem = word[:-length]
        found += [stem + new for new in _RULES.get(word[-length:], ()) if len(stem + new) > 1]
    return tuple(dict.fromkeys(found))
