"""What each part of a score is worth: LoCoMo and PoQuAD by the product's own formulas, without a server.

Every text of a space is scored, so that the choice of candidates plays no part; the figures of the whole product are
those of `bench/locomo.py` and `bench/poquad.py`. Vectors are kept in a folder, so that a second run takes a minute.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness import command, locomo_data, poquad_data, ranking, report
from harness.locomo_data import ADVERSARIAL, Conversation, Question
from palimpsest.adapters.models.e5 import E5
from palimpsest.adapters.models.e5_engine import fastest_engine, numpy_engine
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.domain import scoring, talk
from palimpsest.domain.analysis import analyse, query_words
from palimpsest.domain.asking.spellings import names_in
from palimpsest.domain.asking.voice import in_own_voice
from palimpsest.domain.evidence import Asked, Texts
from palimpsest.domain.matching import Floats, Passages, Vectors
from palimpsest.domain.scoring import WEIGHTS
from palimpsest.domain.talk import Place, Said, Sayings
from palimpsest.domain.whitening import Whitening
from palimpsest.usecases.question import Question as Terms

MEASURES = ("R@5", "R@10", "R@20", "several pieces R@10", "session any@5", "session R@10")
DEPTHS = (1, 5, 10)
_LINGUIST = Snowball()
_SEVERAL = 1
_WITHOUT = ("vector", "keyword", "talk", "speaker", "question", "when", "first_person", "feedback")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts of one space, and what is known of its words and vectors."""

    texts: Sequence[str]
    sayings: Sequence[Said]
    vectors: Vectors
    whitening: Whitening | None

    @classmethod
    def of(cls, texts: Sequence[str], places: Sequence[Place | None], vectors: Vectors) -> Corpus:
        """`vectors`: one a text."""
        said = [
            talk.said(text, _LINGUIST.languages(text), place=place) for text, place in zip(texts, places, strict=True)
        ]
        return cls(texts, said, vectors, Whitening.learn(vectors))


@dataclass(frozen=True, slots=True)
class Counted:
    """A corpus as BM25 sees it."""

    corpus: Corpus
    counts: Sequence[Counter[str]]
    lengths: Sequence[int]
    frequencies: Mapping[str, int]

    @classmethod
    def of(cls, corpus: Corpus) -> Counted:
        analysed = [analyse(text, _LINGUIST) for text in corpus.texts]
        frequencies: Counter[str] = Counter()
        for each in analysed:
            frequencies.update(set(each.terms))
        return cls(corpus, [Counter(each.terms) for each in analysed], [each.length for each in analysed], frequencies)

    def score(self, query: str, vector: Vectors, weights: Mapping[str, float]) -> Floats:
        """The sums of all texts."""
        question = Terms(query_words(query, _LINGUIST))
        terms = question.terms
        asked = Asked(
            question.alternatives,
            question.counted(self.frequencies),
            len(self.counts),
            float(np.mean(self.lengths)),
            vector,
            names_in(query, _LINGUIST.languages(query)),
            talk.asks_when(query),
        )
        texts = Texts(
            np.array([[counts.get(term, 0) for term in terms] for counts in self.counts]).reshape(len(self.counts), -1),
            np.array(self.lengths),
            Passages(self.corpus.vectors, np.ones(len(self.counts), np.int64)),
            Sayings.of(self.corpus.sayings),
            np.zeros(len(self.counts)),
            np.zeros(len(self.counts)),
            np.ones(len(self.counts), np.bool_),
        )
        return scoring.score(texts, asked, self.corpus.whitening, weights).total


class Vectorising:
    """The product's embedder, with what it made before kept in a folder."""

    def __init__(self, folder: Path, *, has_extra: bool) -> None:
        self._folder = folder
        self._embedder = E5(fastest_engine(folder / "model") if has_extra else numpy_engine)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A vector a text; of a long one that of its first passage."""
        return self._kept("passage", texts, lambda: [each[0] for each in self._embedder.passages(texts)])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """A vector a query."""
        return self._kept("query", texts, lambda: [self._embedder.query(text) for text in texts])

    def _kept(self, kind: str, texts: Sequence[str], make: Callable[[], Sequence[Vectors]]) -> Vectors:
        digest = hashlib.sha256("\0".join([kind, self._embedder.model.revision, *texts]).encode()).hexdigest()[:20]
        path = self._folder / f"{digest}.npy"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            np.save(path, np.stack(make()))
        vectors: Vectors = np.load(path)
        return vectors


def main() -> None:
    parser = command.parser(__doc__)
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="in LoCoMo's format")
    parser.add_argument("--poquad", type=Path, metavar="FILE", help="passages with questions")
    parser.add_argument("--vectors", type=Path, default=Path(".build/vectors"), metavar="FOLDER", help="kept here")
    parser.add_argument("--together", action="store_true", help="all conversations in one space, too")
    options = parser.parse_args()
    vectorising = Vectorising(options.vectors, has_extra=options.extra)
    result: dict[str, object] = {}
    if options.locomo:
        conversations = locomo_data.read(options.locomo)
        prepared = _prepared([[each] for each in conversations], vectorising)
        result["apart"] = _ladder("LoCoMo, each conversation a space", prepared)
        if options.together:
            prepared = _prepared([conversations], vectorising)
            result["together"] = _ladder("LoCoMo, all conversations in one space", prepared)
    if options.poquad:
        result["poquad"] = _poquad(options.poquad, vectorising)
    report.write(options.out, result)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A space with its questions; `ids`: of its texts, as questions name them."""

    counted: Counted
    ids: Sequence[str]
    questions: Sequence[tuple[str, Question, Vectors]]


