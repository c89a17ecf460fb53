"""How texts are read before they are compared: values in one notation, and what small words say of the others.

Written down as the rules have it, so that a change of a rule shows here by what it changes.
"""

from __future__ import annotations

import pytest

from palimpsest.domain.language import Language
from palimpsest.domain.restating.items import Clause, Item, Kind, Tense
from palimpsest.domain.restating.reading import language_of, read
from palimpsest.domain.restating.tokens import Sort, tokens
from palimpsest.domain.restating.values import valued

ENGLISH_VALUES = [
    ("14 March 2026", "<date:2026-3-14>"),
    ("March 14th, 2026", "<date:2026-3-14>"),
    ("14th of March", "<date:-3-14>"),
    ("June 8, 2019", "<date:2019-6-8>"),
    ("2026-03-14", "<date:2026-3-14>"),
    ("14.03.2026", "<date:2026-3-14>"),
    ("in May", "in <date:-5->"),
    ("May 2026", "<date:2026-5->"),
    ("may come", "may come"),
    ("Jan came", "jan came"),
    ("5 Jan", "<date:-1-5>"),
    ("Jan 5", "<date:-1-5>"),
    ("31.12.", "<date:-12-31>"),
    ("40 March", "<num:40> <date:-3->"),
    ("on Monday", "on <weekday:1>"),
    ("Mondays", "<weekdays:1>"),
    ("every Monday", "<weekdays:1>"),
    ("Mon", "<weekday:1>"),
    ("sat down", "sat down"),
    ("Sheffield Wednesday", "sheffield <weekday:3>"),
    ("in summer", "in <season:2>"),
    ("summer of 2021", "<season:2021-2>"),
    ("5 PM", "<time:17:00>"),
    ("5:30 p.m.", "<time:17:30>"),
    ("17:00", "<time:17:00>"),
    ("06:45", "<time:06:45>"),
    ("6:45", "<time:06:45?>"),
    ("at 10", "at <time:10:00?>"),
    ("10 things", "<num:10> things"),
    ("at 30 s", "at <qty:30 s>"),
    ("12 AM", "<time:00:00>"),
    ("12 PM", "<time:12:00>"),
    ("25:00", "<25:00>"),
    ("6:45:30", "<time:6:45:30>"),
    ("at noon", "at noon"),
    ("6 in the morning", "<time:06:00>"),
    ("7 in the evening", "<time:19:00>"),
    ("twenty-two", "<num:22>"),
    ("two hundred fifty", "<num:250>"),
    ("three thousand five hundred", "<num:3500>"),
    ("one million", "<num:1000000>"),
    ("2,400 EUR", "<qty:2400 eur>"),
    ("€2400", "<qty:2400 eur>"),
    ("$1,500.50", "<qty:1500.5 usd>"),
    ("3.11", "<num:3.11>"),
    ("3.1.1", "<num:3.1.1>"),
    ("1.500", "<num:1.500>"),
    ("15,000", "<num:15000>"),
    ("-8 °C", "<qty:-8 celsius>"),
    ("32GB", "<qty:32 gb>"),
    ("500 g", "<qty:500 g>"),
    ("2 weeks", "<qty:1209600 s>"),
    ("30 ms", "<qty:0.03 s>"),
    ("1 hour", "<qty:3600 s>"),
    ("12 months", "<qty:12 month>"),
    ("a year", "a year"),
    ("2400 a month", "<num:2400> <per:month 1>"),
    ("5 per month", "<num:5> <per:month 1>"),
    ("twice a week", "<qty:2 times> <per:s 604800>"),
    ("monthly", "<per:month 1>"),
    ("each day", "<per:s 86400>"),
    ("5th", "<ord:5>"),
    ("fifth", "<ord:5>"),
    ("12 %", "<qty:12 %>"),
    ("ten to twenty", "<num:10> to <num:20>"),
    ("10-15", "<num:10> - <num:15>"),
    ("half", "half"),
]
POLISH_VALUES = [
    ("14 marca 2026", "<date:2026-3-14>"),
    ("14 marca 2026 roku", "<date:2026-3-14>"),
    ("8.06.2019 r.", "<date:2019-6-8>"),
    ("30 czerwca", "<date:-6-30>"),
    ("30.06.", "<date:-6-30>"),
    ("w maju", "w <date:-5->"),
    ("Maja", "maja"),
    ("w środę", "w <weekday:3>"),
    ("w środy", "w <weekdays:3>"),
    ("do środy", "do <weekday:3>"),
    ("co czwartek", "<weekdays:4>"),
    ("w każdy piątek", "w <weekdays:5>"),
    ("w poniedziałki", "w <weekdays:1>"),
    ("latem 2021 roku", "<season:2021-2> roku"),
    ("w lecie", "w <season:2>"),
    ("o godzinie 17:00", "o <time:17:00>"),
    ("godz. 17", "<time:17:00>"),
    ("o 15", "o <time:15:00>"),
    ("o 6 rano", "o <time:06:00>"),
    ("o 6 wieczorem", "o <time:18:00>"),
    ("o 15 osób", "o <time:15:00> osób"),
    ("dwa", "<num:2>"),
    ("dwóch", "<num:2>"),
    ("dwadzieścia trzy", "<num:23>"),
    ("sto pięćdziesiąt", "<num:150>"),
    ("9 tys. zł", "<qty:9000 pln>"),
    ("dwa tysiące", "<num:2000>"),
    ("2 400 zł", "<qty:2400 pln>"),
    ("1,5 tabletki", "<num:1.5> tabletki"),
    ("2400 złotych na miesiąc", "<qty:2400 pln> <per:month 1>"),
    ("miesięcznie", "<per:month 1>"),
    ("dwa razy w tygodniu", "<qty:2 times> <per:s 604800>"),
    ("raz w miesiącu", "<qty:1 times> <per:month 1>"),
    ("przez minutę", "przez <qty:60 s>"),
    ("przez 60 sekund", "przez <qty:60 s>"),
    ("do 5. dnia", "do <ord:5> dnia"),
    ("piątego dnia", "<ord:5> dnia"),
    ("trzecia", "<ord:3>"),
    ("12 procent", "<qty:12 %>"),
    ("12.11", "<num:12.11>"),
    ("5 lat", "<qty:60 month>"),
    ("co miesiąc", "<per:month 1>"),
]
ENGLISH_READINGS = [
    ("The user doesn't eat pork.", ["user{definite} eat[not]{agrees} pork"]),
    ("The user has never been to Japan.", ["user{definite} never{adverb} to:japan[was]{past,name,agrees}"]),
    ("The user hasn't ever been to Japan.", ["user{definite} never{adverb} to:japan[was]{past,name,agrees}"]),
    (
        "The quarterly report was written by Magda.",
        ["per:month 3{value,definite} magda{name,any} written{past,turned} report"],
    ),
    (
        "The kickoff meeting was moved by the client to Tuesday.",
        ["client{any,definite} moved{past,turned} kickoff{definite} meeting to:weekday:2{value,agrees}"],
    ),
    ("The books are done by her husband.", ["her{any,definite} husband{any} done{turned} books{definite}"]),
    ("Priya is the user's manager.", ["priya +owner:user{definite} manager /1"]),
    ("Oskar, the user's son, plays the cello.", ["+owner:user{definite} son oskar plays cello{definite}"]),
    (
        "The user's cat, Miso, needs a tablet every morning.",
        ["+owner:user{definite} cat miso{name} needs=requires tablet each_morning{adverb}"],
    ),
    (
        "Teresa, the user's mother-in-law, will visit in May.",
        ["+owner:user{definite} mother-in-law=motherinlaw teresa visit{future,agrees} date:-5-{value}"],
    ),
    (
        "In production, the team uses PostgreSQL 16.",
        ["in:production team{definite} uses postgresql{name} num:16{value}"],
    ),
    (
        "The user must take 20 mg of omeprazole before breakfast.",
        ["user{definite} take[must]{any,agrees} omeprazole{any} qty:0.02 g{value} before:breakfast"],
    ),
    ("The user has to take omeprazole 20 mg.", ["user{definite} take[must]{agrees} omeprazole{any} qty:0.02 g{value}"]),
    ("The user has run four marathons.", ["user{definite} run{past} num:4{value} marathons"]),
    ("The user has a red bike.", ["user{definite} have red bike"]),
    ("The user had a cat.", ["user{definite} have{past} cat"]),
    ("The user was an only child.", ["user{definite} child=kid[only,was]{past} /1"]),
    ("Only Anna drinks tea.", ["anna[only]{name} drinks tea"]),
    ("Not all users like it.", ["users[not,all]{agrees} like=enjoy it"]),
    ("The user likes tea, but hates coffee.", ["user{definite} likes=enjoys tea", "hates=detests coffee"]),
    ("Because it rains, the user stays.", ["(because) rains", "user{definite} stays=remains"]),
    ("It rains, so the user stays.", ["(because) rains", "user{definite} stays=remains"]),
    ("If it rains, call Anna.", ["(if) rains", "call anna{name}"]),
    ("The user can't drive because of epilepsy.", ["user{definite} drive[can,not]{agrees} because of:epilepsy"]),
    ("Is the user vegan?", ["user{definite} vegan ?{mark}"]),
    ("The user is going to visit Rome.", ["user{definite} visit{future,agrees} rome{name}"]),
    ("Turn on the light", ["turn on:light{definite}"]),
    ("The user may not smoke", ["user{definite} smoke[may,not]{agrees}"]),
    ("Will pays the rent for Anna.", ["will pays rent{definite} for:anna{name}"]),
    ('guest wifi = "Atrium_Guest"', ["guest wifi atrium_guest{name} /2"]),
    ("The temperature is > 20 %.", ["temperature{definite} >{mark} qty:20 %{value} /1"]),
    ("The store won't open.", ["store{definite} open[not]{future,agrees}"]),
    ("She would stay.", ["she stay=remains[would]{agrees}"]),
    ("The user no longer plays handball.", ["user{definite} plays[no longer] handball"]),
    (
        "The user's flight leaves from terminal B at 06:45.",
        ["+owner:user{definite} flight leaves from:terminal b{name} time:06:45{value}"],
    ),
    ("Tea is better than coffee.", ["tea better than:coffee /1"]),
    ("The user isn't able to swim.", ["user{definite} able[not]{agrees} to:swim{agrees} /1"]),
    ("The key is in the box under the bed.", ["key{definite} in:box{definite} under:bed{definite} /1"]),
    (
        "psql -h orders-db -p 5433, read only",
        ["psql -h{name} orders-db=ordersdb -p{name} num:5433{value}", "read{past} only{mark}"],
    ),
    ("- region: eu-west-1\n- versioning: on", ["region", "eu-west-1{name}", "versioning", "on{mark}"]),
]
POLISH_READINGS = [
    ("Użytkownik nie je mięsa.", ["użytkownik je[not]{agrees} mięsa"]),
    (
        "Użytkownik nigdy nie był w Japonii.",
        ["użytkownik{predicate} nigdy{adverb,predicate} w:japonii[not,was]{past,name,agrees} /2"],
    ),
    ("Raport został napisany przez Magdę.", ["magdę{name,any} napisany{past,turned} raport"]),
    ("Kopie są trzymane przez 30 dni.", ["kopie{predicate} trzymane{passive} przez:qty:2592000 s{value} /1"]),
    ("Wdrożenia robi się w czwartki.", ["wdrożenia robi[się] weekdays:4{value}"]),
    (
        "Użytkowniczka boi się latać, więc zawsze jeździ pociągiem.",
        ["(because) użytkowniczka boi[się] latać", "zawsze{adverb} jeździ pociągiem"],
    ),
    ("Patrycja jest szefową użytkownika.", ["patrycja{predicate} szefową{predicate} użytkownika{predicate} /1"]),
    ("Ulubiony film to „Rejs”.", ["ulubiony{predicate} film{predicate} rejs{name,predicate,agrees} /2"]),
    ("Córka użytkownika, Zosia, idzie do szkoły.", ["córka użytkownika zosia{name} idzie do:szkoły{past,agrees}"]),
    ("W orkiestrze szkolnej gra syn.", ["w:szkolnej orkiestrze gra syn"]),
    ("Zespół używa PostgreSQL-a 16.", ["zespół{past} używa postgresql{name} num:16{value}"]),
    ("siec dla gosci, haslo zmienia sie co poniedzialek", ["siec dla:gosci", "haslo zmienia[się] weekdays:1{value}"]),
    ("Już nie gra w siatkówkę.", ["gra[no longer] w:siatkówkę"]),
    ("Umowa kończy się 30.06.", ["umowa wygasa date:-6-30{value}"]),
    ("Wszyscy goście oprócz dwóch jedzą ryby.", ["goście[all]{agrees} oprócz:num:2{value} jedzą ryby"]),
    ("Laptop ma 32 GB RAM-u i działa.", ["laptop ma{any} ram{name,any} qty:32 gb{value}", "działa"]),
    ("Spotkanie będzie we wtorek.", ["spotkanie weekday:2{future,value,agrees}"]),
    ("Olek był obecny.", ["olek{predicate} obecny{past,passive} /1"]),
    ("Przełożono spotkanie na wtorek.", ["przełożono{past} spotkanie na:weekday:2{value}"]),
    ("Każdego ranka dostaje tabletkę.", ["każdego_ranka{adverb} dostaje tabletkę"]),
]


