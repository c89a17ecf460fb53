"""English, as `Lexicon` has it."""

from __future__ import annotations

from typing import Final

from palimpsest.domain.restating import wordlists
from palimpsest.domain.restating.lexicon import Lexicon

_DROPPED: Final = "a an the please that which who whom there just ever"
_JOINING: Final = "and but while whereas"
_REASONS: Final = """
because: because since-as, if: if, when: when whenever, unless: unless, although: although though, so: so therefore
"""
_PREPOSITIONS: Final = """
in: in inside, on: on upon, at: at, by: by, for: for, from: from, to: to, of: of, with: with,
about: about, under: under beneath, over: over, into: into, onto: onto, through: through, during: during, before:
before,
after: after, since: since, until: until till, between: between, among: among amongst, against: against, near: near,
behind: behind, beside: beside, beyond: beyond, above: above, below: below, within: within, than: than, as: as, like:
like_,
via: via, towards: towards toward, off: off, out: out, up: up, down: down, across: across, along: along, around:
around,
except: except besides excluding, despite: despite, per: per, because of: because_of, instead: instead_of
"""
_MODIFIERS: Final = """
not: not, no longer: no_longer, not yet: not_yet, all: every each all, any: any, some: some, both: both, no: no
without, neither: neither, nor: nor,
only: only, even: even, almost: almost nearly, about: approximately roughly, must: must have_to, should: should, can:
can,
could: could, may: may, might: might, would: would, used to: used_to, at least: at_least, at most: at_most,
more than: more_than, less than: less_than, more: more, less: less, most: most, least: least, too: too, very: very,
other: other, another: another, many: many, few: few, several: several, half: half
"""
_ADVERBS: Final = """
always never often frequently sometimes occasionally usually normally rarely seldom currently now already still also
again
soon later then yet once regularly mostly alone here first finally each_morning each_evening each_night daily
"""
_AUXILIARIES: Final = """
be: is are am be being, be past: was were, be perfect: been, perfect: has have, perfect past: had, past: did, will:
will
"""
_PHRASES: Final = """
a few = some_few; a little = some_little; with no = without; do not = not; does not = not; has to = have_to
have to = have_to; had to = did have_to; need to = have_to; needs to = have_to; no longer = no_longer
not yet = not_yet; not any longer = no_longer; not ever = never; not any = no; at least = at_least; at most = at_most
more than = more_than; less than = less_than; because of = because_of; instead of = instead_of; used to = used_to
is going to = will; are going to = will; is able to = can; are able to = can; is allowed to = may
are allowed to = may
as well as = and; as well = also; so far =; out of = from_out; such as = like_; in order to = to; due to = because_of
comes from = is from; come from = are from; broke down = broke; breaks down = breaks; turned on = switched_on
turned off = switched_off; switched on = switched_on; switched off = switched_off; every one = all; each one = all
is named = is called; goes by = is called; time zone = timezone; wi-fi = wifi; e-mail = email; ok = fine; okay = fine
time-zone = timezone; ok with = fine_with
is allergic to = has_allergy to; are allergic to = has_allergy to; have an allergy to = has_allergy to
has an allergy to = has_allergy to; got married = were married; right now = now; at the moment = now; these days = now
now and then = sometimes; from time to time = sometimes; after that = then; all the time = always; not like = dislikes
do not like = dislike; does not like = dislikes
no one = nobody; gives up = stops; gave up = stopped; remember : =; remember that =; note : =; after that = then
every morning = each_morning; each morning = each_morning; every evening = each_evening; each evening = each_evening
every night = each_night; each night = each_night; every day = daily; each day = daily
first language = first_language; take care of = look_after; takes care of = looks_after; looks after = looks_after
"""
_ALIKE: Final = """
film movie, films movies, car automobile, cars automobiles, flat apartment, flats apartments, kid child, kids
children,
mum mom mother, dad father, grandma grandmother, grandpa grandfather, bike bicycle, bikes bicycles, doctor physician,
favourite favorite, colour color, colours colors, artefact artifact, artefacts artifacts, cancelled canceled, grey
gray,
neighbour neighbor, neighbours neighbors, centre center, theatre theater, organise organize, organised organized,
organises organizes, travelling traveling, travelled traveled, kilometre kilometer, licence license, jewellery
jewelry,
trash rubbish garbage, email mail, sofa couch, fridge refrigerator, phone telephone, eldest oldest, big large,
bigger larger, biggest largest, small little, quickly fast rapidly, everyone everybody, someone somebody,
anyone anybody, begins starts commences, begin start commence, began started commenced, begun started,
ends finishes, end finish, ended finished, leaves departs, depart leave, departed left, buys purchases, bought
purchased,
buy purchase, lives resides, live reside, lived resided, receives gets, receive get, received got, requires needs,
require need,
required needed, repairs fixes mends, repaired fixed mended, repair fix mend, remains stays stay remain, remained
stayed,
permits allows lets, permit allow let, stopped quit, stops quits, stop quit, enjoys likes, enjoy like, enjoyed liked,
detests hates, detest hate, detested hated, happens occurs, happen occur, happened occurred, picks chooses selects,
pick choose select, picked chose selected, deploy deployment, deploys deployments, holiday vacation, holidays
vacations,
stored kept, stores keeps, store keep, preparing studying, often frequently, sometimes occasionally, usually normally,
rarely seldom, currently now presently, ill sick,
constructed built, constructs builds, spouse partner, afraid scared
"""

ENGLISH: Final = Lexicon(
    dropped=wordlists.words(_DROPPED),
    joining=wordlists.words(_JOINING),
    reasons=wordlists.named(_REASONS),
    prepositions=wordlists.named(_PREPOSITIONS),
    timeless=frozenset({"in", "on", "at", "of"}),
    modifiers=wordlists.named(_MODIFIERS),
    adverbs=wordlists.words(_ADVERBS),
    auxiliaries=wordlists.marked(_AUXILIARIES),
    phrases=wordlists.phrases(_PHRASES),
    alike=wordlists.groups(_ALIKE),
)
