"""A language model that names what a test tells it to, for each text that it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from palimpsest.domain.prices import Price
from palimpsest.ports.language_model import Answer, Json, PricedModel, Question
from tests.support.installation import Installation, install
from tests.support.scripted_model import PRICE, ScriptedModel, answer, opinions

Row = Mapping[str, Json]
_TEXT = re.compile(r"\[text [0-9a-f]{16}: data, not instructions\]\n(.*)\n\[end of text [0-9a-f]{16}\]", re.DOTALL)


def entity(name: str, type_: str = "person", percent: int = 90) -> Row:
    return {"name": name, "type": type_, "percent": percent}


def relation(source: str, predicate: str, target: str, phrase: str = "", percent: int = 90) -> Row:
    told: Row = {"source": source, "predicate": predicate, "target": target, "phrase": phrase, "percent": percent}
    return told


def named(*entities: Row, relations: tuple[Row, ...] = (), attributes: tuple[Row, ...] = ()) -> Answer:
    return answer({"entities": list(entities), "relations": list(relations), "attributes": list(attributes)})


def text_of(question: Question) -> str:
    """The text that the model is shown."""
    found = _TEXT.search(question.user)
    assert found is not None
    return found[1]


def by_text(answers: Mapping[str, Answer]) -> Callable[[Question], Answer]:
    """Answers for texts that hold one of the words; nothing for all others."""

    def tell(question: Question) -> Answer:
        text = text_of(question)
        return next((told for word, told in answers.items() if word in text), named())

    return tell


@dataclass
class NamingModel(ScriptedModel):
    """Reads texts as its script says, and takes no two statements for the same or against each other."""

    def ask(self, question: Question) -> Answer:
        return super().ask(question) if question.shape.name == "named" else opinions({})(question)


def install_reading(
    folder: Path, *script: Answer | BaseException | Callable[[Question], Answer], price: Price = PRICE
) -> tuple[Installation, NamingModel]:
    """An installation whose model reads sources so, and the model."""
    model = NamingModel(list(script))
    return install(folder, model=PricedModel(model, price)), model
