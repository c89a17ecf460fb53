"""Forms of words, and what changes when they do."""

from __future__ import annotations

import pytest

from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.tellings import Telling
from palimpsest.domain.restating.wordforms import (
    english_bases,
    english_form,
    is_first_person,
    polish_cases,
    polish_form,
    polish_stems,
)

ENGLISH = {
    "wrote": ("past", "write wrote"),
    "written": ("participle", "write written"),
    "took": ("past", "take took"),
    "taken": ("participle", "take taken"),
    "moved": ("past or participle", "mov move moved"),
    "stopped": ("past or participle", "stop stopp stoppe stopped"),
    "planned": ("past or participle", "plan plann planne planned"),
    "tried": ("past or participle", "tri trie tried try"),
    "runs": ("s", "run runs"),
    "running": ("ing", "run runn runne running"),
    "making": ("ing", "mak make making"),
    "sitting": ("ing", "sit sitt sitte sitting"),
    "boring": ("ing", "bor bore boring"),
    "needs": ("s", "need needs"),
    "dishes": ("s", "dish dishe dishes"),
    "boxes": ("s", "box boxe boxes"),
    "buses": ("s", "bus buse buses"),
    "glasses": ("s", "glass glasse glasses"),
    "parties": ("s", "partie parties party"),
    "is": ("", "is"),
    "bus": ("", "bus"),
    "speed": ("", "speed"),
    "red": ("", "red"),
    "used": ("", "used"),
    "cut": ("past or participle", "cut"),
    "went": ("past", "go went"),
    "knew": ("past", "knew know"),
    "does": ("s", "do doe does"),
    "news": ("s", "new news"),
    "goes": ("s", "go goe goes"),
    "matches": ("s", "match matche matches"),
    "hundred": ("", "hundred"),
    "string": ("ing", "str stre string"),
    "watches": ("s", "watch watche watches"),
    "heroes": ("s", "hero heroe heroes"),
}
"""Each word with its form, and what it may be a form of."""

POLISH = {
    "napisała": ("past", "napisa napisała", False),
    "napisany": ("participle", "napis napisa napisany", False),
    "napisano": ("impersonal", "napis napisa napisano", False),
    "trzymamy": ("", "trzyma trzymamy", True),
    "trzymane": ("participle", "trzym trzyma trzymane", False),
    "robi": ("present", "robi", False),
    "robią": ("present", "robią", False),
    "kupił": ("past", "kupi kupił", False),
    "kupiłem": ("past", "kupi kupiłem", True),
    "kupiłam": ("past", "kupi kupiłam", True),
    "kupili": ("past", "kupi kupili", False),
    "był": ("past", "był", False),
    "pisze": ("present", "pisze", False),
    "pracuje": ("present", "pracuje", False),
    "wysyła": ("present", "wysy wysyła", False),
    "działa": ("present", "dzia działa", False),
    "chcę": ("", "chcę", True),
    "jest": ("", "jest", False),
    "szkoła": ("past", "szko szkoła", False),
    "kończono": ("impersonal", "kończ kończo kończono", False),
    "umyty": ("participle", "umy umyty", False),
    "zamknięte": ("participle", "zamknię zamknięte", False),
    "zrobieni": ("participle", "zrobi zrobieni", False),
    "robiąc": ("", "robiąc", False),
    "dom": ("", "dom", False),
}
"""Each word with its form, its stems, and whether it says *I*, *you* or *we*."""

