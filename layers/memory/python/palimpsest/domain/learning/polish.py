"""How Polish states preferences, decisions, attributes and what happened. All patterns read plain text."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from palimpsest.domain.learning import polish_words as words
from palimpsest.domain.learning.rules import Grammar, Kind, compiled

_OWN_LIKES: Final = (
    r"\b(?:(?:nie )?(?:lubie|lubimy|kocham|kochamy|wole|wolimy|preferuje|preferujemy)|uwielbiam|uwielbiamy|nienawidze|"
    r"nienawidzimy|nie (?:znosze|znosimy|cierpie|cierpimy|trawie|przepadam za|przepadamy za)|jestem fank?\w+){object}"
    r"|\bnie (?:lubie|znosze|cierpie), (?:jak|kiedy|gdy) \w+"
    r"|^(?!(?:to|go|ja|ich|tego|jej|tez|bardzo|nie|sam|wtedy)\b)\w{3,}(?: \w+)? (?:nie )?(?:bardzo )?(?:lubie|"
    r"znosze|cierpie|uwielbiam)$"
)
_TOLD_LIKES: Final = (
    r"^ (?:bardzo |strasznie |najbardziej |tez )?(?:(?:nie )?(?:lubi|kocha|woli|preferuje)|uwielbia|nienawidzi|"
    r"nie (?:znosi|cierpi|trawi|przepada za)){object}"
)
_ASKED: Final = (
    r"(?:\b(?:zawsze|nigdy|od teraz|na przyszlosc|od dzis|odtad) (?:\w+ ){0,2}?(?:{directives})\b"
    r"|\b(?:{directives})\b.* (?:zawsze|od teraz|na przyszlosc|odtad)\b)"
    r"|^(?:moj|moja|moje) ulubion\w+ \w+ (?:to|jest)\b"
)
_DECIDED: Final = (
    r"\b(?:zdecydowal(?:am|em)|zdecydowa(?:lismy|lysmy)|postanowil(?:am|em)|postanowi(?:lismy|lysmy)|wybral(?:am|em)|"
    r"wybra(?:lismy|lysmy)|ustali(?:lismy|lysmy)|uzgodni(?:lismy|lysmy)|zrezygnowal(?:am|em)|"
    r"zrezygnowa(?:lismy|lysmy)|stan(?:elo|ęło) na|zostajemy (?:na|przy|w|z)|zostaje (?:przy|w|na)|"
    r"rezygnuj(?:e|emy) z|stawiam(?:y)? na|wybieram(?:y)?|decyduj(?:e|emy) sie na|przechodzimy na|idziemy w|"
    r"odpuszczam(?:y)?|rezygnujemy z)(?:, ze \w|{object})"
)
_TOLD_DECIDED: Final = r"^ (?:juz )?(?:zdecydowala?|postanowila?|wybrala?|zrezygnowala?){object}"
_STATE: Final = (
    r"(?:jestem|jestesmy)(?: \w+)? (?:uczulon\w*|{roles}|w ciazy|po rozwodzie|na emeryturze|na diecie|"
    r"na macierzynskim|z zawodu|z wyksztalcenia|(?:od urodzenia )?z [a-z]+(?:a|i|y|owa|owic))\b"
)
_TOLD_STATE: Final = r"^ (?:jest|sa)(?: \w+)? (?:uczulon\w*|{roles}|w ciazy|po rozwodzie|na emeryturze|na diecie)\b"
_HAS: Final = r"(?:nie )?(?:mam|mamy) (?:po \w+ )?(?:\w+ ){0,2}?(?:{owned}|{lengths})\b"
_TOLD_HAS: Final = r"^ (?:nie )?(?:ma|maja) (?:\w+ ){0,2}?(?:{owned}|{lengths})\b"
_PLACE: Final = (
    r"\b(?:w|we|na|z|pod|przy) .*\b(?:mieszkam|mieszkamy)\b|\b(?:mieszkam|mieszkamy|pracuje|pracujemy|studiuje|"
    r"studiujemy) (?:(?:juz|teraz|obecnie|tu|tutaj|glownie|razem) )?"
    r"(?:w|we|na|z|ze|jako|dla|od|u|przy|pod|zdalnie|zmianowo|tu|tutaj|samotnie|sam|sama)\b"
)
_TOLD_PLACE: Final = (
    r"^ (?:mieszka|pracuje|studiuje|mieszkaja|pracuja|studiuja) (?:(?:juz|teraz|obecnie) )?(?:w|we|na|z|jako|"
    r"dla|od|u|przy|pod|zdalnie)\b"
)
_SHUNNED: Final = (
    r"\bnie (?:jem|jemy|jadam|jadamy|pije|pijemy|pale|palimy|jezdze|jezdzimy|biegam|biegamy|gram|gramy|nosze|ogladam|"
    r"ogladamy|uzywam|uzywamy|latam|latamy|chodze|plywam|slodze|pracuje|pracujemy|kupuje|kupujemy|toleruje|tanczy|"
    r"tancze|spiewam|czytam|wdrazamy){object}|\bnie (?:moge|mozemy|wolno mi) (?:jesc|pic|biegac|brac|jezdzic|"
    r"dzwigac){object}"
)
_TOLD_SHUNNED: Final = r"^ nie (?:je|jada|pije|pali|jezdzi|biega|nosi|oglada|uzywa|lata|toleruje){object}"
_HABITS: Final = (
    r"\b(?:mowie (?:\w+ )?po|ucze sie|uczymy sie|gram (?:na|w)|gramy (?:na|w)|trenuje|trenujemy|uprawiam|"
    r"uprawiamy|zbieram|hoduje|hodujemy|remontujemy|remontuje|budujemy|uzywamy|uzywam|jezdze (?:na|do|w|z)|jezdzimy|"
    r"wynajmuje|wynajmujemy|prowadze|prowadzimy|zarabiam|choruje na|lecze sie|dojezdzam|jadam|biegam|plywam|wdrazamy|"
    r"chodze (?:na|do)|chodzimy (?:na|do)|wychowuje|wychowujemy|opiekuje sie|szukam (?:pracy|mieszkania|dzialki)|"
    r"szukamy (?:mieszkania|dzialki|domu)|boje sie|interesuje sie|robie (?:prawo jazdy|doktorat|studia|kurs)|biore "
    r"(?:leki|tabletki|insuline|antybiotyk)|planuje|planujemy|zamierzam|"
    r"zamierzamy|oszczedzam(?:y)? na){object}|^(?:moj|nasz) budzet|^budzet (?:to|mam|mamy)|\bjestesmy w (?:\w+)ke$"
    r"|\bod (?:\w+ )?(?:lat|roku|lata|miesiaca|miesiecy) \w+(?:am|amy|imy|emy|uje|ze|e)\b"
)
_TOLD_HABITS: Final = (
    r"^ (?:mowi (?:\w+ )?po|uczy sie|gra (?:na|w)|trenuje|uprawia|zbiera|hoduje|choruje na|chodzi (?:na|do)){object}"
)
_DOES_OFTEN: Final = r"(?=.*\b(?:{often})\b).*\b{present}\b"


_OWN: Final = (
    (Kind.PREFERENCE, _ASKED),
    (Kind.DECISION, _DECIDED),
    (Kind.PREFERENCE, _OWN_LIKES),
    (Kind.ATTRIBUTE, r"\b" + _STATE),
    (Kind.ATTRIBUTE, r"\b" + _HAS),
    (Kind.ATTRIBUTE, _PLACE),
    (Kind.ATTRIBUTE, _SHUNNED),
    (Kind.ATTRIBUTE, _HABITS),
    (Kind.ATTRIBUTE, _DOES_OFTEN),
    (Kind.EVENT, words.WORKED),
)
_TOLD: Final = (
    (Kind.DECISION, _TOLD_DECIDED),
    (Kind.PREFERENCE, _TOLD_LIKES),
    (Kind.ATTRIBUTE, _TOLD_STATE),
    (Kind.ATTRIBUTE, _TOLD_HAS),
    (Kind.ATTRIBUTE, _TOLD_PLACE),
    (Kind.ATTRIBUTE, _TOLD_SHUNNED),
    (Kind.ATTRIBUTE, _TOLD_HABITS),
)


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """All that is read of Polish."""
    parts = _parts()
    return Grammar(
        own=tuple((kind, compiled(pattern, **parts)) for kind, pattern in _OWN),
        told=tuple((kind, compiled(pattern, **parts)) for kind, pattern in _TOLD),
        past=compiled(
            r"\b{ended}\b|\b\w{3,}(?:al|ala|il|ila|yl|yla|ali|aly|ili|ily|eli|ely|szedl|szla|zl|zla)\b", **parts
        ),
        own_dated=compiled(
            r"\b(?:{ended}|{going})\b|\b(?:jest|sa|odbedzie sie|bedzie)\b|^\w{3,}(?: \w+)? (?:zaczyna sie|konczy "
            r"sie|startuje|"
            r"przychodzi|przyjezdza|przylatuje|wchodzi|wypada|wygasa|byl|byla|bylo|zaczyna|konczy)\b",
            **parts,
        ),
        told_dated=compiled(r"^ (?:sie )?\w+"),
        trifles=compiled(words.TRIFLES),
    )


def _parts() -> dict[str, str]:
    """Those first that hold others."""
    return {
        "ended": words.ENDED,
        "object": words.OBJECT,
        "directives": words.DIRECTIVES,
        "roles": words.ROLES,
        "owned": words.OWNED,
        "lengths": words.LENGTHS,
        "often": words.OFTEN,
        "present": words.PRESENT,
        "going": words.GOING,
        "nouns": words.NOUNS,
    }
