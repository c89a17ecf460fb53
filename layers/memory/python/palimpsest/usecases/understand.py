"""What a query asks for, as the arms take it, and its vector, which is on the way."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain import talk
from palimpsest.domain.analysis import query_words
from palimpsest.domain.asking.asked_for import AskedFor
from palimpsest.domain.asking.exact import exact_in
from palimpsest.domain.asking.spellings import names_in
from palimpsest.domain.asking.synonyms import Synonyms
from palimpsest.domain.asking.voice import in_own_voice
from palimpsest.domain.language import Language, Linguist
from palimpsest.ports.embedder import Embedder
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.entity_arm import Asked
from palimpsest.usecases.query_vector import QueryVector
from palimpsest.usecases.question import Question
from palimpsest.usecases.space_search import Understood

_EMBEDDING_PART: Final = 2 / 3
"""Of a recall's time the arms wait so much at most for the query's vector, so that they can still do without."""


@dataclass(frozen=True, slots=True)
class Understand:
    """Reads queries. `embed_box`: how long the vector is waited for, within `box`, a recall's whole time."""

    embedder: Embedder
    linguist: Linguist
    executor: Executor
    synonyms: Synonyms
    embed_box: timedelta
    box: timedelta

    def __call__(
        self, query: RecallQuery, question: str, meant: AskedFor, speakers: Collection[str], begun: float
    ) -> Understood:
        """The query as far as it is known at once.

        Args:
            query: The request.
            question: Its text, accepted.
            meant: What the text asks for.
            speakers: Who speaks in what is searched, folded.
            begun: When the recall began, of `time.perf_counter`.
        """
        is_english = meant.languages != (Language.POLISH,)
        job = self.executor.submit(self.embedder.query, in_own_voice(question, speakers) if is_english else question)
        box = min(self.embed_box, self.box * _EMBEDDING_PART)
        asked = Asked(question, meant.languages, query.entity, query.subject, query.is_expanded)
        dates = None if query.filters.is_dated else meant.dates
        words, exact = query_words(question, self.linguist), exact_in(question)
        told = Question(
            words=words,
            dated=query_words(" ".join(dates.names), self.linguist) if dates is not None else (),
            added=tuple(map(self.synonyms.added, words)),
            names=names_in(question, meant.languages),
            asks_when=talk.asks_when(question),
            ids=exact.ids,
            phrases=tuple(filter(None, (query_words(phrase, self.linguist) for phrase in exact.phrases))),
        )
        return Understood(told, QueryVector(job, begun + box.total_seconds()), asked, dates)
