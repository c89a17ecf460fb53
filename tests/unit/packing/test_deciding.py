"""What tells of a decision, and what only speaks of one."""

from __future__ import annotations

import pytest

from palimpsest.domain.packing.deciding import tells_decision

MADE = """
We decided to use Postgres for the ledger.
The team settled on Friday releases.
I've decided not to renew the lease.
After a long talk Marta opted for the smaller flat.
They agreed that backups run at night.
Kafka was ruled out because of its cost.
The decision was that OpenSearch stays.
Decision: no more releases on Fridays.
The final decision was to wait.
We had not slept, but we chose the blue one.
What was the outcome? We voted to merge the two teams.
When we moved to Kraków we decided to sell the car.
Zdecydowaliśmy, że kolejka zostaje.
Zespół postanowił nie kupować serwera.
Ustalono, że spotkania są w piątki.
Wybrałam mieszkanie na Woli.
Zapadła decyzja o zmianie dostawcy.
Podjęliśmy decyzję: migrujemy w maju.
Stanęło na tym, że Marta prowadzi projekt.
Nie było łatwo, ale zrezygnowaliśmy z Kafki.
"""
OPEN = """
We have not decided yet.
We haven't decided which queue to use.
Nothing was decided at the meeting.
Have we decided on a database?
Why did they say that we agreed to that?
If we decided to move, the cost would double.
It is still undecided.
We need to decide by Friday.
I went with Marta to the park.
Marta will decide tomorrow.
She would have chosen the other one.
The decision is pending.
Nobody agreed on a date.
Until it is decided nothing is bought.
The service uses queue 3.
Jeszcze nie zdecydowaliśmy.
Nie ustalono terminu.
Czy ustaliliśmy już budżet?
Jeśli zdecydowaliśmy źle, wrócimy do tego.
Musimy zdecydować do piątku.
Nikt nie wybrał tej opcji.
Nic nie ustalono.
Marta pije zieloną herbatę.
"""


@pytest.mark.parametrize("text", MADE.strip().splitlines())
def test_a_decision_that_was_made_is_told(text: str) -> None:
    assert tells_decision(text)


@pytest.mark.parametrize("text", OPEN.strip().splitlines())
def test_what_is_asked_denied_or_still_open_is_no_decision(text: str) -> None:
    assert not tells_decision(text)


def test_one_sentence_of_a_long_text_is_enough() -> None:
    assert tells_decision("The meeting took two hours. Have we decided? Yes. We settled on Postgres. Then we left.")
