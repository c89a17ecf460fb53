"""Short and tender forms of given names, English and Polish, and the name that each stands for.

Written down from general knowledge; a form of two names leads to the more frequent one, since it only asks a person.
"""

from __future__ import annotations

from typing import Final

from palimpsest.domain.restating.wordlists import named

FULL_NAMES: Final = named(
    """
    katarzyna: kasia kaśka kasieńka, małgorzata: gosia małgosia gośka, aleksandra: ola olka, aleksander: olek,
    agnieszka: aga agusia, anna: ania anka hania, barbara: basia baśka, joanna: asia aśka, zofia: zosia zośka,
    magdalena: magda madzia, maria: marysia, ewelina: ewelka, elżbieta: ela elka, izabela: iza, natalia: natalka,
    karolina: karola, paulina: paula, weronika: wera, wiktoria: wika, julia: julka, helena: hela, danuta: danka,
    krystyna: krysia, teresa: tereska, halina: halinka, dorota: dorotka, monika: monia, justyna: justynka,
    jan: janek jasiek jaś, józef: józek, stanisław: staszek stasiek, andrzej: andrzejek, piotr: piotrek,
    paweł: pawełek, tomasz: tomek, krzysztof: krzysiek krzyś, grzegorz: grzesiek, maciej: maciek, wojciech: wojtek,
    bartosz: bartek, bartłomiej: bartuś, jakub: kuba, michał: michałek, mateusz: mateuszek, marcin: marcinek,
    przemysław: przemek, radosław: radek, jarosław: jarek, mirosław: mirek, sławomir: sławek, zbigniew: zbyszek,
    tadeusz: tadek, kazimierz: kazik, bronisław: bronek, władysław: władek, włodzimierz: włodek, waldemar: waldek,
    ryszard: rysiek, dariusz: darek, mariusz: mariuszek, ireneusz: irek, leszek: lesio, łukasz: łuki,
    robert: bob rob bobby robbie, william: bill will billy liam, richard: rick dick rich, james: jim jimmy jamie,
    john: johnny jack, michael: mike mick mickey, thomas: tom tommy, joseph: joe joey, david: dave, daniel: dan danny,
    matthew: matt, anthony: tony, steven: steve, stephen: stevie, edward: ed eddie ted, charles: charlie chuck,
    christopher: chris kit, benjamin: ben benny, samuel: sam sammy, nicholas: nick, alexander: alex sandy,
    andrew: andy drew, gregory: greg, kenneth: ken kenny, lawrence: larry, patrick: pat paddy, peter: pete,
    philip: phil, raymond: ray, ronald: ron ronnie, timothy: tim, walter: walt, zachary: zach, jonathan: jon,
    elizabeth: liz beth lizzy betty eliza, katherine: kate katie kathy, catherine: cathy, margaret: maggie peggy meg,
    jennifer: jen jenny, jessica: jess, rebecca: becky, susan: sue susie, patricia: trish patty, deborah: deb debbie,
    barbra: barb, victoria: vicky, amanda: mandy, samantha: samy, stephanie: steph, kimberly: kim, abigail: abby,
    isabella: bella, eleanor: ellie nell, caroline: carrie, dorothy: dot dottie, judith: judy, nancy: nan
    """
)
