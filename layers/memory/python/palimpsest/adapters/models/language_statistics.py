"""The language of a text that cheap signs don't settle, by py3langid's statistics of letters."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from palimpsest.domain.language import Language

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_LANGUAGES = ["en", "pl", "cs", "da", "de", "es", "et", "fi", "fr", "hr", "hu", "it"]
_LANGUAGES += ["la", "lt", "lv", "nl", "no", "pt", "ro", "sk", "sl", "sv", "tr"]
_SURE = 0.95
_LOADING = threading.Lock()


def languages(text: str) -> tuple[Language, ...]:
    """English or Polish when sure of it, none when sure of another language, else both."""
    name, probability = _identifier().classify(text)
    if probability < _SURE:
        return tuple(Language)
    return (Language(name),) if name in set(Language) else ()


def warm_up() -> None:
    """Load the library and its tables now."""
    _identifier()


def _identifier() -> LanguageIdentifier:
    with _LOADING:  # two threads that ask at once load it once
        return _loaded()


@cache
def _loaded() -> LanguageIdentifier:
    """With its tables cut to our languages; what is left takes 54 MB."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    whole.set_languages(_LANGUAGES)
    return LanguageIdentifier(
        whole.nb_ptc,
        whole.nb_pc,
        whole.nb_classes,
        whole.tk_nextmove,
        whole.tk_output,
        norm_probs=True,
        tk_row=whole.tk_row,
    )
