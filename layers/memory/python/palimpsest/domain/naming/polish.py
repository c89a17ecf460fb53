"""What Polish sentences state, rule by rule."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from palimpsest.domain.naming.kinds_of_words import ACQUAINTANCES, CLASS_OF, KIN, PETS
from palimpsest.domain.naming.polish_rules import RULES
from palimpsest.domain.naming.rules import Rule, alternatives, by_word, compile_rules

_ADJECTIVES: Final = """
starszy starsza starszego starszą starszej młodszy młodsza młodszego młodszą młodszej najstarszy najstarsza najmłodszy
najmłodsza mały mała małego małą duży duża stary stara starego starą nowy nowa nowego nową najlepszy najlepsza
najlepszego najlepszą dobry dobra dobrego dobrą dobrzy bliźni pierwszy pierwsza drugi druga zmarły zmarła świętej
pamięci kochany kochana czarny czarna biały biała rudy ruda szary szara dwie dwa dwoje trzy cztery
"""
_MADE: Final = """
napisał stworzył zbudował założył zaprojektował wymyślił skomponował namalował opracował zaprogramował współtworzył
"""
_DOING: Final = """
trzymam trzymamy piszę piszemy zapisuję zapisujemy notuję notujemy planuję planujemy płacę płacimy programuję
programujemy prowadzę kupuję kupujemy słucham czytam oglądam rysuję koduję hostuję testuję monitoruję projektuję
edytuję przechowuję przechowujemy robię robimy zamawiam rozliczam śledzę uczę kompiluję wdrażam synchronizuję
"""
_WENT: Final = """
był była byli były uczestniczył uczestniczyła uczestniczyli uczestniczyły wystąpił wystąpiła wystąpili występował
występowała brał brała brali wziął wzięła wzięli przebiegł przebiegła pobiegł pobiegła mówił mówiła prowadził prowadziła
"""
_I_WENT: Final = """
byłem byłam byliśmy byłyśmy uczestniczyłem uczestniczyłam uczestniczyliśmy wystąpiłem wystąpiłam wystąpiliśmy brałem
brałam braliśmy wziąłem wzięłam wzięliśmy przebiegłem przebiegłam pobiegłem pobiegłam
"""
_FAVOURITES: Final = "ulubionym ulubioną ulubiony ulubiona ulubione ulubionymi"

_MACROS: Final = {
    "adv": r"(?:(?:też|także|również|teraz|obecnie|nadal|wciąż|zawsze|zwykle|od lat|dziś|dzisiaj|głównie|razem|oboje|"
    r"obaj|obie|na co dzień|po godzinach|się|osobiście|dobrze|stale|często|w całości|sam|sama|w \d{4}|już|wspólnie) )*",
    "app": r"(?: , [^«».,;]{2,40} ,)?",
    "adj": alternatives(_ADJECTIVES.split()),
    "count": r"(?:jeden|jedna|jednego|jedną|dwie|dwa|dwóch|trzy|cztery|swojego|swoją)",
    "pet": alternatives(PETS.split()),
    "kin": f"(?P<k>{alternatives(KIN)})",
    "friend_base": f"(?P<k>{alternatives(sorted(word.replace(' ', '_') for word in set(ACQUAINTANCES.values())))})",
    "kin_base": f"(?P<k>{alternatives(sorted({*KIN.values()} - {'partner', 'partnerka'}))})",
    "friend": f"(?P<k>{alternatives(ACQUAINTANCES)})",
    "class": alternatives(CLASS_OF),
    "firm": r"(?:firmie|spółce|zespole|klubie|banku|szpitalu|fundacji)",
    "at": r"(?:w|we|dla|u|na) ",
    "device": r"(?:czytnik|telefon|laptop|tablet|zegarek|konsolę|drukarkę|rower|komputer|aparat)",
    "made": f"(?:{'|'.join(_MADE.split())})(?:a|i|y)?",
    "i_made": f"(?:{'|'.join(word[:-1] + 'ł' for word in _MADE.split())})(?:em|am)",
    "doing": alternatives(_DOING.split()),
    "group": r"(?:chórze|zespole|orkiestrze|klubie|drużynie|kapeli|grupie)",
    "fav": alternatives(_FAVOURITES.split()),
    "stop": r"(?= [.,;:!?)]| i| a| oraz| ale| z| ze| od| do| na| w| we| bo| który| która| dla|$)",
}
_WORDS: Final = {
    "kin_bases": " ".join(sorted(set(KIN.values()))),
    "made_words": " ".join(word + ending for word in _MADE.split() for ending in ("", "a", "i", "y")),
    "i_made_words": " ".join(word + ending for word in _MADE.split() for ending in ("em", "am")),
    "doing_words": " ".join(_DOING.split()),
    "went_words": " ".join(_WENT.split()),
    "i_went_words": " ".join(_I_WENT.split()),
    "fav_words": _FAVOURITES,
}


@lru_cache(maxsize=1)
def rules() -> dict[str, tuple[Rule, ...]]:
    """The rules by the words that call for them."""
    text = RULES
    for name, words in _WORDS.items():
        text = text.replace(f"{{{name}}} |", f"{words} |")
    return by_word(compile_rules(text, _MACROS))
