"""The language of a text that cheap signs don't settle, by py3langid's statistics of letters."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from palimpsest.domain.language import Language

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_LANGUAGES = ["en", "pl", "cs", "da", "de", "es", "et", "fi", "fr", "hr", "hu", "it"]
_LANGUAGES += ["la", "lt", "lv", "nl", "no", "pt", "ro", "sk", "sl", "sv", "tr"]
_SURE = 0.95


class LanguageStatistics:
    """Tells languages in Latin script apart. Its library and its tables are loaded when it is first asked."""

    def __init__(self) -> None:
        self._identifier: LanguageIdentifier | None = None
        self._loading = threading.Lock()

    def warm_up(self) -> None:
        """Load it now."""
        self._load()

    def languages(self, text: str) -> tuple[Language, ...]:
        """English or Polish when sure of it, none when sure of another language, else both."""
        name, probability = self._load().classify(text)
        if probability < _SURE:
            return tuple(Language)
        return (Language(name),) if name in set(Language) else ()

    def _load(self) -> LanguageIdentifier:
        with self._loading:
            if self._identifier is None:
                self._identifier = _identifier()
            return self._identifier


def _identifier() -> LanguageIdentifier:
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
