"""Words and turns of phrase of English, as parts of patterns that read plain text."""

from __future__ import annotations

from typing import Final

ADVERBS: Final = (
    r"(?: (?:really|just|also|still|always|usually|absolutely|already|currently|now|mostly|actually|basically|finally|"
    r"generally|mainly|only|simply|definitely|totally|both|normally|often|too|all))*"
)
BE: Final = r"(?:'m|'re|'s| am| are| is)"
HAVE: Final = r"(?:'ve(?: got)?|'s got| have(?: got)?| has(?: got)?)"
OBJECT: Final = (
    r"(?! (?:it|this|that|these|those|them|him|her|you|your|both|neither|either|how|where|when|what|to (?:know|see|"
    r"get)|"
    r"all|having|being|seeing (?:you|it|that)|the|option|version|draft)\b)"
    r"(?!.* (?:them|this|that|it)$) \S"
)
CHOICE: Final = (
    r"(?! (?:it|this|that|these|those|them|you|your|option|version|draft|number|the (?:first|second|third|last|latter|"
    r"former|other|shorter|longer|one)\b)\b)(?!.* (?:option|version|one|this|it|that)$) \S"
)
NOT: Final = r"(?: (?:don't|doesn't|do not|does not|never))?"
ROLES: Final = (
    r"\w+(?:ist|ian|eer|grapher|smith|wright)|"
    r"(?!(?:bett|suck|los|monst|disast|min|numb|fact|answ|oth|bigg|small|quart|believ|lov|hat|fail|aft|ev|nev|ord|matt)"
    r"(?:er|or)\b)\w{3,}(?:er|or)|nurse|student|developer|programmer|designer|writer|baker|farmer|"
    r"driver|carpenter|plumber|painter|singer|dancer|lawyer|doctor|manager|editor|translator|tutor|chef|pilot|vet|"
    r"judge|"
    r"architect|mechanic|accountant|researcher|lecturer|professor|consultant|assistant|widow|widower|vegan|diabetic|"
    r"single (?:mum|mom|dad|mother|father|parent)|only child|twin|parent|night owl|early bird|morning person"
)
STATES: Final = (
    r"allergic to|intolerant|lactose[- ]intolerant|diabetic|asthmatic|vegan|vegetarian|pescatarian|celiac|coeliac|"
    r"left-handed|right-handed|colou?r-?blind|dyslexic|pregnant|retired|unemployed|self-employed|married|divorced|"
    r"single|widowed|engaged to|based in|from (?!home)|originally from|in charge of|responsible for|afraid of|"
    r"scared of|"
    r"on (?:parental|maternity|paternity|sick) leave"
)
HABITS: Final = (
    r"play|plays|use|uses|walk|walks|swim|swims|cycle|cycles|commute|commutes|drive|drives|ride|rides|grow|grows|"
    r"wear|wears|collect|collects|teach|teaches|coach|coaches|train|trains|volunteer|volunteers|sing|sings|climb|"
    r"climbs|"
    r"pay|pays|earn|earns|rent|rents|own|owns|manage|manages|lead|leads|deploy|deploys|host|hosts|breed|breeds|"
    r"practise|practice|practises|practices|study|studies|suffer from|suffers from"
)
SHUNNED: Final = (
    r"eat|drink|smoke|drive|own|wear|take|use|watch|cook|play|speak|fly|travel|celebrate|touch|swim|ride|work|deploy|"
    r"ship|release|dance|buy|do"
)
OWNED: Final = (
    r"dogs?|cats?|kids?|child|children|sons?|daughters?|brothers?|sisters?|siblings?|twins|car|bike|garden|balcony|"
    r"flat|apartment|house|allergy|licen[cs]e|degree|garage|motorbike|boat|piano|guitar|pets?|allotment|dishwasher|"
    r"asthma|diabetes|migraines|epilepsy|arthritis|adhd|dyslexia|hens|chickens|horse|parrot|rabbits?|employees"
)
OFTEN: Final = (
    r"(?:every|each) (?:day|morning|evening|night|week|month|year|\w+day|other day)|on \w+days(?: and \w+days)?|daily|"
    r"weekly|(?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)"
)
WORKED: Final = (
    r"adopted|moved (?:to|into|in with|out|from|back)|bought|sold|quit|resigned|retired|graduated|got (?:married|"
    r"engaged|"
    r"divorced|promoted|fired|laid off|accepted|hired|(?:the|a|an|my) (?:new |first )?(?:job|dog|cat|raise|offer|"
    r"degree|"
    r"licen[cs]e|diploma|visa|puppy|kitten))|"
    r"(?:was|were) (?:born|promoted|fired|hired|diagnosed|laid off|accepted|raised)|grew up|split up|broke up|"
    r"passed (?:my|our|the)|failed (?:my|our|the)|broke (?:my|a|his|her)|tore (?:my|his|her)|sprained|"
    r"lost (?:my|our|his|her) (?:job|dog|cat|dad|mum|mom|father|mother)|gave up|joined (?!in\b)|switched (?:to|from)|"
    r"signed up for|stopped (?!by\b)\w+ing|started (?:(?!making|doing|being|writing|helping)\w+ing|at|as|my|a "
    r"(?:new )?(?:job|business|course|company|degree|family))|learned to|learnt to|"
    r"migrated (?:to|from|our|the)|married"
)
DIRECTIVES: Final = (
    r"use|give|write|call|answer|reply|address|send|show|keep|tell|explain|speak|talk|convert|put|format|include|add|"
    r"quote|cite|remind|start|end|avoid|suggest|recommend|list|round|sign"
)
PAST: Final = (
    r"\b(?:\w{2,}ed|was|were|had|did|didn't|wasn't|weren't|got|went|came|took|gave|made|met|left|lost|found|bought|"
    r"sold|"
    r"began|broke|tore|fell|won|saw|said|told|became|moved|quit|paid|sent|built|wrote|ran|rode|flew|drove|swam|sang|"
    r"started|chose|spent|taught|learnt|signed|stopped|caught|hurt|cut|grew|held|kept|knew|felt|brought|hid|led|bit)\b"
)
TRIFLES: Final = (
    r"\b(?:ate|eat|eating|had (?:a |an |some )?(?:lunch|dinner|breakfast|coffee|tea|cake|pizza|drinks?|call|nap)|slept|"
    r"sleep|cooked|baked|drank|drink|called|phoned|texted|watched|saw|read|tried|try|trying|asked|ask|woke|sent|"
    r"send|write|wrote|check|checked|showed|remembering|made|"
    r"make|thought|think|know|tell|test|let|felt|forgot|looked|googled|talked|spoke|chatted|(?:was|were|am|are|'m|"
    r"'re) (?:so |very |really |a bit |too )?"
    r"(?:tired|sick|ill|busy|bored|sad|happy|late|hungry|stuck|done|free|off|out|away|sorry|glad))\b"
)
