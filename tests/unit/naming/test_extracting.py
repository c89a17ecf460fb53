"""What rules find in texts that were written for these tests; the labelled ones are measured in test_figures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.domain.language import Language
from palimpsest.domain.naming.extracting import extract
from palimpsest.domain.naming.known import Known, KnownName
from palimpsest.domain.naming.names import OWNER
from palimpsest.domain.naming.proposals import Method, Proposals, ProposedEntity, Span
from palimpsest.domain.naming.runs import phrases
from palimpsest.domain.naming.tokens import LONGEST, sentences

KNOWN = Known.of(
    names=[
        KnownName("Fernbank", "project"),
        KnownName("Pelikan", "project"),
        KnownName("order service", "project"),
        KnownName("usługa zamówień", "project"),
        KnownName("Tobias Renner", "person", ("Tobias", "@toby")),
        KnownName("Helvar", "organization"),
        KnownName("Kraków", "place", ("Cracow",)),
        KnownName("PyCon", "event"),
        KnownName("Amber", "agent"),
    ],
    seen=["Silver Otter", "Srebrna Wydra"],
    owner=["Nadia Falk"],
)


def english(text: str) -> Proposals:
    return extract(text, (Language.ENGLISH,), KNOWN)


def polish(text: str) -> Proposals:
    return extract(text, (Language.POLISH,), KNOWN)


def named(found: Proposals) -> dict[str, str]:
    return {each.name: each.type for each in found.entities}


def stated(found: Proposals) -> set[tuple[str, str, str]]:
    return {(each.source, each.predicate, each.target) for each in found.relations}


def test_a_name_is_told_with_its_place_and_how_it_was_found() -> None:
    assert english("We met Tobias at noon.").entities == (
        ProposedEntity("Tobias Renner", "person", 0.95, Method.KNOWN, Span(7, 13)),
    )


def test_the_owner_by_name_is_no_entity() -> None:
    found = english("Nadia Falk works at Helvar.")

    assert named(found) == {"Helvar": "organization"}
    assert stated(found) == {(OWNER, "works_at", "Helvar")}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ask @toby or @mira-holm.", {"Tobias Renner": "person", "@mira-holm": "person"}),
        ("`pip install httpx` first, then npm install @acme/log", {"httpx": "technology", "@acme/log": "technology"}),
        ("Pinned to rich==13.7.", {"rich": "technology"}),
        ("Helvar acquired Norden Systems GmbH.", {"Helvar": "organization", "Norden Systems": "organization"}),
        ("The invoice of Acme, Inc. is late.", {"Acme": "organization"}),
        ("I met Dr. Alan Frost and Mr Whitlock.", {"Alan Frost": "person", "Whitlock": "person"}),
        (
            "I read George R. R. Martin and Stephen J. Ross.",
            {"George R. R. Martin": "person", "Stephen J. Ross": "person"},
        ),
        ("My phone is an iPhone 12.", {"iPhone": "tool"}),
        ("Mark it in May, before Anna is back.", {"Anna": "person"}),
        ("The order service was slow.", {"order service": "project"}),
        ("Nobody likes Silver Otter.", {"Silver Otter": "concept"}),
        ("My daughter goes to Hillview School.", {"Hillview School": "organization"}),
        ("An amber light was on.", {}),
        ("Postgres 16 is out.", {"Postgres": "technology"}),
        ("PLEASE READ THIS BEFORE YOU ASK ANNA IN BERLIN", {}),
        ("I loved “Becoming Anna” by Mr Holt.", {"Holt": "person"}),
    ],
)
def test_english_names_are_found(text: str, names: dict[str, str]) -> None:
    assert named(english(text)) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Spotkałem Annę Kowalską i Jana Nowaka w Krakowie.", ["Anna Kowalska", "Jan Nowak", "Kraków"]),
        ("Rozmawiałem z Markiem Wróblewskim o Pelikanie.", ["Marek Wróblewski", "Pelikan"]),
        ("Usługi zamówień nikt nie lubi.", ["usługa zamówień"]),
        ("Nie ma dziś Srebrnej Wydry.", ["Srebrna Wydra"]),
        ("Notatki są w Obsidianie, nie w Dropboksie.", ["Obsidian", "Dropbox"]),
        ("Lecę do Wiednia, potem do Łodzi.", ["Wiedeń", "Łódź"]),
        ("Umowa z Budimex S.A. wygasa w maju.", ["Budimex"]),
        ("Firma Drewmax sp. z o.o. dostarcza palety.", ["Drewmax"]),
        ("Wykład był na Uniwersytecie Jagiellońskim.", ["Uniwersytet Jagielloński"]),
        ("Film Seana Connery’ego był długi.", ["Sean Connery"]),
        ("Byłem w Muzeum Wojska Polskiego.", ["Muzeum Wojska Polskiego"]),
        ("Był w Muzeum Historycznym i na Politechnice Gdańskiej.", ["Muzeum Historyczne", "Politechnika Gdańska"]),
        ("Sam Janusz Palikot tu był.", ["Janusz Palikot"]),
        ("Zastąpiliśmy Redisa Postgresem.", ["Redis", "Postgres"]),
        ("W poniedziałek po polsku, we wtorek po angielsku.", []),
    ],
)
def test_polish_names_are_found_in_their_base_form(text: str, names: list[str]) -> None:
    assert [each.name for each in polish(text).entities] == names


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("I have two cats, Miso and Tofu.", (OWNER, "has", "Tofu")),
        ("Tobias has a dog called Bruno.", ("Tobias Renner", "has", "Bruno")),
        ("My wife's name is Clara.", (OWNER, "family_of", "Clara")),
        ("Tobias's sister Ulla is a photographer.", ("Tobias Renner", "family_of", "Ulla")),
        ("My boss, Karen Holt, wants the report.", (OWNER, "knows", "Karen Holt")),
        ("Lucy is a nurse at Oakwood Hospital.", ("Lucy", "works_at", "Oakwood Hospital")),
        ("My colleague Ben, who works at Helvar, sails.", ("Ben", "works_at", "Helvar")),
        ("Nora Quist is the lead developer of Fernbank.", ("Nora Quist", "works_on", "Fernbank")),
        ("I live on Maple Street in Boston.", (OWNER, "located_in", "Boston")),
        ("Helvar is based in Zurich.", ("Helvar", "located_in", "Zurich")),
        ("Fernbank was created by Lena Voss and Tobias Renner.", ("Fernbank", "created_by", "Tobias Renner")),
        ("The order service runs on Kubernetes and depends on Redis.", ("order service", "depends_on", "Redis")),
        ("The Fernbank project uses GraphQL.", ("Fernbank", "uses", "GraphQL")),
        ("I keep my notes in Logseq.", (OWNER, "uses", "Logseq")),
        ("Fernbank belongs to Helvar.", ("Fernbank", "part_of", "Helvar")),
        ("Tobias gave a talk at PyCon in 2022.", ("Tobias Renner", "attended", "PyCon")),
        ("My favorite band is Radiohead.", (OWNER, "prefers", "Radiohead")),
        ("Fernbank is old. Lena Voss built it.", ("Fernbank", "created_by", "Lena Voss")),
        ("Fernbank cannot run without Redis.", ("Fernbank", "depends_on", "Redis")),
    ],
)
def test_english_states_a_relation(text: str, relation: tuple[str, str, str]) -> None:
    assert relation in stated(english(text))


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Mam dwa koty, Miso i Tofu.", (OWNER, "has", "Tofu")),
        ("Mój pies wabi się Reksio.", (OWNER, "has", "Reksio")),
        ("Pies Anny, Reksio, szczeka.", ("Anna", "has", "Reksio")),
        ("Mam siostrę Annę i brata Pawła.", (OWNER, "family_of", "Paweł")),
        ("Córka Anny, Zosia, chodzi do szkoły.", ("Anna", "family_of", "Zosia")),
        ("Nasz sąsiad, pan Kowalski, wyjechał.", (OWNER, "knows", "Kowalski")),
        ("Mój brat Tomek mieszka w Gdyni i pracuje w Siemensie.", ("Tomek", "works_at", "Siemens")),
        ("Pracuję w firmie Helvar jako programistka.", (OWNER, "works_at", "Helvar")),
        ("Pracujemy nad Pelikanem od roku.", (OWNER, "works_on", "Pelikan")),
        ("Helvar ma siedzibę w Krakowie.", ("Helvar", "located_in", "Kraków")),
        ("Pelikan został stworzony przez Annę Nowak.", ("Pelikan", "created_by", "Anna Nowak")),
        ("Anna Nowak założyła Helvar.", ("Helvar", "created_by", "Anna Nowak")),
        ("Usługa zamówień działa na Kubernetesie i zależy od Redisa.", ("usługa zamówień", "depends_on", "Redis")),
        ("Notatki trzymam w Obsidianie.", (OWNER, "uses", "Obsidian")),
        ("Pelikan jest częścią Helvar.", ("Pelikan", "part_of", "Helvar")),
        ("Byłam na PyConie w zeszłym roku.", (OWNER, "attended", "PyCon")),
        ("Wolę Vima od Emacsa.", (OWNER, "prefers", "Vim")),
    ],
)
def test_polish_states_a_relation(text: str, relation: tuple[str, str, str]) -> None:
    assert relation in stated(polish(text))


@pytest.mark.parametrize(
    "text",
    [
        "Tobias no longer works at Helvar.",
        "Tobias doesn't work at Helvar.",
        "I used to work at Helvar.",
        "Does Tobias work at Helvar?",
        "If Tobias works at Helvar, call him.",
        "Tobias might use Redis.",
        "Apparently Tobias works at Helvar.",
        "Lena says Tobias works at Helvar.",
        "Tobias will live in Boston.",
        "Tobias works at Helvar from next month.",
        "Nobody uses Redis.",
        "“Tobias works at Helvar”, read the note.",
        "I used Dropbox for years.",
        "Everyone at Helvar uses Redis.",
        "The friends of Tobias live in Boston.",
    ],
)
def test_english_that_states_nothing_gives_no_relation(text: str) -> None:
    assert english(text).relations == ()


@pytest.mark.parametrize(
    "text",
    [
        "Tobias nie pracuje już w Helvar.",
        "Kiedyś pracowałem w Helvar.",
        "Czy Tobias pracuje w Helvar?",
        "Gdyby Tobias pracował w Helvar, wiedziałby.",
        "Podobno Tobias pracuje w Helvar.",
        "Anna mówi, że Tobias pracuje w Helvar.",
        "Tobias będzie mieszkać w Krakowie.",
        "Tobias zaczyna pracę w Helvar od września.",
        "Nikt nie używa Redisa.",
        "Brat mojej żony, Wojtek, jest lekarzem.",
        "Chcę przenieść notatki do Notion.",
    ],
)
def test_polish_that_states_nothing_gives_no_relation(text: str) -> None:
    assert polish(text).relations == ()


def test_kin_and_acquaintances_keep_how_in_base_form() -> None:
    found = [*english("My sisters Ulla and Ida are here.").relations, *polish("Byłem z moją siostrą Anną.").relations]

    assert [f"{each.phrase} {each.target}" for each in found] == ["sister Ulla", "sister Ida", "siostra Anna"]


def test_my_sister_stays_my_sister_where_the_rest_is_denied() -> None:
    assert stated(english("My sister Ulla no longer works at Helvar.")) == {(OWNER, "family_of", "Ulla")}


def test_the_evidence_of_a_relation_is_the_words_that_state_it() -> None:
    text = "On Monday Tobias works at Helvar, as always."

    evidence = english(text).relations[0].evidence

    assert evidence is not None
    assert text[evidence.start : evidence.end] == "Tobias works at Helvar"


@pytest.mark.parametrize(
    ("found", "attributes"),
    [
        (english("Tobias is a Go developer and lives in Boston."), [("Tobias Renner", "Go developer")]),
        (english("I am a teacher and my husband Greg is a chef."), [(OWNER, "teacher"), ("Greg", "chef")]),
        (english("Tobias was a teacher. Tobias is tired. Tobias is a friend of mine."), []),
        (polish("Jestem nauczycielem i mieszkam w Krakowie."), [(OWNER, "nauczycielem")]),
        (polish("Tobias jest dobrym kucharzem."), [("Tobias Renner", "dobrym kucharzem")]),
        (polish("Tobias jest zmęczony. Tobias był lekarzem."), []),
    ],
)
def test_what_something_is_said_to_be_is_an_attribute(found: Proposals, attributes: list[tuple[str, str]]) -> None:
    assert [(each.entity, each.text) for each in found.attributes] == attributes


def test_phrases_of_one_source_are_names_in_another() -> None:
    assert phrases("Everybody is tired of Silver Otter by now, and the Action Items too.") == ("Silver Otter",)


def test_a_text_that_may_be_either_is_read_as_what_it_looks_like() -> None:
    both = (Language.ENGLISH, Language.POLISH)

    assert stated(extract("Mój brat Tomek pracuje w Helvar.", both, KNOWN)) >= {("Tomek", "works_at", "Helvar")}
    assert stated(extract("My brother Tom works at Helvar.", both, KNOWN)) >= {("Tom", "works_at", "Helvar")}


def test_of_a_text_in_another_language_only_names_are_told_that_need_no_grammar() -> None:
    found = extract("Meine Schwester Anna arbeitet mit @toby bei der Kranz GmbH in Berlin.", (), KNOWN)

    assert named(found) == {"Tobias Renner": "person", "Kranz": "organization", "Berlin": "place"}
    assert found.relations == ()


def test_no_sentence_is_longer_than_rules_can_bear() -> None:
    assert [len(each) for each in sentences("Anna and " * 200)] == [LONGEST, LONGEST, 100]


def test_formulas_are_not_read() -> None:
    assert english("x^2 + 3x - 4 = 0, (x + 4)(x - 1) = 0, x = 1 or x = -4, D = 25 > 0, Anna") == Proposals()


PIECES = st.sampled_from(
    ["Tobias", "Anna", "my sister", "works at", "Helvar", "and", ",", ".", "moja siostra", "pracuje w", "“", "”", "`x`",
     "@toby", "is a", "jest", "I", "'s", "\n", ";", "Dr", "Kraków", "nie", "(", "«p0»", "«m»", "żółw", "= ="]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.lists(PIECES).map(" ".join), st.text()), st.sampled_from(list(Language)))
def test_whatever_the_text_is_what_is_found_stands_in_it(text: str, language: Language) -> None:
    found = extract(text, (language,), KNOWN)
    names = {each.name for each in found.entities} | {OWNER}
    spans = [each.span for each in found.entities]
    spans += [each.evidence for each in found.relations] + [each.evidence for each in found.attributes]

    assert all(span is not None and 0 <= span.start < span.end <= len(text) for span in spans)
    assert {end for each in found.relations for end in (each.source, each.target)} <= names
    assert {each.entity for each in found.attributes} <= names
    assert extract(text, (language,), KNOWN) == found


@pytest.mark.parametrize("name", ["Piotr Zieliński", "Kasia Wiśniewska", "Łukasz Żak"])
def test_a_polish_name_makes_an_english_sentence_no_polish_one(name: str) -> None:
    found = extract(f"{name} works at Acme Corp", tuple(Language), Known())

    assert [(each.source, each.predicate, each.target) for each in found.relations] == [(name, "works_at", "Acme")]
