"""Small files in the formats of the data sets, written for these tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def locomo(folder: Path) -> Path:
    """Two conversations of two sessions, four questions."""
    first = _conversation(
        "one",
        ("Marta", "Jan"),
        ["I keep two bees hives in the garden.", "That must be a lot of honey!", "I sold forty jars in July."],
        ["My sister Ola moved to Gdynia.", "She works in the harbour as a crane driver.", "I visit her on Sundays."],
        [
            ("How many jars did Marta sell?", 4, ["D1:03"]),
            ("Where did Jan's sister move and what does she do there?", 1, ["D2:1; D2:2", "D9:99"]),
            ("When does Marta visit the moon?", 5, ["D2:3"]),
        ],
    )
    first["conversation"]["session_1"][0] |= {"blip_caption": "a white hive", "img_url": []}
    second = _conversation(
        "two",
        ("Ewa", "Piotr"),
        ["I learn the cello.", "With whom?", "With Mr Nowak from the opera."],
        ["The concert was sold out.", "Congratulations!", "Thank you, I was so nervous."],
        [("Who teaches Ewa the cello?", 4, ["D1:3"])],
    )
    return _write(folder / "locomo.json", [first, second])


def correction(question: str) -> dict[str, Any]:
    """An entry of the corrections for the first question."""
    return {"question_id": "locomo_0_qa0", "question": question, "correct_evidence": ["D2:2"]}


def poquad(folder: Path) -> Path:
    """Two articles, three passages, four questions, one of them without an answer."""
    articles = [
        _article(
            ("Wisła ma 1047 kilometrów długości.", [("Jak długa jest Wisła?", True), ("Jak głęboka jest?", False)])
        ),
        _article(
            ("Żubr waży do 900 kilogramów.", [("Ile waży żubr?", True)]),
            ("Bursztyn to kopalna żywica drzew.", [("Czym jest bursztyn?", True)]),
        ),
    ]
    return _write(folder / "poquad.json", articles)


def _conversation(
    name: str,
    speakers: tuple[str, str],
    first: list[str],
    second: list[str],
    questions: list[tuple[str, int, list[str]]],
) -> dict[str, Any]:
    return {
        "sample_id": name,
        "conversation": {
            "speaker_a": speakers[0],
            "speaker_b": speakers[1],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": _session(1, speakers, first),
            "session_2_date_time": "9:05 am on 12 June, 2023",
            "session_2": _session(2, speakers, second),
        },
        "qa": [{"question": text, "category": category, "evidence": gold} for text, category, gold in questions],
    }


def _session(number: int, speakers: tuple[str, str], texts: list[str]) -> list[dict[str, Any]]:
    return [{"speaker": speakers[i % 2], "dia_id": f"D{number}:{i + 1}", "text": text} for i, text in enumerate(texts)]


def _article(*passages: tuple[str, list[tuple[str, bool]]]) -> dict[str, Any]:
    return {
        "title": "",
        "passages": [
            {"text": text, "questions": [{"question": question, "answerable": yes} for question, yes in questions]}
            for text, questions in passages
        ],
    }


def _write(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    return path
