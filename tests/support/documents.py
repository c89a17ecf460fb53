"""Made-up documents for the laws of the library: English and Polish sentences with what is hard to cut."""

from __future__ import annotations

from hypothesis import strategies as st

from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.library.cutting import Measure
from tests.support.sentences import ENGLISH, POLISH

HARD = [
    "Dr. Smith paid 3.14 zł on ul. Długa 5, e.g. in cash.",
    "Zob. art. 5 ust. 2, tj. np. „Umowa” z 3. maja 2024 r. i m.in. aneks.",
    "J. R. R. Tolkien met prof. Nowak at 10 a.m. sharp!",
    "Czy ul. św. Jana 3 to na pewno tu?",
    "See fig. 3 and no. 7 for details…",
    "Mrs. O'Hara said: “Never again.”",
]
OTHERS = ["今日は雨です。明日は晴れる。", "👩‍👩‍👧‍👦 e\u0301 🇵🇱", "х" * 70, "no end no point"]
SENTENCES = st.sampled_from([*ENGLISH[:8], *POLISH[:8], *HARD])
PROSE = st.lists(st.one_of(SENTENCES, SENTENCES, st.sampled_from(OTHERS)), min_size=1, max_size=6).flatmap(
    lambda said: st.sampled_from([" ", "\n", "\n\n", "  "]).map(lambda gap: gap.join(said))
)
HEADING_LETTERS = "①②③④"
HEAD_OF_TABLE = "♠♣ ♥"
_LINES = st.lists(st.one_of(SENTENCES, st.sampled_from(["x = 1", "    return x", ""])), min_size=1, max_size=8)
_PAGES = st.sampled_from([None, 1, 1, 2])


def _tables() -> st.SearchStrategy[Block]:
    rows = st.lists(st.sampled_from(["1 | tea", "2 | herbata z cytryną", HARD[0]]), max_size=12)
    return rows.map(lambda body: Block(BlockKind.TABLE, "\n".join([HEAD_OF_TABLE, *body]), head_rows=1))


def _of(kind: BlockKind, text: st.SearchStrategy[str]) -> st.SearchStrategy[Block]:
    return st.builds(Block, st.just(kind), text, page=_PAGES)


_ANY = st.text(st.characters(codec="utf-8", exclude_characters=HEADING_LETTERS + HEAD_OF_TABLE.replace(" ", "")))
_NAMES = st.lists(st.text(HEADING_LETTERS, min_size=1, max_size=3), min_size=1, max_size=3).map(" ".join)
HEADINGS = st.builds(Block, st.just(BlockKind.HEADING), _NAMES, level=st.integers(1, 4), page=_PAGES)
BODIES = st.one_of(
    _of(BlockKind.PARAGRAPH, PROSE),
    _of(BlockKind.PARAGRAPH, PROSE),
    _of(BlockKind.LIST, st.lists(SENTENCES, min_size=1, max_size=6).map(lambda items: "- " + "\n- ".join(items))),
    _of(BlockKind.CODE, _LINES.map("\n".join)),
    _of(BlockKind.PREFORMATTED, _ANY),
    _tables(),
)
DOCUMENTS = st.lists(st.one_of(HEADINGS, BODIES, BODIES), max_size=14)


def _third_of_bytes(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // 3)


def _dear_words(text: str) -> int:
    """Two words are far dearer when no space parts them."""
    return sum(len(word) ** 2 // 4 for word in text.split())


MEASURES: list[Measure] = [len, _third_of_bytes, lambda text: len(text.split()), _dear_words]
"""Of words with white space between them each takes at most what it takes of all of these alone."""