CASES = {
    "omeprazol": "omeprazol",
    "omeprazolu": "omeprazol omeprazolu",
    "film": "film",
    "filmem": "film filmem",
    "ulubiony": "ulubion ulubiony",
    "ulubionym": "ulubion ulubionym",
    "magda": "magd magda",
    "magdę": "magd magdę",
    "marka": "mark marka",
    "marek": "marek mark",
    "psa": "psa",
    "pies": "pies",
    "ziemniaki": "ziemniak ziemniaki",
    "ziemniaków": "ziemniak ziemniaków",
    "lekarz": "lekarz",
    "lekarzem": "lekarz lekarzem",
    "szefowa": "szefow szefowa",
    "szefową": "szefow szefową",
    "huberta": "hubert huberta",
    "hubert": "hubert",
}
SAME = """
Marek kupił bilety | Bilety kupił Marek
Dziewczynka kupiła chleb | Chleb kupiła dziewczynka
Chłopcy kupili chleb | Chleb kupili chłopcy
Siostry kupiły chleb | Chleb kupiły siostry
Matka karmi dziecko zupą | Zupą matka karmi dziecko
Matka karmi córkę | Córkę karmi matka
Zawsze gra w piłkę | W piłkę gra zawsze
Anna has two cats and likes tea | Anna likes tea and has two cats
Raport został napisany przez Magdę | Magda napisała raport
Kopie są trzymane tutaj | Kopie trzymamy tutaj
Robi się testy w piątki | Robimy testy w piątki
Szefem użytkownika jest Adam | Adam jest szefem użytkownika
Adam jest szefem użytkownika | Adam to szef użytkownika
The user's boss is Adam | Adam is the user's boss
On Monday the team meets | The team meets on Monday
At home the user sings | The user sings at home
The user often sings at home | The user sings at home often
The user's team, the Bears, won | The user's team the Bears won
Anna, the user's boss, sings | The user's boss Anna sings
The user's boss, Anna, sings | Anna, the user's boss, sings
The report was written in May by Anna | Anna wrote the report in May
The report was written by Anna's team | Anna's team wrote the report
In May the report was written by Anna | Anna wrote the report in May
Every editor is dark | All editors are dark
The user will start school in May | The user starts school in May
The user is coming on Monday | The user comes on Monday
32 GB of RAM is enough | 32GB RAM is enough
Café Nero is near the office | Cafe Nero is near the office
The user stays because it rains | It rains, so the user stays
If it rains, the user stays | The user stays if it rains
The user has 5 USD and 3 CHF | The user has $5 and 3 francs
The disk has 5 TB and 3 MB | The disk has 5 terabytes and 3 megabytes
The user was born on 5 May | The user was born on May 5th
Use tabs, never spaces | Use tabs and never spaces
"""
DIFFERENT = """
Użytkownik mieszka w Łodzi | Użytkownik mieszka w Lodzi
Siostry kupiły bilety | Bilety kupiły siostry
Anna had two cats and liked tea | Anna liked tea and had two cats
Anna has cats and sings | Anna sings and has cats
Raport został napisany przez Magdę | Magda napisałam raport
Raport został napisany przez Magdę | Magda napisze raport
Raport jest pisany przez Magdę | Magda pisze raport
Kopie są trzymane tutaj | Kopie trzyma tutaj
A cat is an animal | An animal is a cat
The user's boss was Adam | Adam was the user's boss
The door was closed | Somebody closed the door
The user will smoke | The user smokes
The user is smoking | The user smokes
If it rains, the user stays | When it rains, the user stays
It is 5 °F | It is 5 °C
Zażywa aspirynę 20 mg | Zażywa 20 mg aspiryny
The user likes A+ grades | The user likes A grades
The flag is --force | The flag is -force
Mail: anna@example.com | Mail: anna@example.org
Path a/b | Path b/a
"""


@pytest.mark.parametrize("word", ENGLISH)
def test_forms_of_english_words(word: str) -> None:
    assert (english_form(word), " ".join(sorted(english_bases(word)))) == ENGLISH[word]


@pytest.mark.parametrize("word", POLISH)
def test_forms_of_polish_verbs(word: str) -> None:
    assert (polish_form(word), " ".join(sorted(polish_stems(word))), is_first_person(word)) == POLISH[word]


@pytest.mark.parametrize("word", CASES)
def test_cases_of_polish_nouns(word: str) -> None:
    assert " ".join(sorted(polish_cases(word))) == CASES[word]


@pytest.mark.parametrize("line", SAME.strip().splitlines())
def test_another_form_or_place_that_changes_nothing(line: str) -> None:
    one, other = line.split(" | ")

    assert restates(Telling(one), Telling(other))


@pytest.mark.parametrize("line", DIFFERENT.strip().splitlines())
def test_another_form_or_place_that_changes_what_is_said(line: str) -> None:
    one, other = line.split(" | ")

    assert not restates(Telling(one), Telling(other))
