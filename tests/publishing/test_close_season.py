"""`manage.py close_season`: the first of the two acts, in the name of the system."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from pergioco.publishing.models import Freeze
from pergioco.publishing.services import freezing
from tests import factories
from tests.publishing import year

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def run(*arguments):
    out = StringIO()
    call_command("close_season", *arguments, stdout=out)
    return out.getvalue()


def refused(*arguments):
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return error.value.returncode, str(error.value)


def test_it_proposes_and_a_person_confirms_at_the_desk(staff):
    season, *_ = year.year_over()
    sha256 = freezing.hash_document(freezing.draft_document(season))
    assert run("2025").splitlines() == [
        f"8 places, SHA-256 {sha256}",
        "Proposed. A second person confirms it at /staff/year-end/2025/.",
    ]
    freeze = Freeze.objects.get()
    assert (freeze.proposed_by, freeze.frozen_at) == (None, None)
    assert freezing.confirm_freeze(freeze, by=staff).sha256 == sha256


def test_a_trial_says_the_same_and_writes_nothing():
    season, *_ = year.year_over()
    factories.stage(
        of=season, slug="forgotten", starts_on=date(2025, 11, 8), ends_on=date(2025, 11, 8)
    )
    assert run("2025", "--dry-run").splitlines()[0] == "not closed: forgotten"
    assert run("2025", "--dry-run").splitlines()[-1] == "This was a trial: nothing was written."
    assert Freeze.objects.count() == 0


@pytest.mark.parametrize("trial", [[], ["--dry-run"]])
def test_what_cannot_be_final_is_refused_with_1_and_the_same_sentence_as_at_the_desk(trial):
    factories.season(2026)
    factories.season(2025)
    assert refused("2026", *trial) == (
        1,
        "2026 is not over yet: it can be made final from 1 January 2027, by the day in Rome.",
    )
    assert refused("2025", *trial) == (
        1,
        "No ranking of 2025 was ever published: there is nothing to make final.",
    )
    assert refused("1999", *trial) == (1, "There is no season 1999.")


def test_when_there_is_nothing_to_do_it_ends_with_2():
    year.year_over()
    run("2025")
    assert refused("2025") == (2, "2025 is proposed: it waits for a second person.")
    final = freezing.confirm_freeze(Freeze.objects.get(), by=factories.user_with_role("staff"))
    assert refused("2025") == (2, f"2025 is final, SHA-256 {final.sha256}.")
