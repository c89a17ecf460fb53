"""Words so frequent that they say nothing about a text, by language; casefolded, diacritics kept."""

from __future__ import annotations

from typing import Final

_ENGLISH = """
a about again all also am an and any are aren as at be because been being both but by can could couldn d did didn do
does doesn don each for from had has hasn have haven he her him his how i if in into is isn it its ll m me my no not
of on or our re s she should shouldn so some such t than that the their them then there these they this through to
too up ve very was wasn we were weren what when where which who whom why will with won would wouldn you your
"""

_POLISH = """
a aby albo ale bez bo by bym być był była było były byś będzie będą będę co coś czego czemu czy czym dla dlaczego do
gdy gdzie go i ich ile im iż ja jak jaka jaki jakich jakie jakiego jakiej jakim jakimi jako jaką je jednak jego jej
jest jestem jesteś jesteśmy jeszcze jeśli jeżeli już kiedy kim kogo komu kto która które którego której który
których którym którymi którzy którą ku lub ma mi mnie mną moja moje może mój na nad nam nami nas nasz nawet nic nich
nie nim nimi nią niż o od on ona one oni ono oraz po pod poza przed przez przy sam się skąd sobie sobą swoje swój są
ta tak także tam te tego tej ten to toteż tu twoja twoje twój ty tych tylko tym u w wam wami was wasz we więc z za
zawsze ze został została zostało zostały że żeby
"""

ENGLISH: Final = frozenset(_ENGLISH.split())
POLISH: Final = frozenset(_POLISH.split())