def _prepared(spaces: Iterable[Sequence[Conversation]], vectorising: Vectorising) -> list[Prepared]:
    prepared = []
    for conversations in spaces:
        texts, places, ids, vectors, questions = [], [], [], [], []
        for conversation in conversations:
            own = [turn.content for turn in conversation.turns]
            texts += own
            for number, turn in enumerate(conversation.turns):
                places.append(Place(talk.talk_of(f"{conversation.name} {turn.session}"), number))
                ids.append(f"{conversation.name} {turn.id}")
            vectors.append(vectorising.passages([talk.words_said(text) for text in own]))
            asked = [each for each in conversation.questions if each.gold and each.category != ADVERSARIAL]
            speakers = {each.speaker.casefold() for each in conversation.turns}
            made = vectorising.queries([in_own_voice(each.text, speakers) for each in asked])
            questions += [(conversation.name, each, vector) for each, vector in zip(asked, made, strict=True)]
        prepared.append(Prepared(Counted.of(Corpus.of(texts, places, np.concatenate(vectors))), ids, questions))
    return prepared


def _ladder(title: str, prepared: Sequence[Prepared]) -> dict[str, list[float]]:
    steps: dict[str, Mapping[str, float]] = {"all": WEIGHTS}
    steps |= {f"without {name}": {**WEIGHTS, name: 0.0} for name in _WITHOUT}
    only = dict.fromkeys(WEIGHTS, 0.0)
    steps |= {"vector alone": {**only, "vector": 1.0}, "keyword alone": {**only, "keyword": 1.0}}
    measured = {name: _measured(prepared, weights) for name, weights in steps.items()}
    report.table(title, ("", *MEASURES), [(name, *values) for name, values in measured.items()])
    return measured


def _measured(prepared: Sequence[Prepared], weights: Mapping[str, float]) -> list[float]:
    by_conversation: dict[str, list[list[float]]] = {}
    several = []
    for space in prepared:
        for name, question, vector in space.questions:
            order = np.argsort(-space.counted.score(question.text, vector, weights), kind="stable")
            found = [space.ids[place] for place in order[:400]]
            gold = {f"{name} {turn}" for turn in question.gold}
            values = [ranking.fraction(gold, found, depth) for depth in (5, 10, 20)]
            sessions = ranking.groups(each.partition(":")[0] for each in found)
            gold_sessions = {each.partition(":")[0] for each in gold}
            values += [ranking.any_hit(gold_sessions, sessions, 5), ranking.fraction(gold_sessions, sessions, 10)]
            by_conversation.setdefault(name, []).append(values)
            if question.category == _SEVERAL:
                several.append(values[1])
    macro = np.mean([np.mean(values, axis=0) for values in by_conversation.values()], axis=0)
    return [*macro[:3].tolist(), float(np.mean(several)), *macro[3:].tolist()]


def _poquad(path: Path, vectorising: Vectorising) -> dict[str, list[float]]:
    reading = poquad_data.read(path)
    vectors = vectorising.passages(reading.passages)
    counted = Counted.of(Corpus.of(reading.passages, [None] * len(reading.passages), vectors))
    asked = [each for each in reading.questions if each.answerable]
    made = vectorising.queries([each.text for each in asked])
    measured = {}
    for name, weights in (("all", WEIGHTS), ("without feedback", {**WEIGHTS, "feedback": 0.0})):
        scores = [counted.score(each.text, vector, weights) for each, vector in zip(asked, made, strict=True)]
        ranks = [int((score > score[each.passage]).sum()) for score, each in zip(scores, asked, strict=True)]
        measured[name] = [float(np.mean([rank < depth for rank in ranks])) for depth in DEPTHS]
    heads = ("", *(f"R@{depth}" for depth in DEPTHS))
    report.table("PoQuAD", heads, [(name, *values) for name, values in measured.items()])
    return measured


if __name__ == "__main__":
    main()
