"""Common nouns that say what the name beside them is, whose kin, or how well known; each form with its base form."""

from __future__ import annotations

from typing import Final

from palimpsest.domain.restating.wordlists import named, words

_KIN: Final = """
sister: sister sisters, brother: brother brothers, mother: mother, father: father, mum: mum, mom: mom, dad: dad,
daughter: daughter daughters, son: son sons, wife: wife, husband: husband, child: child children, kid: kid kids,
aunt: aunt aunts, uncle: uncle uncles, cousin: cousin cousins, niece: niece nieces, nephew: nephew nephews,
grandmother: grandmother, grandfather: grandfather, grandma: grandma, grandpa: grandpa, granddaughter: granddaughter,
grandson: grandson, stepmother: stepmother, stepfather: stepfather, stepson: stepson, stepdaughter: stepdaughter,
stepbrother: stepbrother, stepsister: stepsister, half-brother: half-brother, half-sister: half-sister, twin: twin,
mother-in-law: mother-in-law, father-in-law: father-in-law, sister-in-law: sister-in-law, brother-in-law:
brother-in-law,
son-in-law: son-in-law, daughter-in-law: daughter-in-law, godmother: godmother, godfather: godfather, godson: godson,
goddaughter: goddaughter, parent: parents, partner: partner, fiancé: fiancé, fiancée: fiancée, spouse: spouse,
siostra: siostra siostry siostrze siostrę siostrą, brat: brat brata bratu bratem bracia, matka: matka matki matce matkę
matką, ojciec: ojciec ojca ojcu ojcem, mama: mama mamy mamie mamę mamą, tata: tata taty tacie tatę tatą, córka: córka
córki córce córkę córką, syn: syn syna synowi synem synowie, żona: żona żony żonie żonę żoną, mąż: mąż męża mężowi
mężem, dziecko: dziecko dziecka dzieci dziećmi, ciotka: ciotka ciotki ciotce ciotkę ciotką, ciocia: ciocia cioci ciocię
ciocią, wujek: wujek wujka wujkowi wujkiem, wuj: wuj wuja wujem, stryj: stryj stryja stryjem, kuzyn: kuzyn kuzyna
kuzynowi kuzynem kuzyni, kuzynka: kuzynka kuzynki kuzynce kuzynkę kuzynką, bratanek: bratanek bratanka bratankiem,
bratanica: bratanica bratanicy bratanicę bratanicą, siostrzeniec: siostrzeniec siostrzeńca siostrzeńcem, siostrzenica:
siostrzenica siostrzenicy siostrzenicę siostrzenicą, babcia: babcia babci babcię babcią, dziadek: dziadek dziadka
dziadkowi dziadkiem, wnuk: wnuk wnuka wnukiem wnuki, wnuczka: wnuczka wnuczki wnuczkę wnuczką, teść: teść teścia
teściem, teściowa: teściowa teściowej teściową, zięć: zięć zięcia zięciem, synowa: synowa synowej synową, szwagier:
szwagier szwagra szwagrem, szwagierka: szwagierka szwagierki szwagierkę szwagierką, bratowa: bratowa bratowej bratową,
ojczym: ojczym ojczyma ojczymem, macocha: macocha macochy macochę macochą, pasierb: pasierb pasierba pasierbem,
pasierbica: pasierbica pasierbicy pasierbicą, narzeczony: narzeczony narzeczonego narzeczonym, narzeczona: narzeczona
narzeczonej narzeczoną, partner: partner partnera partnerem, partnerka: partnerka partnerki partnerkę partnerką,
chrześniak: chrześniak chrześniaka, chrześnica: chrześnica chrześnicy chrześnicę, bliźniak: bliźniak, bliźniaczka:
bliźniaczka
"""
_ACQUAINTANCES: Final = """
friend: friend friends, best friend: best_friend, neighbour: neighbour neighbours, neighbor: neighbor neighbors,
colleague: colleague colleagues, coworker: coworker coworkers co-worker co-workers, boss: boss, manager: manager,
landlord: landlord, landlady: landlady, roommate: roommate roommates, flatmate: flatmate flatmates, housemate: housemate
housemates, classmate: classmate classmates, teammate: teammate teammates, mentor: mentor, acquaintance: acquaintance,
buddy: buddy, mate: mate, pal: pal, supervisor: supervisor, therapist: therapist, dentist: dentist, tutor: tutor, coach:
coach, teacher: teacher, accountant: accountant, lawyer: lawyer, doctor: doctor,
znajomy: znajomy znajomego znajomemu znajomym znajomi znajomych, znajoma: znajoma znajomej znajomą, przyjaciel:
przyjaciel przyjaciela przyjacielowi przyjacielem przyjaciele, przyjaciółka: przyjaciółka przyjaciółki przyjaciółce
przyjaciółkę przyjaciółką, kolega: kolega kolegi koledze kolegę kolegą koledzy, koleżanka: koleżanka koleżanki koleżance
koleżankę koleżanką, sąsiad: sąsiad sąsiada sąsiadowi sąsiadem sąsiedzi, sąsiadka: sąsiadka sąsiadki sąsiadce sąsiadkę
sąsiadką, szef: szef szefa szefowi szefem, szefowa: szefowa szefowej szefową, gospodarz: gospodarz gospodarza
gospodarzem, gospodyni: gospodyni, współlokator: współlokator współlokatora współlokatorem, współlokatorka:
współlokatorka współlokatorki współlokatorką, kumpel: kumpel kumpla kumplem, kierownik: kierownik kierownika,
kierowniczka:
kierowniczka, mentor: mentora mentorem, mentorka: mentorka, trener: trener trenera, trenerka: trenerka, dentystka:
dentystka, dentysta: dentysta, nauczyciel: nauczyciel nauczyciela, nauczycielka: nauczycielka nauczycielki, księgowa:
księgowa, wspólnik: wspólnik wspólnika, wspólniczka: wspólniczka, współpracownik: współpracownik, współpracowniczka:
współpracowniczka, lekarz: lekarz, lekarka: lekarka
"""
PETS: Final = """
dog dogs puppy cat cats kitten kitty parrot parrots rabbit rabbits bunny hamster hamsters guinea_pig guinea_pigs turtle
tortoise horse pony mare goldfish canary budgie ferret rat mouse snake gecko lizard iguana hedgehog goat goats sheep hen
hens chicken duck donkey pig cow bird pet labrador retriever golden_retriever poodle beagle terrier greyhound spaniel
corgi dachshund husky collie pug bulldog shepherd german_shepherd mutt tabby
pies psa psem psy suczka suczkę suczki suka kot kota kotem koty kotka kotkę kotki kotek kocur kocura kociak szczeniak
papuga papugę papugi papużka żółw żółwia chomik chomika królik królika świnka_morska świnkę_morską świnki_morskie koń
konia konie klacz kucyk kanarek kanarka rybka rybkę labrador labradora labradorka labradorkę owczarek owczarka jamnik
jamnika jamniczka beagle beagla kundel kundla kundelka pudel pudla mops mopsa owca owcę owce koza kozę kozy kura kurę
kury szczur szczura fretka fretkę jeż jeża wąż węża osioł osła świnia świnię gęś kaczka kaczkę
"""
CLASSES: Final = """
person: developer engineer singer writer author poet painter actor actress director colleague pisarz pisarka malarz
malarka autor autorka reżyser reżyserka poeta poetka aktor aktorka,
organization: company firm startup start-up employer agency bank band choir club team museum gallery hospital clinic
school university college foundation charity restaurant café cafe bakery shop bookshop theatre theater newspaper
magazine publisher brewery vendor supplier competitor orchestra union church association studio cooperative firma firmy
firmie firmę firmą spółka spółki spółce spółkę zespół zespołu zespole chór chóru chórze klub klubu klubie muzeum galeria
galerii szpital szpitala szpitalu przychodnia lecznica szkoła szkoły szkole uczelnia fundacja fundacji restauracja
kawiarnia kawiarni piekarnia piekarni księgarnia księgarni sklep sklepu teatr teatru gazeta wydawnictwo wydawnictwa
browar dostawca stowarzyszenie stowarzyszenia spółdzielnia orkiestra orkiestry biuro,
project: project side-project programme initiative projekt projektu projekcie projektem projektowi inicjatywa
inicjatywy,
tool: app application tool editor service platform website browser device plugin extension console aplikacja aplikacji
aplikację narzędzie narzędzia narzędziem edytor edytora edytorem aplikacją narzędziem programem serwisem program
programu serwis serwisu przeglądarka platforma czytnik
czytnika urządzenie wtyczka,
technology: library framework database package module language protocol biblioteka biblioteki bibliotekę biblioteką
framework frameworka pakiet pakietu,
place: city town village river lake mountain island country district street square region miasto miasta mieście wieś wsi
rzeka rzeki rzeką jezioro jeziora jeziorem góra góry wyspa wyspy wyspie dzielnica dzielnicy ulica ulicy plac region
osiedle osiedlu miasteczko miasteczku,
event: conference festival meetup marathon tournament race fair workshop workshops hackathon summit concert konferencja
konferencję festiwal targi maraton maratonie warsztaty warsztatach zawody turniej hackathon hackathonie zlot zlocie
festiwalu targach koncercie,
agent: agent assistant bot chatbot asystent asystenta asystentem asystentka bota botem agenta agentem,
concept: method technique principle theory novel book film movie song album poem series podcast show game metoda metodę
metodą technika technikę zasada zasadę powieść piosenka serial podcast
"""

KIN: Final = named(_KIN)
ACQUAINTANCES: Final = named(_ACQUAINTANCES)
CLASS_OF: Final = named(CLASSES)
"""Type of the thing that a noun stands for."""

ORGANIZATION_ENDS: Final = words(
    """
    hospital school university college museum clinic institute academy foundation bank orchestra choir bakery
    brewery labs laboratories robotics group club society library theatre theater gallery studios council ministry
    association consulting industries logistics software solutions technologies partners
    """
)
"""Last words of names that are organizations; alone, or behind another common word, they are none."""

PLACE_ENDS: Final = words(
    """
    street road avenue lane park river lake mountain mountains island islands beach valley castle
    """
)
"""Last words of names that are places."""

EVENT_ENDS: Final = words(
    """
    marathon festival conference conf summit cup fair meetup hackathon olympics week days day fest expo con maraton
    festiwal bieg rajd turniej zlot
    """
)
"""Last words of names that are events."""
