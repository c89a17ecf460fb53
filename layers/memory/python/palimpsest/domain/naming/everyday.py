"""The dictionary of names that everybody knows as an index, and words that no name is made of."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from palimpsest.domain import stop_words
from palimpsest.domain.naming import dictionary
from palimpsest.domain.naming.kinds_of_words import ACQUAINTANCES, CLASS_OF, KIN
from palimpsest.domain.naming.known import KnownName, NameIndex
from palimpsest.domain.restating.wordlists import words

_STARTS: Final = """
yes no ok okay hi hello hey dear thanks thank please sorry well so yet still also then there here today tomorrow
yesterday tonight now later soon maybe perhaps however therefore meanwhile instead since because although though while
after before during every each everyone everybody everything someone somebody something anyone anybody nobody nothing
none both either neither many most some few several another other others one two three four five first second third last
next new old let lets let's don't do does did can could should would will may might must is are was were have has had if
when where why who what which how add ask call check close come commit create delete draft drop find fix follow get give
hand help hold install keep leave listen look make mark meet move note notes open order pay ping plan please push put
read remember reply report reset restart return review run save say see send set share show sign skip speak start stop
switch take talk tell test thank think todo try turn update use wait walk watch work write wrote went got saw spent just
only even not never always often sometimes usually apparently obviously actually honestly currently recently finally
mum mom mother dad father grandma grandpa sister brother daughter son aunt uncle cousin wife husband friend friends
people team staff marketing sales engineering support management minutes agenda invoice payment budget meeting standup
lunch dinner breakfast monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december spring summer autumn winter christmas easter best kind regards love happy
great good bad nice error warning info api user users customer customers max min total rumour rumor according
tak nie cześć hej dzień dobry dziękuję dzięki proszę przepraszam może chyba podobno ponoć dziś dzisiaj jutro wczoraj
teraz potem później wkrótce kiedyś nigdy zawsze często czasem zwykle ostatnio niedawno obecnie każdy każda każde nikt
nic ktoś coś wszyscy wszystko wszystkie jeden jedna dwa dwie trzy cztery pięć pierwszy druga trzeci ostatni nowy nowa
stary stara dodaj zapytaj zadzwoń sprawdź zamknij otwórz napisz wyślij weź daj zrób ustaw usuń pamiętaj przypomnij kup
mama tata ojciec matka siostra brat córka syn ciocia ciotka wujek babcia dziadek żona mąż znajomy znajoma znajomi
sąsiad sąsiadka szef szefowa kolega koleżanka przyjaciel przyjaciółka pan pani państwo faktura spotkanie budżet plan
trasa termin lot start cel poniedziałek wtorek środa czwartek piątek sobota niedziela styczeń luty marzec kwiecień maj
czerwiec lipiec sierpień wrzesień październik listopad grudzień wiosną latem jesienią zimą gdyby gdybym gdybyś skoro
ponieważ chociaż choć mimo wprawdzie niestety oczywiście właściwie raczej wolę mam mamy lubię używam używamy pracuję
pracujemy mieszkam mieszkamy znam znamy jestem jesteśmy byłem byłam byliśmy brałem brałam napisałem napisałam kupiłem
kupiłam mój moja moje moi moim moją nasz nasza nasze nasi naszym naszą jego jej ich ale albo oraz czyli zatem dlatego
ani lecz bądź natomiast zaś oby niech
"""
_NO_NAMES: Final = """
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
january february march april june july august september october november december english polish german french spanish
italian portuguese dutch swedish norwegian danish finnish czech slovak russian ukrainian chinese japanese korean arabic
hindi latin greek turkish hungarian american british european african asian irish scottish welsh canadian australian
mexican indian christmas easter thanksgiving halloween i i'm api apis json http https xml html css pdf csv sql yaml toml
rest url urls uri utf-8 ascii tcp udp ip dns ssl tls ssh ftp smtp imap jwt oauth sso cpu gpu ram ssd hdd usb wifi wi-fi
lan vpn ui ux ci cd qa pr prs ok todo fixme eur usd gbp pln chf q1 q2 q3 q4 am pm faq id ids ceo cto cfo hr it tv dvd
ai ml nlp mcp sdk cli ide orm crud etl kpi okr roi b2b asap fyi eta imo iso nasa's gdpr rodo nip pesel vat phd mba
god lord jesus bible mr mrs ms dr prof sir madam pan pani ci ciebie ty tobie twój twoja twoje wam was państwo
mom mum dad mama tata grandma grandpa mommy daddy auntie uncle aunt
user users użytkownik użytkowniczka użytkownika
"""
_HEADINGS: Final = """
action items item notes note minutes agenda sprint sprintu goal goals cel cele regulamin konkursu konkurs plan weekly
daily standup meeting retro retrospective summary table figure chapter section terms policy privacy conditions questions
regards wishes dear happy merry year christmas easter new release changelog roadmap backlog todo done status report
open issues known decisions decision next steps step follow-up overview introduction appendix contents budget price list
lista zadań zadania notatki protokół porządek obrad podsumowanie raport spis treści rozdział tabela uwagi wnioski
polityka prywatności warunki pytania decyzje otwarte kwestie następne kroki najlepsze życzenia szczęśliwego nowego roku
working hours office quality customer service terms use house rules zasady domu
"""

TITLES: Final = words("mr mrs ms miss dr doctor prof professor sir uncle aunt auntie pan pani doktor profesor ksiądz")
STARTS: Final = words(_STARTS) | stop_words.ENGLISH | (stop_words.POLISH - {"sam"}) | {*KIN, *ACQUAINTANCES, *CLASS_OF}
"""Words that begin sentences and are no names."""

NO_NAMES: Final = words(_NO_NAMES)
"""Capitalised words that are no names, wherever they stand."""

HEADINGS: Final = words(_HEADINGS)
"""Words of headings: what has one is no name, however often it is seen."""

EVERYDAY: Final = words(
    """
    go slack notion rust swift signal linear teams spark flow dart rest meet loop box drive pages numbers keep chrome
    edge
    helix canvas front arc bear things craft zed mark max may will bill rose grace hope joy frank art pat drew grant
    chase faith summer autumn dawn march april june august rich rob sue skip guy penny ray miles jack
    """
) | words(dictionary.SHORT_NAMES.casefold() + dictionary.DOUBTFUL.casefold())
"""Names that are everyday words, too; at the start of a sentence they have to be followed by a verb."""

VERBS_AFTER_NAMES: Final = words(
    """
    is was has had works worked lives lived likes loves wants wanted said says thinks thought knows prefers uses used
    and
    runs leads wrote built made owns keeps went came asked told called sent found needs plays moved joined left 's will
    can could should would does did doesn't isn't wasn't hasn't i oraz jest był była ma miał miała pracuje mieszka lubi
    woli używa zna wie mówi mówił mówiła powiedział powiedziała chce chciał chciała napisał napisała
    """
)
MONTH_BEFORE: Final = words(
    "in before after since until till by of this next last early late mid from to end between and"
)
MONTHS: Final = words("january february march april may june july august september october november december")

SEASONS: Final = words("spring summer autumn winter dawn")


@lru_cache(maxsize=1)
def foreign_places() -> NameIndex:
    """Places by names that Polish does not inflect."""
    names = (KnownName(name.replace("_", " "), "place") for name in dictionary.FOREIGN_PLACES.split())
    return NameIndex.of(names, has_cases=False)


@lru_cache(maxsize=1)
def everyday_names() -> NameIndex:
    """Places, technologies, tools, organizations and events of the dictionary, by names that have cases in Polish."""
    kinds = {
        "event": dictionary.EVENTS,
        "organization": dictionary.ORGANIZATIONS,
        "place": dictionary.PLACES,
        "technology": dictionary.TECHNOLOGIES,
        "tool": dictionary.TOOLS,
    }
    return NameIndex.of(
        KnownName(name.replace("_", " "), kind) for kind, names in kinds.items() for name in names.split()
    )


@lru_cache(maxsize=1)
def given_names() -> dict[str, str]:
    """Given names by their casefolded form."""
    return {name.casefold(): name for name in dictionary.GIVEN_NAMES.split()}


@lru_cache(maxsize=1)
def short_names() -> dict[str, str]:
    """Given names that are everyday words by their casefolded form."""
    return {name.casefold(): name for name in dictionary.SHORT_NAMES.split()}
