"""Propose terms that the vocabulary of a space lacks, once two sources that are nobody's copy have use for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.graph.holding import held_out
from palimpsest.domain.graph.links import HeldOut, Source, subject
from palimpsest.domain.graph.term import TermKind
from palimpsest.domain.naming.proposals import Kept
from palimpsest.stores.seen_phrases import SeenPhrases
from palimpsest.stores.spaces import Space
from palimpsest.stores.vocabularies import ActiveVocabulary, Vocabularies


@dataclass(frozen=True, slots=True)
class Propose:
    """Notes who has use for a term first. `seen`: where that is kept, by a keyed hash."""

    vocabularies: Vocabularies
    seen: SeenPhrases

    def held(self, kept: Kept, words: ActiveVocabulary) -> tuple[HeldOut, ...]:
        """What of a reading waits for a term."""
        return held_out(kept, words.blocked, self.vocabularies.mac)

    def __call__(self, space: Space, source: Source, held: Sequence[HeldOut]) -> tuple[str, ...]:
        """Note these; the keyed hashes of the terms that no other source had use for before.

        Done before the links are written, and again after a crash, to the same end.
        """
        if not held:
            return ()
        kinds = {each.proposal: TermKind(each.kind) for each in held}
        first = self.seen.first(space.id, kinds)
        elsewhere = {each for each, source_ in first.items() if subject(source_) != subject(source)}
        self.vocabularies.propose(space.id, {each: kinds[each] for each in kinds if each in elsewhere})
        self.seen.note(space.id, kinds.keys() - first.keys(), source)
        return tuple(each for each in kinds if each not in elsewhere)
