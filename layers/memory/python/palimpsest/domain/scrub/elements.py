"""The elements of HTML, by how sure one is that a tag of that name is one."""

from __future__ import annotations

_BLOCKS = """
address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form
frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html li main menu nav ol p pre section summary table tbody tfoot thead
tr ul
"""
_UNSEEN = """
script style template noscript iframe object applet svg canvas audio video embed frame noframes noembed
"""
_VOID = "area base br col embed frame hr img input link meta param source track wbr"
_PLAIN = """
b blockquote body br center dd div dl dt em embed fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 head hr html
i iframe img input li meta nobr ol p pre script small span strike strong style sub sup svg table tbody td tfoot th
thead tr tt u ul wbr
"""
_OTHERS = """
a abbr acronym b bdi bdo big blink button caption cite code colgroup data datalist del dfn i ins kbd label legend map
mark marquee math meter optgroup option output picture progress q rp rt ruby s samp select slot search textarea time
title u var xmp
"""

BLOCKS = frozenset(_BLOCKS.split())
"""Each begins a line of its own."""

CELLS = frozenset(("td", "th"))

UNSEEN = frozenset(_UNSEEN.split())
"""What is in them is not read as text."""

VOID = frozenset(_VOID.split())
"""They have no content and so no tag that closes them."""

PLAIN = frozenset(_PLAIN.split())
"""Names that hardly mean anything else, also without a tag that closes them; ``<title>`` and ``<a>`` may be blanks."""

KNOWN = BLOCKS | CELLS | UNSEEN | VOID | PLAIN | frozenset(_OTHERS.split())
