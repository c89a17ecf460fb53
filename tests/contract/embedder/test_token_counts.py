"""Our own count of tokens against the tokenizer that there is: that of the embedding model."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from palimpsest.adapters.models.e5_tokenizer import Tokenizer
from palimpsest.adapters.models.e5_weights import Weights, locate
from palimpsest.domain.packing.counting import count_tokens
from tests.architecture import tree
from tests.support.corpora import judge_pairs
from tests.support.sentences import POLISH

CJK = [
    "今天我们决定使用Postgres作为主要数据库，因为团队已经熟悉它。",
    "东京は日本の首都であり、人口は約1400万人です。来週の会議は月曜日に変更されました。",
    "저는 매일 아침 녹차를 마시고 저녁에는 커피를 마시지 않습니다. 회의는 금요일로 옮겨졌습니다.",
    "會議改到星期五下午三點，請通知所有的團隊成員並準備好報告。",
]
EMOJI = ["🎉🎉 Launch done! 🚀🔥 Thanks 🙏🏽👩‍👩‍👧‍👦", "☀️ → 🌧️, bring ☂️ ✅❌⚠️", "🇵🇱🇩🇪🇯🇵 trip ✈️🏨🍣 in April 🌸"]
KEYS = [
    "mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z@2 and 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
    "+48 512 345 678, 1,250.00 EUR",
]
_CONTEXT = 150
"""Tokens of a small context."""


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    weights = Weights(locate())
    return Tokenizer(weights.pieces(), weights.scores(), weights.tokens.unknown, weights.character_map())


def _pairs(*, polish: bool) -> list[str]:
    texts = sorted({pair.existing for pair in judge_pairs()})
    return [text for text in texts if polish == any(sign in "ąćęłńóśźż" for sign in text.lower())]


def _code() -> list[str]:
    sources = [module.text for module in tree.runtime()][::5]
    return [source[at : at + 600] for source in sources for at in range(0, 1_800, 600) if source[at:]]


def _contexts(texts: Sequence[str], tokenizer: Tokenizer) -> list[str]:
    """The texts in order, as many together as make a small context."""
    found: list[str] = []
    some: list[str] = []
    for text in texts:
        some.append(text)
        if len(tokenizer.ids("\n".join(some))) >= _CONTEXT:
            found.append("\n".join(some))
            some = []
    return found or ["\n".join(some)]


@pytest.mark.parametrize(
    "texts",
    [_pairs(polish=False), [*_pairs(polish=True), *POLISH], _code(), CJK, EMOJI, KEYS],
    ids=["english", "polish", "code", "cjk", "emoji", "keys"],
)
def test_no_context_has_more_tokens_than_are_counted(texts: Sequence[str], tokenizer: Tokenizer) -> None:
    contexts = _contexts(texts, tokenizer)

    under = [text for text in contexts if count_tokens(text) < len(tokenizer.ids(text))]

    assert under == []
