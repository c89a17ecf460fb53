"""Words with a point that ends no sentence, English and Polish, in small letters and without their last point."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LEADS_ON: Final = _words(
    """
    adm ang approx asst bp bł brig capt cdr cf cmdr col cpl cyt czes dept dr ds dyr dz e.g fr franc gen gov hab hiszp
    hon hr i.e inż jap kard kmdr kpt ks lek lt m.in mec mgr mjr mlle mme mr mrs ms msgr mt niem np ob oprac pkt pol pp
    ppłk ppor pres prof prok przeł pt płk resp rev ros rtm rys sgt sierż sp supt sw tj tow tzn tzw tłum ukr ul ur viz vs
    wg wiceprez wyd zm zob łac śp św
    """
)
"""What follows belongs to them: a name after a title or 'ul.', an example after 'e.g.' and 'np.'."""

LEADS_TO_NUMBER: Final = _words(
    """
    al apt art bd cap ch chap cz eq eqs fig figs fol godz lit lp no nos nr nry ok os p par pl poz rozdz rozp ryc s sec
    sect st str t tab tabl tel tom uchw ust vol vols wers zał §
    """
)
"""'fig. 3', 'art. 5': before a number they lead on; before anything else they may be last."""

MAY_BE_LAST: Final = _words(
    """
    a.m apr aug ave bldg br bros cm co corp dec etc feb gr i.in in inc itd itp jan jr jul jun kg km ltd m m.st maj mar
    min mld mln mm n.e nov oct p.m p.n.e ph.d r sek sen sep sept sr szt tys u.k u.s wiek woj zł
    """
)
"""A capital after them begins a sentence or is a name; nobody can tell."""
