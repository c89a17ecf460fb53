"""What every embedder promises."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from palimpsest.ports.embedder import Embedder, Vector
from tests.support.sentences import ENGLISH, OTHERS, POLISH, long_text

KEY_FACT = "The spare key hangs on a nail behind the water butt."

ODD = {
    "empty": "",
    "spaces": " \t\n\u00a0\u3000 ",
    "a NUL alone": "\0",
    "a lone surrogate": "a\ud800b",
    "special pieces": "</s><s> <mask> <pad> <unk>",
    "unknown characters": "\U000f1234\U000f1235",
    "emoji": "🪨🫠👩‍👩‍👧‍👦",
    "right to left": "\u202e\u200fשלום\u202c",
    "a word without an end": "Rindfleisch" * 170,
    "full stops without an end": "." * 2_000,
    "one letter a line": "a\n" * 600,
    "characters that become several": "\ufdfa㌀" * 60,
}


def cosine(a: Vector, b: Vector) -> float:
    return float(a @ b)


def best(embedder: Embedder, query: str, texts: list[str]) -> str:
    asked = embedder.query(query)
    scores = [float((vectors @ asked).max()) for vectors in embedder.passages(texts)]
    return texts[int(np.argmax(scores))]


def test_vectors_are_unit_float32_of_the_models_dimensions(embedder: Embedder) -> None:
    query = embedder.query("Where is the spare key?")
    passages = embedder.passages([KEY_FACT, *POLISH[:3], *OTHERS[:3]])

    dimensions = embedder.model.dimensions
    assert query.shape == (dimensions,)
    assert [passage.shape for passage in passages] == [(1, dimensions)] * 7
    for vectors in (query[None], *passages):
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.passages([]) == []


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_any_text_has_a_direction(embedder: Embedder, text: str) -> None:
    (passages,) = embedder.passages([text])
    query = embedder.query(text)

    assert len(passages) >= 1
    assert np.linalg.norm(passages, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("same", [KEY_FACT + "   ", "\n\n" + KEY_FACT + "\n", KEY_FACT.replace("spare", "sp\0are")])
def test_outer_space_and_nul_change_nothing(embedder: Embedder, same: str) -> None:
    plain, changed = embedder.passages([KEY_FACT, same])

    assert cosine(plain[0], changed[0]) == pytest.approx(1, abs=1e-5)
    assert cosine(embedder.query(KEY_FACT), embedder.query(same)) == pytest.approx(1, abs=1e-5)


def test_each_text_keeps_its_place_in_a_batch(embedder: Embedder) -> None:
    texts = [" ".join(ENGLISH[:8]), KEY_FACT, long_text(2_000, but=KEY_FACT), POLISH[3], "x"]

    together = embedder.passages(texts)
    alone = [embedder.passages([text])[0] for text in texts]

    assert [len(vectors) for vectors in together] == [len(vectors) for vectors in alone]
    for a, b in zip(together, alone, strict=True):
        assert (a * b).sum(axis=1).min() > 0.998  # eight bits round differently beside other texts


def test_a_paragraph_that_fits_the_window_is_one_passage_and_one_of_twice_the_length_is_several(
    embedder: Embedder,
) -> None:
    word = " tea"
    most = embedder.window // embedder.tokens([word])[0]
    fits, longer = word * most, word * 2 * most

    one, several = embedder.passages([fits, longer])

    assert embedder.tokens([fits])[0] <= embedder.window < embedder.tokens([longer])[0]
    assert len(one) == 1 < len(several)


def test_words_with_white_space_between_them_take_at_most_what_they_take_alone(embedder: Embedder) -> None:
    texts = [text[:99] for text in (*ODD.values(), *ENGLISH[:3], *POLISH[:3], *OTHERS[:6])]
    gaps = [" ", "\n", "\n\n", "\t", "\u3000"]
    pairs = [(one, gap, other) for one in texts for other in texts for gap in gaps]

    alone = dict(zip([*texts, *gaps], embedder.tokens([*texts, *gaps]), strict=True))
    together = embedder.tokens([one + gap + other for one, gap, other in pairs])

    for parts, size in zip(pairs, together, strict=True):
        assert size <= sum(alone[part] for part in parts), parts


def test_nothing_takes_nothing_of_the_window(embedder: Embedder) -> None:
    assert embedder.tokens([]) == []
    assert embedder.tokens(["", "tea"])[0] == 0 < embedder.tokens(["tea"])[0] <= embedder.window


def test_similar_texts_are_closer_than_others(embedder: Embedder) -> None:
    assert best(embedder, "Where is the spare key?", ENGLISH) == KEY_FACT
    assert best(embedder, "Gdzie wisi zapasowy klucz?", POLISH) == POLISH[0]


def test_a_long_text_has_passages_in_the_order_of_the_text(embedder: Embedder) -> None:
    text = f"{KEY_FACT}\n\n{long_text(4_000, but=KEY_FACT)}\n\n{POLISH[3]}"

    (passages,) = embedder.passages([text])

    assert len(passages) > 2
    assert np.argmax(passages @ embedder.query(KEY_FACT)) == 0
    assert np.argmax(passages @ embedder.query(POLISH[3])) == len(passages) - 1


def test_many_threads_get_what_one_gets(embedder: Embedder) -> None:
    texts = [ENGLISH[0], POLISH[0]]
    expected = np.concatenate(embedder.passages(texts))

    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda _: np.concatenate(embedder.passages(texts)), range(6)))

    for result in results:
        assert (result * expected).sum(axis=1).min() > 0.998
