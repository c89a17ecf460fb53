"""Why an update is made decides which of the times of the version before it keeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.adapters.scrub.lexbor import Lexbor
from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
from palimpsest.domain.scrub.kinds import Rules
from palimpsest.domain.version import Because, Statement
from palimpsest.usecases import statements
from palimpsest.usecases.drafts import Revision
from palimpsest.usecases.scrub import Scrub
from tests.support.installation import OWNER, START

FROM, UNTIL = datetime(2023, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
LATER = datetime(2025, 3, 1, tzinfo=UTC)
SCRUBBER = Scrub(NumberingPlans(), Lexbor(), Rules()).of(None)
BEFORE = Statement("Marta works at Alfa", START, valid_from=FROM, valid_until=UNTIL)


@pytest.mark.parametrize(
    ("revision", "because", "times"),
    [
        (Revision("x"), Because.CORRECTED, (FROM, UNTIL)),
        (Revision("x", valid_until=LATER), Because.CORRECTED, (FROM, LATER)),
        (Revision(valid_until=LATER), Because.CORRECTED, (FROM, LATER)),
        (Revision(valid_until=None), Because.CORRECTED, (FROM, None)),
        (Revision("x", valid_from=LATER), Because.CHANGED, (LATER, None)),
        (Revision("x", valid_from=FROM - timedelta(days=1)), Because.CHANGED, (FROM - timedelta(days=1), None)),
        (Revision("x", valid_from=LATER, because=Because.CORRECTED), Because.CORRECTED, (LATER, UNTIL)),
        (Revision("x", because=Because.CHANGED), Because.CHANGED, (None, None)),
        (Revision("x", valid_until=UNTIL, because=Because.CHANGED), Because.CHANGED, (None, UNTIL)),
    ],
)
def test_a_correction_keeps_the_times_that_it_does_not_name_and_a_change_begins_anew(
    revision: Revision, because: Because, times: tuple[datetime | None, datetime | None]
) -> None:
    said, why = statements.revised(revision, BEFORE, OWNER, now=START, scrubber=SCRUBBER)

    assert (why, (said.valid_from, said.valid_until)) == (because, times)


def test_a_change_that_names_the_same_text_from_another_time_on_is_a_version() -> None:
    open_ended = Statement("Marta works at Alfa", START, valid_from=FROM)

    def revised(begins: datetime) -> Statement:
        revision = Revision(open_ended.content, valid_from=begins)
        return statements.revised(revision, open_ended, OWNER, now=START, scrubber=SCRUBBER)[0]

    moved, same = revised(LATER), revised(FROM)

    assert moved != open_ended
    assert same == open_ended
