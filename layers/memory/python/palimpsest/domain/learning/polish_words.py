"""Words and turns of phrase of Polish, as parts of patterns that read plain text."""

from __future__ import annotations

from typing import Final

NOUNS: Final = (
    r"problem|celem|hotelem|artykulem|tytulem|szczegolem|stolem|mailem|emailem|szpitalem|materialem|serialem|"
    r"festiwalem|modelem|tunelem|panelem|kanalem|przyjacielem|nauczycielem|wlascicielem|podzialem|dzialem|medalem|"
    r"udzialem|zespolem|postem|poziomem|reklam|skalam|kostiumem|profilem|stylem|portalem|lokalem|angielem"
)
"""Words that end like a verb of the past."""
ENDED: Final = r"(?!(?:{nouns})\b)\w+(?:lam|lem|lismy|lysmy)"
OBJECT: Final = (
    r"(?!(?: sie)? (?:to|ta|te|ten|tego|tej|tych|tym|tamt\w+|pierwsz\w+|drug\w+|ostatni\w+|poprzedni\w+|wersj\w+|"
    r"opcj\w+|"
    r"cie|ciebie|ci|go|ja|ich|je|jego|jej|gdy|kiedy|ale|bo|nie wiedziec|wiedziec|krotsz\w+|dluzsz\w+|co|czyms?)\b) \S"
)
DIRECTIVES: Final = (
    r"(?:nie )?(?:pisz|mow|odpowiadaj|podawaj|uzywaj|dawaj|tlumacz|licz|zwracaj|rob|pokazuj|dodawaj|wypisuj|proponuj|"
    r"polecaj|cytuj|zaczynaj|koncz|zaokraglaj|przypominaj|zapisuj|formatuj|unikaj|pomijaj|wyjasniaj|streszczaj)"
)
ROLES: Final = (
    r"\w+(?:istka|ista|yczka|arka|arzem|owcem|istem|istka|ologiem|olozka|yczyna)|nauczyciel\w*|lekarz\w*|inzynier\w*|"
    r"pielegni\w+|student\w*|programist\w+|kierowc\w+|emeryt\w*|rencist\w+|ksiegow\w+|prawni\w+|adwokat\w*|kuchar\w+|"
    r"wegetarian\w+|wegan\w*|alergi\w+|cukrzy\w+|astmaty\w+|leworeczn\w*|praworeczn\w*|singiel\w*|singl\w+|mezatka|"
    r"zonat\w*|rozwod\w+|jedynak\w*|jedynacz\w+|bezrobotn\w*|samozatrudnion\w*|daltonist\w+"
)
LENGTHS: Final = r"\d{1,2} (?:lat|lata|latka|latek)"
OWNED: Final = (
    r"psa|kota|suczke|kotke|psy|koty|dzieci|dziecko|syna|corke|synow|corki|brata|siostre|siostry|braci|blizniaki|"
    r"alergie|uczulenie|astme|cukrzyce|migreny|nadcisnienie|celiakie|nietolerancje|prawo jazdy|dzialke|ogrod|balkon|"
    r"samochod|auto|motocykl|rower|dom|mieszkanie|fobie|lek wysokosci|konia|papuge|krolika|chomika|lokatorow"
)
OFTEN: Final = (
    r"zawsze|codziennie|zwykle|zazwyczaj|co (?:dzien|tydzien|rano|wieczor|miesiac|rok|noc|\w+ (?:dni|tygodnie|km))|"
    r"raz w|(?:dwa|trzy|cztery|piec|\d) razy w|w (?:poniedzialki|wtorki|srody|czwartki|piatki|soboty|niedziele) i"
)
PRESENT: Final = (
    r"(?!(?:mam|sam|tam|problemy|systemy|kremy|firmy|zimy|tematy|reklamy|programy|mamy|musze|musimy|chce|chcemy|wiem|"
    r"mysle|pamietam|znam|czytam|wiemy|czekam|szukam)\b)"
    r"(?:\w{2,}(?:am|amy|imy|ymy|emy)|biore|pije|jem|jezdze|chodze|robie|pisze|wstaje|pracuje|gotuje|cwicze|kupuje|"
    r"place)"
)
WORKED: Final = (
    r"\b(?:przeprowadzi|przenios|kupi|sprzeda|adoptowa|rozsta|ozeni|urodzi|zda|obla|rzuci|skonczy|awansowa|zlama|"
    r"skreci|"
    r"zachorowa|zapisa|przesta|odziedziczy|zalozy|zareczy|rozwiod|przeszedl|przeszla|zamieszka)"
    r"(?:lam|lem|lismy|lysmy|am|em)(?: sie)?{object}|\bwyszlam za\b|\bwzielismy slub\b"
    r"|\b(?:zaczelam|zaczalem|zaczelismy) \S|\b(?:dostalam|dostalem|dostalismy) (?:prace|awans|oferte|podwyzke|"
    r"mieszkanie|stypendium|wypowiedzenie)|\b(?:poznalismy|pobralismy|zareczylismy|rozwiedlismy) sie\b"
    r"|\burodzil(?:am|em) sie\b|\bwychowal(?:am|em) sie\b"
)
GOING: Final = (
    r"(?!(?:problemy|systemy|kremy|firmy|zimy|tematy|reklamy|programy|wiemy|chcemy|mozemy|myslimy)\b)"
    r"(?:\w{3,}(?:imy|ymy|emy)|\w{3,}amy|mamy|mam|jade|lece|ide|biegne|plyne|wyjezdzam|przeprowadzam|zaczynam|koncze|"
    r"wracam|robie|biore|gram|zdaje|odbieram|startuje|wprowadzam|spotykam|jedziemy|przylatuje|wylatuje|przychodze|"
    r"skladam|oddaje|kupuje|otwieram|zamykam|przechodze|pracuje|wystepuje|bronie|bede|pojade|polece|pojde|zaczne|"
    r"jestem (?:na|w|u)|jestesmy (?:na|w|u)|musze|musimy|wroce|oddam|odbiore|zloze|urodze|skoncze|zdam)"
)
TRIFLES: Final = (
    r"\b(?:zjad\w*|wypi\w*|spal\w*|ugotow\w*|upiek\w*|dzwoni\w*|zadzwoni\w*|ogladal\w*|obejrzal\w*|czytal\w*|"
    r"przeczyta\w*|"
    r"probowal\w*|pytal\w*|zapyta\w*|wysla\w*|sprawdz\w*|pisal\w*|napisa\w*|widzi\w*|mysla\w*|gadal\w*|rozmawia\w*|"
    r"obudzi\w*|jadlam|jadlem|pilam|pilem|bylam|bylem|zapomni\w*|szukal\w*|sprzata\w*|pamieta\w*|robilam|robilem|"
    r"czas|pytanie|problem|ochote|nadzieje|dosc|zmeczon\w+|chor[ya]|zajet[ya])\b"
)
