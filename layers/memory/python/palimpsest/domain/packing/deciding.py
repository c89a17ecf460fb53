"""Whether a text tells of a decision, by English and Polish words: one that was made, not one that is asked for."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from palimpsest.domain.library.sentences import ends
from palimpsest.domain.restating.wordlists import words

_ENGLISH: Final = (
    r"decided|opted (?:for|to)|settled on|agreed (?:to|that|on)|chose|chosen|ruled out|resolved to|voted (?:to|for)|"
    r"signed off on|decision (?:is|was) (?:not )?(?:to|that)|made (?:the|a|our|my|their|his|her) (?:final )?decision|"
    r"decision\s*:"
)
_PERSONS: Final = r"(?:łem|łam|łeś|łaś|ł|ła|li|ły|liśmy|łyśmy|liście)"
_POLISH: Final = (
    rf"zdecydowa(?:{_PERSONS}|no)|postanowi{_PERSONS}|postanowiono|ustali{_PERSONS}|ustalono|uzgodni{_PERSONS}|"
    rf"uzgodniono|wybra(?:{_PERSONS}|no)|zrezygnowa(?:{_PERSONS}|no)|rezygnujemy z|odrzuci{_PERSONS}|odrzucono|"
    r"zapad(?:ła|ły) (?:ostateczna )?decyzj[ae]|(?:podję(?:ł|ła|li|ły|liśmy|łyśmy|to)|podjął(?:em)?|podjęłam) "
    r"(?:ostateczną )?decyzj[ęe]|stanęło na|decyzja\s*:|decyzja (?:jest|była) taka"
)
_CUE: Final = re.compile(rf"(?<!\w)(?:{_ENGLISH}|{_POLISH})(?!\w)", re.IGNORECASE)

_BREAK: Final = re.compile(r"[,;:.!()–—]|(?<!\w)(?:and|but|so|then|i|a|ale|więc|potem)(?!\w)", re.IGNORECASE)
"""What stands before it says nothing of what stands behind."""

_WORD: Final = re.compile(r"\w+(?:['’]\w+)?")
_OPEN: Final = words(
    """
    not never no nobody nothing none neither cannot hardly yet if unless until whether once should would could might may
    nie nigdy nikt nic żaden żadna żadne jeszcze jeśli jeżeli gdyby dopóki zanim czy aż może
    """
)
"""Words before a cue that leave the decision open, or deny it."""


def tells_decision(text: str) -> bool:
    """One of its sentences, which is no question, says that something was decided.

    What was decided may be denied (*decided not to*), that it was decided may not (*have not decided*).
    """
    places = [0, *(end.at for end in ends(text)), len(text)]
    return any(_decides(text[begin:end]) for begin, end in pairwise(places))


def _decides(sentence: str) -> bool:
    if sentence.rstrip("\"'”’»)* \n").endswith("?"):
        return False
    return any(not _is_open(sentence[: found.start()]) for found in _CUE.finditer(sentence))


def _is_open(before: str) -> bool:
    clause = _BREAK.split(before)[-1]
    return any(word in _OPEN or word.endswith(("n't", "n’t")) for word in _WORD.findall(clause.casefold()))
