"""Polish, as `Lexicon` has it."""

from __future__ import annotations

from typing import Final

from palimpsest.domain.restating import wordlists
from palimpsest.domain.restating.lexicon import Lexicon

_DROPPED: Final = "to proszę że żeby aby wynosi już który która które tj czyli zaś roku r"
_JOINING: Final = "a i oraz ale lecz natomiast zaś choć"
_REASONS: Final = "because: bo ponieważ gdyż, if: jeśli jeżeli, when: gdy kiedy, so: więc dlatego zatem"
_PREPOSITIONS: Final = """
w: w we, na: na, do: do, od: od ode, z: z ze, za: za, po: po, pod: pod, nad: nad, przed: przed, przy: przy, przez:
przez,
dla: dla, o: o, u: u, bez: bez, ku: ku, między: między pomiędzy, wśród: wśród, obok: obok, koło: koło, poza: poza,
oprócz: oprócz prócz, według: według, mimo: mimo, zamiast: zamiast, podczas: podczas, spod: spod, sprzed: sprzed,
znad: znad,
niż: niż, jak: jak, jako: jako, przeciw: przeciw przeciwko, wokół: wokół, wewnątrz: wewnątrz
"""
_MODIFIERS: Final = """
not: nie, no longer: już_nie, not yet: jeszcze_nie, only: tylko jedynie wyłącznie, even: nawet, almost: prawie niemal,
all: każdy każda każde każdego każdej każdym każdą wszyscy wszystkie wszystkich wszystkim, some: niektórzy niektóre,
must: musi muszą muszę musimy, can: może mogą mogę możemy można,
should: powinien powinna powinno powinni powinny, need: trzeba należy, forbidden: nie_wolno, allowed: wolno,
at least: co_najmniej, at most: co_najwyżej, more than: ponad więcej_niż, less than: mniej_niż, more: bardziej więcej,
less: mniej, most: najbardziej najwięcej, least: najmniej, too: zbyt, very: bardzo, none: żaden żadna żadne żadnego
żadnej, both: oboje obaj obie,
half: pół połowa, would: by, other: inny inna inne innego innej
"""
_ADVERBS: Final = """
zawsze nigdy często czasami czasem rzadko zwykle zazwyczaj obecnie teraz jeszcze nadal znowu wkrótce potem najpierw
codziennie
także też również razem się każdego_ranka każdej_nocy dziś dzisiaj jutro wczoraj regularnie stale
"""
_AUXILIARIES: Final = """
be: jest są, be past: był była było byli były został została zostało zostali zostały, will: będzie będą będę będziemy
"""
_PHRASES: Final = """
już nie = już_nie; jeszcze nie = jeszcze_nie; nie wolno = nie_wolno; co najmniej = co_najmniej
co najwyżej = co_najwyżej
więcej niż = więcej_niż; mniej niż = mniej_niż; od czasu do czasu = czasami; co jakiś czas = czasami
pod warunkiem = jeśli
po tym jak = gdy; ma uczulenie na = jest uczulony na; ma alergię na = jest uczulony na
jest uczulona na = jest uczulony na
pochodzi z = jest z; pochodzi ze = jest ze; ma na imię = nazywa; wzięli ślub = pobrali się; kończy się = wygasa
skończy się = wygaśnie
pamięci ram = ram; nie jada = nie je; co noc = każdej_nocy; każdej nocy = każdej_nocy; codziennie rano = każdego_ranka
każdego ranka = każdego_ranka; co rano = każdego_ranka; wi-fi = wifi; w razie awarii = przy awarii; pamiętaj , =
pamiętaj że =
w produkcji = na produkcji; w tej chwili = teraz; nr =; numer =; po południu = popołudniu
"""
_ALIKE: Final = """
auto samochód, auta samochodu, autem samochodem, czasami czasem, zazwyczaj zwykle, teraz obecnie, nadal wciąż, również
też także,
skończyła ukończyła, skończył ukończył, zaczyna rozpoczyna rozpocznie zacznie, zaczęła rozpoczęła,
przyjeżdża przyjedzie, przychodzi przyjdzie, idzie pójdzie, wraca wróci, jedzie pojedzie, leci poleci, zostają
pozostają,
zostaje pozostaje, wabi nazywa, doktor dr, mieszkanie lokal, mieszka zamieszkuje, często nieraz,
kupuje nabywa, trzyma przechowuje, trzymamy przechowujemy, mama matka, tata ojciec,
szybko prędko
"""
_VERBS: Final = """
ma mają lubi lubią gra grają woli wolą mieszka mieszkają pracuje je jedzą pije piją chce chcą używa używają trzyma
trzymają działa
działają jeździ jeżdżą idzie idą przychodzi przychodzą wraca wracają uczy uczą zna znają wie wiedzą mówi mówią pisze
piszą czyta
czytają bierze biorą daje dają stoi stoją leży leżą siedzi śpi boi musi może trzeba prowadzi prowadzą zaczyna
rozpoczyna rozpocznie
zacznie przyjeżdża przyjedzie przyjdzie pójdzie pojedzie poleci odbierze odbiera kończy wygasa nosi noszą sprzedaje
kupuje kupi
wysyła wysyłają dostaje dostają otwiera zamyka pali palą pływa biega studiuje odpowiada wymaga wynosi kosztuje nazywa
wabi robi robią dzwoni dzwonią zmienia zmieniają kończy kończą
"""

POLISH: Final = Lexicon(
    dropped=wordlists.words(_DROPPED),
    joining=wordlists.words(_JOINING),
    reasons=wordlists.named(_REASONS),
    prepositions=wordlists.named(_PREPOSITIONS),
    timeless=frozenset({"w", "o"}),
    modifiers=wordlists.named(_MODIFIERS),
    adverbs=wordlists.words(_ADVERBS),
    auxiliaries=wordlists.marked(_AUXILIARIES),
    phrases=wordlists.phrases(_PHRASES),
    alike=wordlists.groups(_ALIKE),
    verbs=wordlists.words(_VERBS),
)
