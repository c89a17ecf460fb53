"""What rules and a model found, made one verdict."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from palimpsest.domain.ids import VersionRef
from palimpsest.domain.judgement import UNJUDGED, Opinion, Verdict


def weigh(rules: Verdict, model: Verdict, shown: Collection[VersionRef]) -> Verdict:
    """The verdict when both were asked.

    Rules are sure of what they affirm, so a restatement that they see stands, and the model is not heard on it. What is
    only likely to them is decided by the model where it has an opinion. Whatever both find is kept: a statement may
    restate one belief and contradict another.

    Args:
        model: `UNJUDGED` when it could not be asked; incomplete when it has to be asked later.
        shown: What the model was asked about.
    """
    if not model.is_complete:
        return replace(rules, is_complete=False)
    if model == UNJUDGED:
        return rules
    identical = rules.identical or model.identical
    contradictory = tuple(each for each in model.contradictory if not _is_of(each, identical))
    decided = {each.ref for each in (*contradictory, identical) if each is not None}
    left = [each for each in rules.doubts if each.ref not in shown]
    doubts = tuple(each for each in (*model.doubts, *left) if each.ref not in decided)
    return Verdict(model.judged_by, identical, (*rules.contradictory, *contradictory), doubts)


def _is_of(opinion: Opinion, other: Opinion | None) -> bool:
    return other is not None and opinion.ref == other.ref
