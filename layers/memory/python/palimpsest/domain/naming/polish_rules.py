"""The rules of Polish, one a line; what stands in braces is in `polish`."""

from __future__ import annotations

from typing import Final

RULES: Final = r"""
has* | «m» | «m» (?:{adj} )*{pet} (?:, |imieniem |o imieniu |wabi się )?{o:pet}
has* | «m» | «m» (?:{adj} )*{pet} «\w+» (?:, |i |oraz )(?:«m» )?{pet} {o:pet}
has* | 's | {s:per} 's (?:{adj} )*{pet} (?:, |imieniem |o imieniu )?{o:pet}
has* | «m» | «m» (?:{adj} )*(?:projekt|projektem|projektu|aplikacja|aplikacją|łódka|rower|samochód|laptop|telefon|\
    robot|serwer) (?:, )?{o:proj}
has* | «m» | {o:pet} , «m» (?:{adj} )*{pet} [,.!]
has | «m» | «m» (?:{adj} )*{pet} (?:wabi się|nazywa się|ma na imię|to) {o:pet}
has | ma mają | {s:who} {adv}(?:ma|mają) (?:{count} )?(?:{adj} )*{pet} (?:, |imieniem |o imieniu )?{o:pet}
has* | pies kot suczka kotka papuga królik chomik | (?:pies|kot|suczka|kotka|papuga|królik|chomik) {s:per} , {o:pet}
has | mam mamy | (?:mam|mamy) (?:{count} )?(?:{adj} )*{pet} (?:, |imieniem |o imieniu )?{o:pet}
has | mam mamy | (?:mam|mamy) (?:{count} )?(?:{adj} )*{o:sure_device}{stop}
has | mam mamy | (?:mam|mamy) (?:[^«».,]{0,20} )?(?:«\w+» i )?(?:{device} ){o:device}{stop}
has | ma mają | {s:who} {adv}(?:ma|mają) (?:{count} )?(?:{adj} )*{o:sure_device}{stop}
family_of* | «m» | «m» (?:{adj} )*{kin} (?:imieniem |o imieniu )?{o:per}
family_of* | «m» | «m» (?:{adj} )*{kin_base} , {o:per}
family_of* | 's | {s:per} 's (?:{adj} )*{kin} (?:, |imieniem |o imieniu )?{o:per}
family_of* | {kin_bases} | {kin_base} {s:per} (?:, |imieniem |o imieniu ){o:per}
family_of | «m» | «m» (?:{adj} )*{kin} (?:ma na imię|nazywa się|to|mają na imię|nazywają się) {o:per}{stop}
family_of | «m» | {o:per} (?:to|są|jest) «m» (?:{adj} )*{kin}{stop}
family_of* | «m» | {o:per} , «m» (?:{adj} )*{kin} ,
family_of | mam mamy | (?:mam|mamy) (?:{count} )?(?:{adj} )*{kin} (?:, |imieniem |o imieniu )?{o:per}
family_of | mam mamy | (?:mam|mamy) [^«».,]{2,30} «\w+» i {kin} {o:per}
knows | mam mamy | (?:mam|mamy) (?:{count} )?(?:{adj} )*{friend} (?:, |imieniem |o imieniu )?{o:per}
family_of | ma mają | {s:who} {adv}(?:ma|mają) (?:{count} )?(?:{adj} )*{kin} (?:, |imieniem |o imieniu )?{o:per}
family_of | to | {o:per} (?:to|jest) (?:{adj} )*{kin} {s:per}{stop}
family_of | żonaty mężatką zamężna | {s:who} (?:jest|są) (?:żonaty z|zamężna z|po ślubie z) {o:per}
knows* | «m» | «m» (?:{adj} )*{friend} (?:z pracy |imieniem |o imieniu )?{o:per}
knows* | «m» | «m» (?:{adj} )*{friend_base} , {o:per}
knows* | 's | {s:per} 's (?:{adj} )*{friend} (?:, )?{o:per}
knows | «m» | «m» (?:{adj} )*{friend} (?:ma na imię|nazywa się|nazywają się|to) {o:per}{stop}
knows | «m» | {o:per} (?:to|jest|są) «m» (?:{adj} )*{friend}{stop}
knows* | «m» | {o:per} , «m» (?:{adj} )*{friend} ,
knows | znam znamy | (?:znam|znamy) {adv}{o:per}
knows | zna znają | {s:who} {adv}(?:zna|znają) {o:per}
knows | przyjaźnię przyjaźnimy koleguję | (?:przyjaźnię|przyjaźnimy|koleguję) się z {o:per}
knows | przyjaźni przyjaźnią | {s:who} przyjaźni(?:ą)? się z {o:per}
works_at | pracuje pracują zatrudniona zatrudniony | {s:who}{app} {adv}(?:pracuje|pracują|jest zatrudnion[ay]) \
    {adv}(?:jako [^«».,]{2,40} )?{at}(?:{class} )?{o:org}
works_at | pracuję pracujemy | (?:pracuję|pracujemy) {adv}(?:z «\w+» )?(?:jako [^«».,]{2,40} )?{at}(?:{class} )?{o:org}
works_at | jestem | jestem zatrudnion[ay] {at}(?:{class} )?{o:org}
works_at | w | {s:who}{app} jest [^«».,]{2,40} w (?:{firm} )?{o:org}
works_on | nad | {s:who}{app} {adv}(?:pracuje|pracują) {adv}nad (?:{class} )?{o:proj}
works_on | nad | (?:pracuję|pracujemy) {adv}(?:z «\w+» )?nad (?:{class} )?{o:proj}
works_on | nad | (?:pracuje|pracują) nad «\w+» (?:, |a |i )+{s:who} nad {o:proj}
works_on | rozwija rozwijają prowadzi prowadzą utrzymuje utrzymują buduje budują tworzy tworzą kieruje kierują \
    współtworzy | {s:who}{app} {adv}(?:rozwija|rozwijają|prowadzi|prowadzą|utrzymuje|utrzymują|buduje|budują|tworzy|\
    tworzą|kieruje|kierują|współtworzy) (?:{class} )?{o:proj}
works_on | rozwija prowadzi utrzymuje buduje tworzy kieruje | (?:rozwija|prowadzi|utrzymuje|buduje|tworzy|kieruje) \
    {o:proj} {s:per}{stop}
works_on | rozwijam rozwijamy prowadzę prowadzimy utrzymuję utrzymujemy buduję budujemy tworzę tworzymy kieruję \
    współtworzę | (?:rozwijam|rozwijamy|prowadzę|prowadzimy|utrzymuję|utrzymujemy|buduję|budujemy|tworzę|tworzymy|\
    kieruję|współtworzę) (?:{class} )?{o:proj}
located_in | mieszka mieszkają | {s:who}{app} {adv}(?:mieszka|mieszkają) {adv}(?:na \w+ )?(?:w|we|na) (?:{class} \
    )?{o:place}
located_in | mieszkam mieszkamy | (?:mieszkam|mieszkamy) {adv}(?:na \w+ )?(?:w|we|na) (?:{class} )?{o:place}
located_in | mieści znajduje leży stoi | {s:thing}{app}(?: , któr[yae])? (?:mieści się|znajduje się|leży|stoi) \
    {adv}(?:w|we|na) {o:place}
located_in | siedzibą siedzibę biuro | {s:thing} (?:[^«».]{0,50} )?(?:z siedzibą|ma siedzibę|ma biuro) (?:w|we|na) \
    {o:place}
located_in | jest są | {s:spot} (?:jest|są) (?:w|we|na) {o:sure_place}
created_by | {made_words} | {s:work} {adv}{made} {o:maker}
created_by | {made_words} | {o:maker}{app} {adv}{made} (?:{class} )?{s:work}
created_by | {made_words} | {made} {s:work} {o:maker}
created_by | {i_made_words} | {i_made} (?:{class} )?{s:work}
created_by | {i_made_words} | {s:work} {adv}{i_made}
created_by | przez | {s:work} (?:, )?(?:jest |są |został[ao]? |zostały )?(?:napisan|stworzon|zbudowan|założon|\
    zaprojektowan)(?:y|a|e) przez {o:maker}
created_by | autorem autorką twórcą twórczynią założycielem założycielką | (?:autorem|autorką|twórcą|twórczynią|\
    założycielem|założycielką) (?:{class} )?{s:work} (?:jest|był|była) {o:maker}
created_by | autorem autorką twórcą twórczynią założycielem założycielką | {o:maker} (?:jest|był|była) (?:autorem|\
    autorką|twórcą|twórczynią|założycielem|założycielką) (?:{class} )?{s:work}
created_by | założyciel założycielka autor autorka twórca twórczyni | {o:maker} , (?:założyciel|założycielka|autor|\
    autorka|twórca|twórczyni) (?:{class} )?{s:work}
created_by | jestem | jestem (?:autorem|autorką|twórcą|twórczynią|założycielem|założycielką) (?:{class} )?{s:work}
uses | używa używają | {s:user} {adv}(?:używa|używają) {adv}(?:{class} )?{o:tool}
uses | korzysta korzystają | {s:user} {adv}(?:korzysta|korzystają) {adv}(?:z|ze) (?:{class} )?{o:tool}
uses | używam używamy | (?:używam|używamy) {adv}(?:{class} )?{o:tool}
uses | korzystam korzystamy | (?:korzystam|korzystamy) {adv}(?:z|ze) (?:{class} )?{o:tool}
uses | działa działają napisany napisana napisane zbudowana zbudowany stoi pisze zapisuje czyta loguje zakłada \
    zgłasza trzyma zapisują | {s:user} {adv}(?:działa(?:ją)? na|(?:jest |są )?napisan[yae] w|(?:jest |są \
    )?zbudowan[yae] (?:w|na)|stoi na|(?:pisze|zapisuje|zapisują) (?:[^«».,]{0,25} )?(?:do|w)|czyta (?:[^«».,]{0,25} \
    )?z|loguje (?:[^«».,]{0,25} )?(?:do|w)|(?:zakłada|zgłasza|trzyma) (?:[^«».,]{0,25} )?w) {o:sure_tool}
uses | {doing_words} | {doing} (?:[^«».,]{0,40} )?(?:w|we|na|z|ze|przez) (?:{class} )?{o:method}
uses | {doing_words} | {doing} [^«».,]{1,30} w «\w+» (?:, )?(?:a |i )?[^«».,]{1,20} (?:w|we|na) {o:method}
uses | {doing_words} | {doing} (?:[^«».,]{0,40} )?(?:metodą|techniką) {o:method}
depends_on | zależy zależą wymaga wymagają potrzebuje polega polegają opiera | {s:user} {adv}(?:(?:zależy|zależą) \
    (?:\w+ )?od|wymaga|wymagają|potrzebuje|(?:polega|polegają) na|opiera się na) (?:{class} )?{o:sure_thing}
depends_on+ | bez | {s:user} nie (?:działa|ruszy|ruszą|pójdzie|wystartuje|uruchomi się|zadziała|może działać|może \
    żyć|obejdzie się) bez {o:thing}
part_of | częścią członkiem członkinią modułem | {s:member}{app} {adv}jest (?:\w+ )?(?:częścią|członkiem|członkinią|\
    modułem|oddziałem) (?:{class} )?{o:whole}
part_of | należy należą | {s:member} {adv}(?:należy|należą) do (?:{class} )?{o:whole}
part_of | należę należymy jestem | (?:należę do|należymy do|jestem (?:członkiem|członkinią)) (?:{class} )?{o:whole}
part_of | śpiewa gra śpiewam gram | {s:member} (?:śpiewa|gra) (?:\w+ )?w {group} {o:whole}
part_of | śpiewam gram | (?:śpiewam|gram) (?:\w+ )?w {group} {o:whole}
part_of | skład | {s:member} {adv}(?:wchodzi|wchodzą) w skład {o:whole}
attended | {went_words} | {s:who}{app} {adv}(?:(?:był|była|byli|były) na|(?:uczestniczył|uczestniczyła|uczestniczyli|\
    uczestniczyły) w|(?:wystąpił|wystąpiła|wystąpili|występował|występowała) (?:na|w|podczas)|(?:brał|brała|brali|\
    wziął|wzięła|wzięli) udział w|(?:przebiegł|przebiegła|pobiegł|pobiegła) (?:w )?|mówił(?:a)? na|prowadził(?:a)? \
    (?:wykład|warsztat|warsztaty) na) ?(?:{class} )?{o:event}
attended | {i_went_words} | (?:(?:byłem|byłam|byliśmy|byłyśmy) (?:[^«».,]{0,20} )?(?:w «\w+» )?na|(?:uczestniczyłem|\
    uczestniczyłam|uczestniczyliśmy) w|(?:wystąpiłem|wystąpiłam|wystąpiliśmy) na|(?:brałem|brałam|braliśmy|wziąłem|\
    wzięłam|wzięliśmy) udział w|(?:przebiegłem|przebiegłam|pobiegłem|pobiegłam) (?:w )?) ?(?:{class} )?{o:event}
prefers | woli wolą | {s:who} {adv}(?:woli|wolą) (?:używać |metodę |technikę |edytor )?{o:liked}
prefers | wolę wolimy | (?:wolę|wolimy) (?:używać |metodę |technikę |edytor )?{o:liked}
prefers | {fav_words} | «m» {fav} (?:[^«».,]{2,30} )?(?:jest|są|to|pozostaje) {o:favourite}
prefers | {fav_words} | {s:per} 's {fav} (?:[^«».,]{2,30} )?(?:jest|są|to|pozostaje) {o:favourite}
prefers | {fav_words} | {o:favourite} (?:jest|to) «m» {fav} [^«».,]{2,30}
"""
