"""Lists of words as they are written down here, made what is looked up."""

from __future__ import annotations

from collections.abc import Iterator


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def numbered(text: str, first: int = 1, step: int = 1) -> dict[str, int]:
    """``one eins, two zwei``: the number of its group for each word."""
    return {word: first + step * place for place, group in enumerate(text.split(",")) for word in group.split()}


def named(text: str) -> dict[str, str]:
    """``name: word word, name: word`` as what each word stands for."""
    pairs = (each.partition(":") for each in text.replace("\n", " ").split(","))
    return {word: name.strip() for name, _, words in pairs for word in words.split()}


def groups(text: str) -> dict[str, str]:
    """``word word, word word`` as the first word of its group for each."""
    split = [each.split() for each in text.replace("\n", " ").split(",")]
    return {word: words[0] for words in split for word in words}


def marked(text: str) -> dict[str, frozenset[str]]:
    """``mark mark: word word, mark: word`` as the marks of each word."""
    pairs = (each.partition(":") for each in text.replace("\n", " ").split(","))
    return {word: frozenset(marks.split()) for marks, _, words in pairs for word in words.split()}


def phrases(text: str) -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """``some words = what they stand for``, one a line, by their first word; longer ones first."""
    found: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for words, meaning in sorted(_lines(text), key=lambda each: -len(each[0])):
        found.setdefault(words[0], []).append((words, meaning))
    return found


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    for line in text.replace("\n", "; ").split("; "):
        words, _, meaning = line.partition("=")
        if words.strip():
            yield tuple(words.split()), tuple(meaning.split())