@pytest.mark.parametrize(("text", "expected"), ENGLISH_VALUES)
def test_values_in_english_have_one_notation(text: str, expected: str) -> None:
    assert _valued(text, Language.ENGLISH) == expected


@pytest.mark.parametrize(("text", "expected"), POLISH_VALUES)
def test_values_in_polish_have_one_notation(text: str, expected: str) -> None:
    assert _valued(text, Language.POLISH) == expected


@pytest.mark.parametrize(("text", "expected"), ENGLISH_READINGS)
def test_small_words_of_english_are_said_of_others(text: str, expected: list[str]) -> None:
    assert [_shown(clause) for clause in read(text, Language.ENGLISH).clauses] == expected


@pytest.mark.parametrize(("text", "expected"), POLISH_READINGS)
def test_small_words_of_polish_are_said_of_others(text: str, expected: list[str]) -> None:
    assert [_shown(clause) for clause in read(text, Language.POLISH).clauses] == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The user likes tea", Language.ENGLISH),
        ("Użytkownik lubi herbatę", Language.POLISH),
        ("Lubi psy", Language.POLISH),
        ("xyzzy", None),
        ("the w", None),
    ],
)
def test_small_words_and_letters_tell_the_language(text: str, language: Language | None) -> None:
    assert language_of(text) is language


def _valued(text: str, language: Language) -> str:
    found = valued(tokens(text), language)
    return " ".join(f"<{token.text}>" if token.sort is Sort.VALUE else token.text for token in found)


def _shown(clause: Clause) -> str:
    items = " ".join(map(_item, clause.items))
    reason = f"({clause.reason}) " if clause.reason else ""
    return f"{reason}{items} /{clause.copula}" if clause.copula >= 0 else reason + items


def _item(item: Item) -> str:
    """role:text=key[mods]{what else is known}"""
    text = item.text if item.key == item.text else f"{item.text}={item.key}"
    role = f"{item.role}:" if item.role else ""
    mods = f"[{','.join(item.mods)}]" if item.mods else ""
    flags = {"passive": item.is_passive, "turned": item.is_turned, item.case: bool(item.case)}
    flags |= {"agrees": item.may_agree, "definite": item.is_definite}
    known = [str(item.tense)] if item.tense is not Tense.PRESENT else []
    known += [item.kind.value] if item.kind is not Kind.WORD else []
    known += [name for name, is_so in flags.items() if is_so]
    return f"{role}{text}{mods}" + (f"{{{','.join(known)}}}" if known else "")
