"""What English sentences state, rule by rule."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from palimpsest.domain.naming.kinds_of_words import ACQUAINTANCES, KIN, PETS
from palimpsest.domain.naming.rules import Rule, alternatives, by_word, compile_rules

_RULES: Final = r"""
has* | «m» | «m» (?:{adj} )*{pet} (?:, )?(?:called |named )?{o:pet}
has* | «m» | «m» (?:{adj} )*{pet} «\w+» (?:, |and )(?:«m» |the )?{pet} {o:pet}
has* | «m» | «m» (?:own |new |little |small )*(?:side |pet |hobby |open source )?(?:project|app|laptop|car|phone|\
    robot|boat|bike|van|server) (?:, )?(?:called |named )?{o:proj}
has* | «m» | {o:pet} , «m» (?:{adj} )*{pet} [,.!]
has | «m» | «m» (?:{adj} )*(?:{pet}) (?:'s name is|is called|is named|is) {o:pet}
has* | 's | {s:per} 's (?:{adj} )*{pet} (?:, )?(?:called |named )?{o:pet}
has | has have own owns keep keeps got | {s:who} {adv}(?:has|have|own|owns|keep|keeps|have got|has got) (?:{count} \
    )?(?:{adj} )*{pet} ?(?:, |named |called |by the name of )?{o:pet}
has | has have own owns | {s:who} {adv}(?:has|have|own|owns|have got) (?:a|an|two|«m») (?:{adj} )*{o:device}{stop}
family_of* | «m» | (?<!of )«m» (?:{adj} )*{kin} (?:, )?(?:called |named )?{o:per}
family_of* | 's | {s:per} 's (?:{adj} )*{kin} (?:, )?(?:called |named )?{o:per}
family_of | «m» | «m» (?:{adj} )*{kin} (?:'s name is|is called|is named|are called|are named|is|are) {o:per}{stop}
family_of | «m» | {o:per} (?:is|are) «m» (?:{adj} )*{kin}{stop}
family_of | 's | {o:per} (?:is|are) {s:per} 's (?:{adj} )*{kin}{stop}
family_of* | «m» | {o:per} , «m» (?:{adj} )*{kin} ,
family_of | has have | {s:who} {adv}(?:has|have) (?:{count} )(?:{adj} )*{kin} (?:, |named |called )?{o:per}
knows | friend colleague neighbour neighbor | {s:who} {adv}(?:has|have) (?:{count} )(?:{adj} )*{friend} (?:, \
    )?(?:named |called ){o:per}
family_of | married | {s:who} (?:is|am|are) married to {o:per}
family_of | of | {o:per} is (?:a|the) (?:{adj} )*{kin} of {s:per}{stop}
knows* | «m» | «m» (?:{adj} )*{friend} (?:, )?(?:called |named )?{o:per}
knows* | 's | {s:per} 's (?:{adj} )*{friend} (?:, )?(?:called |named )?{o:per}
knows | «m» | «m» (?:{adj} )*{friend} (?:'s name is|is called|is named|are called|is|are) {o:per}{stop}
knows | «m» | {o:per} (?:is|are) «m» (?:{adj} )*{friend}{stop}
knows | 's | {o:per} (?:is|are) {s:per} 's (?:{adj} )*{friend}{stop}
knows* | «m» | {o:per} , «m» (?:{adj} )*{friend} ,
knows | friend colleague neighbour neighbor | {o:per} is (?:a|an) (?:{adj} )*{friend} of (?:mine|ours)
knows | friends neighbours neighbors colleagues | {o:per} and «y» (?:are|have been) (?:{adj} )*{friend}
knows | friends | {s:who} (?:is|are|am) (?:{adv})(?:good |close |best )?friends with {o:per}
knows | know knows | {s:who} {adv}(?:know|knows) {o:per}{stop}
works_at | work works working employed | {s:who}{app} {adv}(?:works?|(?:is|am|are) working|(?:is|am|are) employed) \
    (?:as (?:a|an|the) [^«»,.]{2,40} )?(?:at|for|by) (?:the )?(?:{class} )?{o:org}
works_at | at | {s:who}{app} (?:is|am) (?:a|an|the) (?!{student})[^«»,.]{2,40} at {o:org}
works_at | employer | «m» employer (?:is|,) {o:org}
works_at | works employed working | {s:who} , who {adv}(?:works|is working|is employed) (?:as (?:a|an|the) \
    [^«»,.]{2,40} )?(?:at|for|by) (?:the )?{o:org}
works_on | work works working | {s:who}{app} {adv}(?:works?|(?:is|am|are) working) on (?:the )?(?:{class} )?{o:proj}
works_on | leads lead maintains maintain develops develop runs run manages manage builds building maintaining \
    leading developing | {s:who} {adv}(?:leads?|maintains?|develops?|builds|(?:is|am|are) (?:building|maintaining|\
    leading|developing)|(?:runs?|manages?)) (?:the )?(?:{class} )?{o:proj}{stop}
created_by | founder author creator inventor co-founder | {o:maker} , (?:the |a )?(?:founder|author|creator|inventor|\
    co-founder) of (?:the )?(?:{class} )?{s:work}
works_on | contributes contribute contributing | {s:who} {adv}(?:contributes?|(?:is|am|are) contributing) to (?:the \
    )?(?:{class} )?{o:proj}
works_on | maintainer lead owner developer designer engineer | {s:who} (?:is|am) (?:the|a) (?:\w+ \
    ){0,2}(?:maintainer|lead|owner|developer|designer|engineer) (?:of|on|for) (?:the )?{o:proj}
located_in | live lives living based reside resides | {s:who}{app} {adv}(?:lives?|(?:is|am|are) living|resides?|\
    (?:is|am|are) based) (?:\w+ |(?:on|at|near) (?:the )?«\w+» )?in (?:the (?:\w+ )?(?:of )?)?{o:place}
located_in | based located headquartered situated | {s:thing}{app}(?: ,)?(?: which| that)? (?:is|are) \
    {adv}(?:located|based|headquartered|situated) in {o:place}
located_in | stands lies sits is are | {s:spot}(?: , which| which)? (?:is|are|stands|lies|sits) in {o:sure_place}
located_in | home | {s:who} (?:makes?|made) (?:his|her|their) home in {o:place}
created_by | by | {s:work} {adv}(?:was|were|is) {adv}{made} by {o:maker}
created_by | by | {s:work} , {made} by {o:maker}
created_by | wrote created built made founded developed designed invented composed co-founded authored directed \
    painted | {o:maker} {adv}(?:wrote|created|built|made|founded|co-founded|developed|designed|invented|composed|\
    authored|directed|painted) (?:the )?(?:{class} )?{s:work}
created_by | author creator founder inventor designer | {o:maker}{app} (?:is|am|was) (?:the|a) (?:\w+ )?(?:author|\
    creator|founder|inventor|designer|co-founder) of (?:the )?(?:{class} )?{s:work}
created_by | author creator founder | the (?:author|creator|founder) of {s:work} is {o:maker}
uses | use uses using | {s:user} {adv}(?:uses?|(?:is|am|are) using) (?:the )?(?:{class} )?{o:tool}
uses | runs run written built powered deployed reads writes restarts write read implemented talks logs stores saves \
    sends hosted | {s:user} {adv}(?:runs? on|(?:is|are) (?:written|built|implemented|made) (?:in|on|with|using)|\
    (?:is|are) (?:powered by|deployed (?:on|to|with)|hosted on)|reads? (?:\w+ ){0,2}from|writes? (?:\w+ ){0,2}to|\
    restarts? via|talks to|logs to|(?:stores?|saves?|sends?|keeps?) (?:\w+ ){1,3}(?:in|to)) (?:the )?{o:sure_tool}
uses | in with on via through using | «y» {adv}{doing} (?:(?:[^«»,.;!?]|«m»){0,40} )?(?:in|with|on|via|through|\
    using) (?:the )?{o:method}
uses | in with on via through using | {s:per} {adv}(?:plans|writes|keeps|tracks|stores|manages|edits|organizes|\
    organises|codes|programs|pays|monitors|logs|hosts|draws|records) (?:(?:[^«»,.;!?]|«m»){0,40} )?(?:in|with|on|via|\
    through|using) (?:the )?{o:method}
depends_on | depends depend relies rely needs requires | {s:user} {adv}(?:depends? on|rel(?:y|ies) on|requires?|\
    needs?) (?:the )?{o:sure_thing}{stop}
depends_on | depends depend relies rely | {s:user} {adv}(?:depends? on|rel(?:y|ies) on) (?:the )?{o:thing}{stop}
depends_on+ | without | {s:user} (?:cannot|can't|can not|won't|will not|does not|doesn't) (?:run|work|start|function|\
    live|build) without (?:the )?{o:thing}
part_of | part member members module component subsidiary division branch | {s:member}{app} {adv}(?:is|are|am) (?:a |\
    an |the )?(?:\w+ )?(?:part|members?|module|component|subsidiary|division|branch) of (?:the )?(?:{class} \
    )?{o:whole}
part_of | belongs belong | {s:member} {adv}belongs? to (?:the )?(?:{class} )?{o:whole}
part_of | sings sing plays play | {s:member} {adv}(?:sings?|plays? (?:\w+ )?) ?(?:in|for|with) (?:the )?(?:{group} \
    ){o:whole}
attended | attended participated spoke took presented volunteered talk | {s:who} {adv}(?:attended|participated in|\
    spoke at|took part in|presented (?:\w+ )?at|volunteered at|gave a talk at) (?:the )?(?:{class} )?{o:event}
attended | went was were ran at | {s:who} {adv}(?:went to|was at|were at|ran|ran in|have been to|has been to|had a \
    \w+ at|met \w+ at) (?:the )?(?:{class} )?{o:sure_event}
attended | with | «y» (?:attended|went to|was at|were at|took part in) (?:the )?{o:event}(?: {event})? with (?:«m» \
    (?:{adj} )*{person} )?{s:per}
prefers | prefer prefers rather favour favor | {s:who} {adv}(?:prefers?|would rather use|'d rather use|favou?rs?) \
    (?:using |to use |the )?{o:liked}
prefers | favourite favorite | «m» (?:all-time |absolute )?favou?rite (?:[^«»,.]{2,30} )?(?:is|are) (?:the \
    )?{o:favourite}
prefers | favourite favorite | {s:per} 's (?:all-time )?favou?rite (?:[^«»,.]{2,30} )?(?:is|are) (?:the )?{o:favourite}
prefers | favourite favorite | {o:favourite} (?:is|are) «m» favou?rite
"""

_ADJECTIVES: Final = """
older younger elder eldest oldest youngest little big late dear beloved twin old new best good close two three
four first second middle only other beautiful lovely adopted rescue black white grey gray brown ginger tabby golden
german persian siamese border
"""
_PEOPLE = [*KIN, *ACQUAINTANCES]

_MACROS: Final = {
    "adv": r"(?:(?:also|now|currently|still|always|really|mostly|usually|just|both|together|only|have|has|recently|"
    r"remotely|part-time|full-time|project|app|library|service|team|system|tool|bot|once|strongly|much|generally|"
    r"personally|already|then|finally|"
    r"mainly|actively|originally|partly|directly) )*",
    "app": r"(?: , [^«»,.;]{2,40} ,)?",
    "adj": alternatives(_ADJECTIVES.split()),
    "count": r"(?:a|an|one|two|three|four|another|some|this|the)",
    "pet": alternatives(word for word in PETS.split() if word.isascii()),
    "kin": f"(?P<k>{alternatives(word for word in KIN if word.isascii())})",
    "friend": f"(?P<k>{alternatives(word for word in ACQUAINTANCES if word.isascii())})",
    "person": alternatives(word for word in _PEOPLE if word.isascii()),
    "student": r"(?:student|pupil|guest|regular|customer|patient|patron|stranger|fellow)",
    "made": r"(?:written|created|built|made|founded|developed|designed|invented|composed|painted|directed|authored)",
    "class": r"(?:app|project|library|tool|company|firm|startup|band|novel|book|song|game|film|framework|agent|bot|"
    r"festival|conference|service|package|start-up|editor|choir|club|team|bakery|clinic|agency|bank|museum|magazine)",
    "group": r"(?:choir|band|orchestra|club|team|ensemble|group|quartet)",
    "event": r"(?:festival|conference|marathon|meetup|fair|race|summit)",
    "doing": r"(?:plan|write|buy|pay|keep|track|store|manage|edit|read|listen|watch|draw|code|program|develop|deploy|"
    r"host|log|monitor|test|build|run|back|sync|share|search|book|order|organi[sz]e|do|sketch|record|take|save|cook|"
    r"work|play|post|chat|bank|stream|study|learn|navigate|make|prototype|debug|design)",
    "stop": r"(?= [.,;:!?)]| and| or| but| over| for| to| in| at| from| since| because| with| on| as| than| when| who|"
    r" very| well| so| rather| instead| here| now|$)",
}


@lru_cache(maxsize=1)
def rules() -> dict[str, tuple[Rule, ...]]:
    """The rules by the words that call for them."""
    return by_word(compile_rules(_RULES, _MACROS))
