"""`manage.py purge_pgr`: the first of the two acts of the purge, in the name of the system."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ratings import purging
from ratings.models import Purge
from tests import factories
from tests.publishing import year

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def sleeper():
    gone = factories.player()
    year.played(gone, factories.registered(date(2021, 10, 1)), on=date(2021, 12, 31))
    season, *_ = year.year_over()
    year.made_final(season)
    return gone


def run(*arguments):
    out = StringIO()
    call_command("purge_pgr", *arguments, stdout=out)
    return out.getvalue()


def refused(*arguments):
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return error.value.returncode, str(error.value)


def test_it_lists_and_proposes_and_a_person_confirms_at_the_desk(sleeper, staff):
    assert run("2026").splitlines() == [
        f"{sleeper.public_id}: 1 games, the last on 2021-12-31",
        "Proposed. A second person confirms it at /staff/purge/2026/.",
    ]
    assert purging.confirm_purge(Purge.objects.get(), by=staff).proposed_by is None


def test_a_trial_lists_and_writes_nothing(sleeper):
    assert run("2026", "--dry-run").splitlines()[-1] == "This was a trial: nothing was written."
    assert Purge.objects.count() == 0


def test_before_the_freeze_it_is_refused_with_1(sleeper):
    assert refused("2025") == (
        1,
        (
            "The purge of 1 January 2025 comes after the freeze: "
            "make the rankings of 2024 final first."
        ),
    )


def test_when_there_is_nothing_to_do_it_ends_with_2(sleeper, staff):
    run("2026")
    assert refused("2026") == (2, "The purge of 1 January 2026 is proposed already.")


def test_when_it_concerns_nobody_it_ends_with_2():
    season, *_ = year.year_over()
    year.made_final(season)
    assert refused("2026") == (2, "The purge of 1 January 2026 concerns nobody.")
