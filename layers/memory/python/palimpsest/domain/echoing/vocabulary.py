"""What the echo guard knows of English and Polish words; casefolded, without diacritics.

An entry that ends in ``*`` stands for all words that begin so.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _map(**senses: str) -> Mapping[str, str]:
    return MappingProxyType({word: sense for sense, words in senses.items() for word in words.split()})


FREE: Final = _set(
    """
    a an the this that these those there here of to in on at by for with from into onto as and but so too is are be
    am being do does did it its he him his she her hers they them their theirs we us our ours who whom whose which
    what where than then also w z ze na od o u i oraz ale zas ta ten te tego tej temu tym tych tymi tam tu jest sa
    jestem jestes sie ona ono oni one jego jej ich im mu go nia nim niej nich nimi jemu ktory ktora ktore ktorego
    ktorej ktorych ktorym ktorzy ktorą co czym czego ktos sobie swoj swoja swoje swoim swoich za po pod nad przy dla
    jako tez takze rowniez ani r roku rok
    """
)
"""Words that hold others together. Whether they are there or not is no news."""

FRAMES: Final = _set(
    """
    mentioned mention said say told tell remember recall recalled recap noted note reminder remind according based
    saved stored memory memories earlier before previously already know knew talked discussed talk conversation
    right yes ok okay well like just about my your you me i from what user have been sure indeed again record
    records recorded remembered stated shared per yesterday lately recently last time przypominam przypomnienie
    przypomniec przypomnialem przypomnialam wspomniales wspomnialas wspominales wspominalas wspomnial wspomniala
    mowiles mowilas mowil mowila powiedziales powiedzialas powiedzial powiedziala pamietam pamieci pamietac zgodnie
    podsumowujac rozmowe rozmowy rozmowa wczesniejsza wczesniej wczesniejszej nasza naszej zanotowane zanotowano
    zapisano zapisane zapisanych zapisanymi wspomnien wspomnieniami wspomnienia wedlug jak juz tak no ile dobrze mam
    wiem tego co z ty mi ja wczoraj ostatnio niedawno uzytkownik uzytkowniczka uzytkownika uzytkowniczki notatki
    notatkach notatek
    """
)
"""Words of a lead-in that says where the rest comes from, such as 'As you told me before,'."""

SPEECH: Final = _set(
    """
    mentioned said told remember recall recalled recap noted reminder remind according based stored memory memories
    talked discussed remembered recorded note przypominam przypomnienie przypomnialem przypomnialam wspomniales
    wspomnialas wspominales wspominalas wspomnial wspomniala mowiles mowilas mowil mowila powiedziales powiedzialas
    powiedzial powiedziala pamietam pamieci podsumowujac zanotowane zanotowano zapisano zapisane zapisanych
    wspomnien wspomnieniami wedlug
    """
)
"""Of these a lead-in has at least one."""

QUALIFIERS: Final = _set(
    """
    might may could should would want* wish* hope* plan plans planned planning intend* try tries tried trying rarely
    seldom sometimes almost nearly hardly barely only if unless except excluding until till maybe perhaps probably
    possibly likely used stopped stop stops former formerly ex longer about approximately around least most more
    less over under instead still yet now anymore since already just soon again once both either half moglby mogloby
    chcial* chce chca chcesz planuje planow* zamierz* probuje rzadko czasem czasami prawie ledwie tylko jesli jezeli
    chyba oprocz poza dopoki prawdopodobnie przestal* byly byla dawny dawniej okolo najmniej najwyzej wiecej mniej
    ponad zamiast nadal wciaz jeszcze teraz juz odtad dotad dopiero znowu niedawno wkrotce oba obie zwlaszcza
    szczegolnie other another inny inna inne
    """
)
"""They make what is said hold less, more, no longer or under a condition: neither to be added nor to be left out."""

ABBREVIATIONS: Final = _set(
    """
    mr mrs ms dr st prof sr jr vs no approx dept inc ltd jan feb mar apr aug sept sep oct nov dec mon tue tues wed
    thu thur thurs fri sat sun np ul al pl os im godz tel pon wt czw pt sob nd ndz mgr inz hab sw tzw ok min
    """
)
"""Words whose point ends no sentence."""

FRAME_BEGINS: Final = _set("according based wedlug zgodnie per")
"""Words that begin a lead-in which needs no comma behind it."""

DENIALS: Final = _map(
    never="never nigdy",
    nobody="nobody noone none nikt nikogo nikomu nikim zaden zadna zadne zadnego zadnej",
    nothing="nothing nic niczego niczym niczemu",
    without="without bez",
    nor="neither nor",
    lack="lack lacks lacking brak brakuje",
    deny="not no nt cannot nie forbidden prohibited banned zakazane zakazany zakazana zabronione",
)
"""Words that deny, and how."""

SHORT_DENIALS: Final[Mapping[str, str]] = MappingProxyType({"can": "can", "won": "will", "shan": "shall"})
"""What is left of a verb to which n't was joined, where it is not simply the rest."""

SHORT_IS: Final = _set("it he she that there what who here let")
"""Words after which 's means 'is'."""

ENDS: Final = _set("on in")
"""Free words that count when nothing follows them: switched on."""

HALVES: Final[Mapping[str, int]] = MappingProxyType({"pm": 12, "wieczorem": 12, "am": 0, "rano": 0})
"""Words behind an hour, and the hours that they add."""

PERSONS: Final = _map(
    does="you i me user users uzytkownik uzytkowniczka",
    has="your my mine yours twoj twoja twoje twojego twojej twoim moj moja moje mojego mojej moim user's users'",
)
"""Words for the one whose memory it is, as the one who does or as the one whose something is."""

TENSES: Final = _set("was were had did zostal zostala zostalo zostali zostaly byl bylo")
"""Helpers of the past: no more than a verb in the past says."""

COPULAS: Final = _map(en="is are was were been be", pl="jest sa zostal zostala zostalo zostaly")
"""Helpers of the passive, by language."""

PIVOTS: Final = _set("to from than od do niz z")
"""Small words that tell what stands on which side."""

NO_NAME_ENDINGS: Final = ("anie", "enie", "cja", "osc", "ing", "ion", "ment", "ness")
"""Of capitalised first words that are no names."""
