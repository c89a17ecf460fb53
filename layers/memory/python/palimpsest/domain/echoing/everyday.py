"""Words that can stand for one another in what people have remembered; casefolded, without diacritics.

Inflections that no stemmer joins, everyday synonyms, and everyday words of English and Polish. Opposites, and words
that are only often near, are in no group. An entry that ends in ``*`` stands for all words that begin so.
"""

from __future__ import annotations

from typing import Final

DATES: Final = """
    january jan styczen styczn*|february feb luty lutego lutym|march marzec marca marcu|april kwiecien kwietn*
    may maj maja maju|june czerwiec czerwca czerwcu|july lipiec lipca lipcu|august sierp*|september sept wrzes*
    october pazdz*|november listopad*|december grudz* grudn*|monday mondays poniedzial*|tuesday tuesdays wtor*
    wednesday wednesdays sroda srody srode srodzie srod
    thursday thursdays czwartek czwartki czwartku czwartkowy czwartkowe czwartkow
    friday fridays piatek piatki piatku piatkow|saturday saturdays sobot* sobocie|sunday sundays niedziel*|weekend*
    spring wiosn*|summer latem|autumn fall jesien*|winter zima zimy zimie zime zimow*
    day days dzien dnia dni dniu dniach daily codzien* codziennie dziennie
    week weeks weekly tydzien tygodni* tygodniu tygodniowo|month months monthly miesiac* miesiecy miesieczn*
    year years yearly annually lat lata latach rocznie|hour hours godzin*|minute minutes minut*|seconds sekund*
    quarter quarters kwartal*|decade*|century centuries|morning mornings rano ranka porank*
    evening evenings wieczor*|night nights noc noca noce nocy nocach|noon poludni*|afternoon popoludni*
    midnight polnoc*|today dzis dzisiaj|tomorrow jutro|yesterday wczoraj
"""
"""Months, days, times of the day and the year, and lengths of time."""

GROUPS: Final = """
    need needs needed require* necessary potrzeb* wymaga*|use uses using utilise* utilize* uzywa* korzysta*
    prefer* rather wol* wolalb* wolalaby|own owns possess* posiada*|live lives reside resides mieszka
    switch switches switched turn turns turned wlacza wylacza|automatic* samo samoczynnie automatycz*
    next beside besides near obok przy|every each kazd*
    call called calls name named names nazywa imie imieniem imion*|get gets getting become becomes becoming staje
    given receive* received dosta* otrzym*|trip trips journey journeys travel* podroz* wyjazd*
    save saves saving aside oszczedza* odklada*|writing write writes written written pisemn* pismie pisanie pisze
    study studies studying student* studiuj*|suffer* cierpi cierpia|can able possible moze moga mozna wolno
    must mustn have-to musi musza|while meanwhile czasie podczas tymczasem|when whenever gdy kiedy
    therefore hence wiec dlatego|because bo poniewaz gdyz|home homes dom domu domow zdaln* remote* remotely
    car cars auto auta samochod*|flat flats apartment* mieszkani*|child children kid kids dziecko dzieci dziecka
    film films filmy filmu movie movies|phone phones telephone* telefon*|mail mails email emails
    company companies firm firms firma firmy firmie firme firm|colleague* coworker*|repair* fix fixes fixed
    delete* remove* usuwa* kasuj*|begin begins start starts zaczyna*
    end ends ending finish finishes konczy koniec konca koncem koncu|buy buys purchase* kupuj*
    often frequently czesto|allerg* uczulen* uczulon* alergi*|doctor* physician* lekarz*|meeting* spotkani* spotka*
    reply replies answer* odpowiad*|dog dogs pies psa psu psem psy|cat cats kot kota koty kotem|wife zona zony zone
    husband maz meza|daughter daughters corka corki corke corka|son sons syn syna synem
    mother mothers mum mom mama mamy mame matk*|father fathers dad tata taty ojciec ojca
    brother* brat brata bratem bracia|sister* siostr*|drink drinks pije pija|eat eats jesc je jedz*
    play plays gra graja|work works pracuj*|speak speaks mowi mowia|drive drives jezdzi
    leave leaves departs odjezdza*|train trains pociag*|agree agrees agreed agreement* uzgodni*
    hates hate detests nienawidz*|alcohol alkohol*|coffee kawa kawe kawy kawie|tea herbat*|milk mleko mleka
    water woda wode wody|meat mieso miesa|fish ryba ryby rybe ryb|bread chleb*|cheese ser sery sera
    egg eggs jajko jajka jajek jaja|sugar cukier cukru|salt sol soli|nut nuts orzech*|fruit fruits owoc*
    vegetable* warzyw*|vegetarian* wegetarian*|vegan* wegan*|soy soja soje soi|piano fortepian* pianin*
    guitar* gitar*|violin* skrzyp*|book books ksiazk*|city cities miasto miasta miescie
    country countries kraj kraju kraje|school schools szkola szkole szkoly|university uczelni*|hospital* szpital*
    office offices biuro biura biurze biur|bank banks banku|bicycle* bike bikes rower*|plane planes samolot*
    bus buses autobus*|station stations stacja stacji dworzec dworca|weather pogod*|money pieniadze pieniedzy
    birthday birthdays urodziny urodzin|wedding* slub slubu|friend friends przyjaciel* przyjaciol*
    partner partners partnera partnerka partnerki|parent parents rodzic* rodzice rodzicow
    grandmother grandma babcia babci babcie|grandfather grandpa dziadek dziadka|teacher* nauczyciel*
    nurse nurses pielegniar*|engineer* inzynier*|lawyer* prawnik*|password* hasl*|server servers serwer*
    database* baz baza bazy bazie|project* projekt*|language* jezyk*|learn learns learning uczy uczyc ucze
    read reads reading czyta czytac|sleep sleeps sleeping spi spac|cook cooks cooking gotuj*
    sing sings singing spiewa spiewac|swim swims swimming plywa plywac|run runs running biega biegac
    walk walks walking spaceruj* spacer*|favourite favorite ulubion*
"""

PHRASES: Final = """
    would rather > prefer|would rather get > prefer|would rather have > prefer|would like > want
    put money aside > save|puts money aside > save|putting money aside > save|suffers from > has|suffer from > have
    is called > is named|are called > are named|has the name > is named|goes by the name > is named
    goes by > is named|has to > must|have to > must|in charge of > leads|at the moment > currently|a lot > much
    as well > also|is able to > can|are able to > can|is fond of > likes|is keen on > likes|can not > cannot
    may not > must not|got a promotion > promoted|at home > home|nie znosi > nienawidzi|nie cierpi > nienawidzi
    odklada pieniadze > oszczedza|cierpi na > ma|choruje na > ma|dostal awans > awansowal|dostala awans > awansowala
    ma na imie > nazywa|nosi imie > nazywa|w tej chwili > obecnie|jest w stanie > moze|ma obowiazek > musi
    nie wolno > nie moze|nie moga > nie moze
"""
"""Several words, and those that say the same."""
