"""What one person proposes and another one confirms."""

from datetime import UTC, date, datetime

import pytest
from django.db import IntegrityError, transaction

from pergioco.core.refusal import Refused
from pergioco.core.two_person import proposed_by_another, refuse_same_person
from pergioco.players.models import Disqualification
from pergioco.publishing.models import Freeze
from pergioco.stages.models import Revision
from ratings.models import Purge
from tests import factories

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 2, tzinfo=UTC)


def disqualification() -> Disqualification:
    made = {
        "player": factories.player(),
        "kind": "ranking",
        "effective_on": date(2026, 1, 1),
        "reason": "Cheating",
    }
    return Disqualification.objects.create(proposed_by=factories.user(), **made)


DECISIONS = [
    (disqualification, "proposed_by", "confirmed_by", {"confirmed_at": NOW}),
    (
        lambda: Revision.objects.create(stage=factories.stage(), number=1),
        "closed_by",
        "approved_by",
        {},
    ),
    (lambda: Freeze.objects.create(season=factories.season(2023)), "proposed_by", "frozen_by", {}),
    (lambda: Purge.objects.create(year=2026), "proposed_by", "confirmed_by", {}),
]


def test_the_same_person_is_refused_and_another_one_is_not():
    one, other = factories.user(), factories.user()
    with pytest.raises(Refused, match=r"^Not you$"):
        refuse_same_person(one.pk, one, "Not you", rule="core.test")
    refuse_same_person(one.pk, other, "Not you", rule="core.test")
    refuse_same_person(None, one, "Not you", rule="core.test")


@pytest.mark.parametrize("by_the_system", [True, False])
def test_a_proposal_waits_for_all_but_the_one_who_made_it(by_the_system):
    one, other = factories.user(), factories.user()
    Purge.objects.create(year=2026, proposed_by=None if by_the_system else one)
    waits = [
        Purge.objects.filter(proposed_by_another("proposed_by", user)).exists()
        for user in (one, other)
    ]
    assert waits == [by_the_system, True]


@pytest.mark.parametrize(("make", "first", "second", "more"), DECISIONS)
def test_the_database_refuses_the_same_person_too(make, first, second, more):
    row, one, other = make(), factories.user(), factories.user()
    rows = type(row).objects.filter(pk=row.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**{first: one, second: one}, **more)
    assert rows.update(**{first: other, second: one}, **more) == 1
