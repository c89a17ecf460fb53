"""Sentences to embed: everyday facts in English, Polish and other languages, none about the same thing as another."""

from __future__ import annotations

import random

ENGLISH = [
    "The spare key hangs on a nail behind the water butt.",
    "Nora moved to Bergen in March and shares a flat with two violinists.",
    "Our landlord wants the deposit by bank transfer, because the last tenant disputed it.",
    "I promised to send the revised budget to the library board before Friday noon.",
    "The blue bicycle needs a new chain and both brake pads.",
    "Dr Okafor told me to avoid grapefruit for six weeks.",
    "We agreed that the release train leaves every second Tuesday.",
    "Sam is allergic to hazelnuts but eats almonds without any trouble.",
    "The certificate for the mail server expires on the ninth of October.",
    "My grandmother's recipe uses buttermilk instead of yoghurt.",
    "The ferry to the island does not run when the wind is above force seven.",
    "She prefers the window seat and never checks a suitcase.",
    "Priya started learning the cello after her fortieth birthday.",
    "The staging database is restored from a snapshot each night at two.",
    "He said the interview went well, although they asked nothing about testing.",
    "The cat is called Biscuit and sleeps on top of the freezer.",
    "Please never call me before ten in the morning.",
    "The allotment has to be dug over before the first frost.",
    "Their wedding is in a lighthouse, so bring warm clothes.",
    "Invoices above five hundred pounds need two signatures.",
    "Leo broke his left wrist while skating on the canal.",
    "The choir rehearses in the old fire station on Wednesdays.",
    "I keep the warranty for the dishwasher in the red folder.",
    "The new intern speaks Portuguese, Galician and some Basque.",
    "We gave up on the northern route because the bridge is closed until June.",
    "Her favourite painter is Artemisia Gentileschi.",
    "The thermostat in the nursery must stay at nineteen degrees.",
    "Marcus sold his share of the bakery to his cousin.",
    "The password rotation was moved to the first Monday of the quarter.",
    "Two of the four speakers cancelled, so the panel became a conversation.",
    "Grandpa's hearing aid takes batteries of size 312.",
    "The parcel went back to the sender since nobody was at home.",
    "They named the boat after a song that nobody remembers.",
    "Use the side entrance; the front door sticks when it rains.",
    "The school play was about a fox who wanted to become a judge.",
    "I have run out of the ink that does not fade in sunlight.",
]

POLISH = [
    "Zapasowy klucz wisi na gwoździu za beczką na deszczówkę.",
    "Hania przeprowadziła się w marcu do Gdyni i szuka pracy jako ilustratorka.",
    "Właściciel mieszkania prosi o kaucję przelewem, nie gotówką.",
    "Obiecałem wysłać poprawiony kosztorys przed piątkiem w południe.",
    "Niebieski rower potrzebuje nowego łańcucha i klocków hamulcowych.",
    "Lekarka kazała mi przez sześć tygodni unikać grejpfrutów.",
    "Ustaliliśmy, że spotkanie zespołu odbywa się co drugi wtorek.",
    "Staś ma uczulenie na orzechy laskowe, ale migdały je bez problemu.",
    "Certyfikat serwera poczty wygasa dziewiątego października.",
    "Babcia do naleśników daje maślankę zamiast mleka.",
    "Prom na wyspę nie pływa, gdy wiatr przekracza siedem stopni.",
    "Ona zawsze wybiera miejsce przy oknie i podróżuje bez walizki.",
    "Po czterdziestych urodzinach Paweł zaczął uczyć się gry na wiolonczeli.",
    "Baza testowa jest odtwarzana z kopii każdej nocy o drugiej.",
    "Rozmowa o pracę poszła dobrze, choć nikt nie pytał o testy.",
    "Kot nazywa się Pierniczek i śpi na lodówce.",
    "Proszę, nie dzwoń do mnie przed dziesiątą rano.",
    "Działkę trzeba przekopać przed pierwszym mrozem.",
    "Ich ślub będzie w latarni morskiej, więc weźcie ciepłe ubrania.",
    "Faktury powyżej dwóch tysięcy złotych wymagają dwóch podpisów.",
    "Leon złamał lewy nadgarstek, jeżdżąc na łyżwach po zalewie.",
    "Chór ćwiczy w środy w dawnej remizie strażackiej.",
    "Gwarancję na zmywarkę trzymam w czerwonej teczce.",
    "Nowa stażystka mówi po portugalsku i trochę po baskijsku.",
    "Zrezygnowaliśmy z północnej trasy, bo most jest zamknięty do czerwca.",
    "Jej ulubioną malarką jest Olga Boznańska.",
    "Termostat w pokoju dziecka ma zostać na dziewiętnastu stopniach.",
    "Marek sprzedał kuzynowi swoją część piekarni.",
    "Zmianę haseł przesunięto na pierwszy poniedziałek kwartału.",
    "Dwoje prelegentów odwołało przyjazd, więc panel zamienił się w rozmowę.",
    "Aparat słuchowy dziadka działa na baterie w rozmiarze 312.",
    "Paczka wróciła do nadawcy, bo nikogo nie było w domu.",
    "Łódkę nazwali od piosenki, której nikt nie pamięta.",
    "Wchodź bocznym wejściem; główne drzwi zacinają się w deszczu.",
    "Szkolne przedstawienie opowiadało o lisie, który chciał zostać sędzią.",
    "Skończył mi się atrament, który nie blaknie na słońcu.",
]

OTHERS = [
    "Der Ersatzschlüssel hängt an einem Nagel hinter der Regentonne.",
    "Meine Nachbarin hat im März eine Stelle in Leipzig angetreten.",
    "Le rendez-vous chez le dentiste est reporté au mardi quatorze juin.",
    "El gato de mi vecina se llama Pepino y tiene tres años.",
    "La riunione è stata spostata alle quattro del pomeriggio.",
    "A chave reserva fica no galpão atrás da lata de tinta azul.",
    "Náhradní klíč visí na hřebíku za sudem na vodu.",
    "Запасной ключ висит на гвозде за бочкой с водой.",
    "Зустріч перенесено на четвер о пів на десяту.",
    "明日の会議は午後三時からに変更されました。",
    "备用钥匙挂在水桶后面的钉子上。",
    "예비 열쇠는 물통 뒤 못에 걸려 있다.",
    "المفتاح الاحتياطي معلق على مسمار خلف برميل الماء.",
    "המפתח הרזרבי תלוי על מסמר מאחורי חבית המים.",
    "ERR-4411: nginx 1.27 returned 502 for /api/v2/orders",
    "😀🎻⛵️ tomorrow!!! 12:30 → 14:00",
]


def hundred() -> list[str]:
    """A hundred texts of 5 to 250 pieces: each sentence alone, then paragraphs of one language."""
    dice = random.Random(11)
    texts = [*ENGLISH, *POLISH, *OTHERS]
    while len(texts) < 100:
        language = dice.choice([ENGLISH, POLISH])
        texts.append(" ".join(dice.sample(language, dice.randint(2, 14))))
    return texts


def long_text(characters: int, *, but: str) -> str:
    """Paragraphs of English sentences, none of which is `but`, of at least so many characters."""
    dice = random.Random(5)
    sentences = [sentence for sentence in ENGLISH if sentence != but]
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < characters:
        paragraphs.append(" ".join(dice.sample(sentences, 6)))
    return "\n\n".join(paragraphs)
