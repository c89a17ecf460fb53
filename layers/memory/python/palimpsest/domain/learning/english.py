"""How English states preferences, decisions, attributes and what happened. All patterns read plain text."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from palimpsest.domain.learning import english_words as words
from palimpsest.domain.learning.rules import Grammar, Kind, compiled

_OWN: Final = r"^(?:i|we)"
_STANCE: Final = (
    r"(?:like|likes|love|loves|hate|hates|prefer|prefers|enjoy|enjoys|adore|adores|dislike|dislikes|detest|detests|"
    r"loathe|loathes|(?:can't|cannot|couldn't) (?:stand|bear)){object}|(?:hate|hates|dislike|dislikes) (?:it )?when \w+"
)
_FANCY: Final = r"{be}(?: not)?(?: really)? (?:(?:an? )?(?:big |huge |great )?fans? of|fond of|keen on|crazy about)"
_DECIDED: Final = (
    r"(?:'ve| have|'s| has)?{adverbs} (?:decided|settled on|opted for|chose(?:n)?{choice}|agreed (?:to|on|that)|"
    r"made up (?:my|our|his|her) minds?)"
)
_SETTLED: Final = (
    r"(?:{be}{adverbs} (?:not )?(?:staying (?:in|at|with|here|on|put)|sticking (?:to|with)|(?:going|moving) ahead with|"
    r"going with|keeping|switching to|dropping|cancelling|canceling)|(?:'ll| will){adverbs} (?:go with|stick with|"
    r"stick to)|{adverbs} (?:went with|picked)){choice}"
)
_MEANT: Final = (
    r"(?:{be}{adverbs} (?:planning (?:to|on)|looking for an? \w+ (?!to\b)|saving (?:up )?for|getting married|"
    r"expecting an?)"
    r"|{adverbs} (?:plan|plans|intend|intends) to) \w+"
)
_ONGOING: Final = (
    r"(?:{be}{adverbs} (?:learning|studying|training for|renovating|doing an? (?:\w+ )?(?:phd|degree|course|master\w*|"
    r"internship)|raising|self-teaching|taking \w+ for)|(?:'ve|'s| have| has){adverbs} been (?!wanting|having|"
    r"trying|thinking|feeling|meaning)\w+ing .*\b(?:for|since) (?:\d|\w+ (?:years?|months?|weeks?)|years|"
    r"months|last|january|february|march|april|may|june|july|august|september|october|november|"
    r"december)){object}(?! a (?:ton|lot))"
)
_UNABLE: Final = (
    r" (?:can't|cannot|can not|mustn't|{be} not allowed to) (?:eat|have|drink|drive|swim|tolerate|digest){object}"
)
_STATE: Final = r"{be}{adverbs} (?:(?:{states})\b|an? (?:[\w-]+ ){0,2}?(?:{roles})\b|\d{1,2}(?: years old)?$)"
_PLACE: Final = (
    r"{adverbs} (?:work|works|live|lives|study|studies) (?:for|at|in|as|from|with|near|on|remotely|part[- ]time|"
    r"full[- ]time|nights|shifts|alone)\b"
)
_SPEAK: Final = r"{adverbs}{not} (?:speak|speaks) \w+"
_SHUN: Final = r"{adverbs} (?:don't|doesn't|do not|does not|never)(?: ever)? (?:{shunned}){object}"
_OWNS: Final = r"{have} (?:(?:an?|my own|our own|no|one|two|three|four|five|six|\d+) )?(?:[\w-]+ ){0,2}?(?:{owned})\b"
_HABIT: Final = r"{adverbs} (?:{habits}){object}"
_DOES_OFTEN: Final = (
    r"(?: (?:usually|always))? (?!need|want|have|had|must|know|think|remember|try|can|will|was|am|"
    r"are)\w+\b.* (?:{often})"
)
_LIFE: Final = r"(?:'ve| have|'s| has)?{adverbs} (?:just |recently )?(?:{worked})\b(?! (?:it|this|that|them)\b)"


_MINE: Final = (
    r"^(?:my|our) (?:\w+ )?(?:budget|rent|salary|size|height|weight|blood type|job|name|native language|mother tongue|"
    r"birthday|team|office|goal|timezone|time zone|address|commute|deadline|mortgage|full name|surname|pronouns|limit) "
    r"(?:is|are)\b"
    r"|^(?:we're|we are|there are) (?:an? (?:team|family|household|band|group) of |(?:\w+ )?of us)"
)


_LIKELY: Final = compiled(
    r"\b(?:the|an|is|are|was|were|and|of|my|our|we|i|it|at|for|have|has|had|with|will|his|her|their|on|in)\b|"
    r"\w'(?:s|m|re|ve|ll|t)\b"
)


def is_likely(text: str) -> bool:
    """A plain clause has a word of English in it."""
    return _LIKELY.search(text) is not None


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """All that is read of English."""
    told = tuple((kind, compiled("^" + pattern, **_parts())) for kind, pattern in _stated())
    own = tuple((kind, compiled(_OWN + pattern, **_parts())) for kind, pattern in _stated())
    asked = compiled(
        r"^(?:(?:and )?please )?(?:(?:always|never|from now on|in (?:the )?future) (?:please )?(?:{directives})\b"
        r"|(?:{directives}|don't (?:{directives})) .*\b(?:always|from now on|in future|every time)$)"
        r"|^(?:my|our) favou?rite (?:\w+ ){1,3}(?:is|are)\b|^\w.* (?:is|are) my favou?rites?\b"
        r"|^(?:please )?call me \w+",
        **_parts(),
    )
    return Grammar(
        own=((Kind.PREFERENCE, asked), *own, (Kind.ATTRIBUTE, compiled(_MINE))),
        told=told,
        past=compiled(words.PAST),
        own_dated=compiled(
            r"^(?:(?:i|we)\b(?!(?:'m|'re| am| are) \w+ed\b)|(?:my|our|the) .*\b(?:is|are|was|were|starts?|started|"
            r"ends?|"
            r"begins?|arrives?|arrived|comes?|came|opens?|closes?|expires?|due)\b)"
        ),
        told_dated=compiled(r"^(?:'s|'re|'ve|'ll| \w+)"),
        trifles=compiled(words.TRIFLES),
    )


def _stated() -> tuple[tuple[Kind, str], ...]:
    return (
        (Kind.DECISION, _DECIDED),
        (Kind.DECISION, _SETTLED),
        (Kind.PREFERENCE, "{adverbs}{not}{adverbs} " + _STANCE),
        (Kind.PREFERENCE, _FANCY),
        (Kind.ATTRIBUTE, _STATE),
        (Kind.ATTRIBUTE, _PLACE),
        (Kind.ATTRIBUTE, _SPEAK),
        (Kind.ATTRIBUTE, _SHUN),
        (Kind.ATTRIBUTE, _OWNS),
        (Kind.ATTRIBUTE, _HABIT),
        (Kind.ATTRIBUTE, _DOES_OFTEN),
        (Kind.EVENT, _LIFE),
        (Kind.ATTRIBUTE, _ONGOING),
        (Kind.ATTRIBUTE, _UNABLE),
        (Kind.PLAN, _MEANT),
    )


def _parts() -> dict[str, str]:
    """Those first that hold others."""
    return {
        "adverbs": words.ADVERBS,
        "be": words.BE,
        "have": words.HAVE,
        "object": words.OBJECT,
        "choice": words.CHOICE,
        "not": words.NOT,
        "roles": words.ROLES,
        "states": words.STATES,
        "habits": words.HABITS,
        "shunned": words.SHUNNED,
        "owned": words.OWNED,
        "often": words.OFTEN,
        "worked": words.WORKED,
        "directives": words.DIRECTIVES,
    }
