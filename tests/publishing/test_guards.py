"""What the database itself refuses once a year is final, whoever asks and however."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from pergioco.publishing.guards import GUARDS
from pergioco.publishing.models import Computation, Freeze, Line, Publication, Shown
from pergioco.publishing.services import publish
from tests import factories
from tests.publishing import year

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def final():
    season, *_ = year.year_over()
    return year.made_final(season)


@pytest.fixture
def not_final():
    """The control: the same year, proposed and not confirmed."""
    season, *_ = year.year_over()
    staff = factories.user_with_role("staff")
    return Freeze.objects.create(
        season=season, proposed_by=staff, publication=publish.current_publication(season)
    )


def another_computation(season):
    return Computation.objects.create(
        kind="red", season=season, edition=2021, sha256="0" * 64, cause="closed"
    )


def move_into(freeze):
    other = another_computation(freeze.season)
    line = Line.objects.create(
        computation=other, position=9, player=factories.player(), rank=9, value=1
    )
    Line.objects.filter(pk=line.pk).update(
        computation=freeze.publication.computations.get(kind="red")
    )


def add_a_line(freeze):
    of = freeze.publication.computations.get(kind="red")
    Line.objects.bulk_create(
        [Line(computation=of, position=9, player=factories.player(), rank=9, value=1)]
    )


ATTEMPTS = {
    "the text": lambda f: Freeze.objects.filter(pk=f.pk).update(document="another"),
    "the hash": lambda f: Freeze.objects.filter(pk=f.pk).update(sha256="0" * 64),
    "who confirmed": lambda f: Freeze.objects.filter(pk=f.pk).update(frozen_by=factories.user()),
    "a place": lambda f: Line.objects.filter(computation__kind="red").update(rank=7),
    "a value": lambda f: Line.objects.filter(computation__kind="blue").update(value=7),
    "a line that goes": lambda f: Line.objects.filter(computation__kind="green").delete(),
    "a line that comes": add_a_line,
    "a line that moves in": move_into,
    "how it was computed": lambda f: Computation.objects.filter(kind="blue").update(
        settings={"other": 1}
    ),
    "a ranking that goes": lambda f: Shown.objects.filter(kind="blue").delete(),
    "a ranking that comes": lambda f: Shown.objects.create(
        publication=f.publication, computation=another_computation(f.season), kind="other"
    ),
    "a ranking that changes": lambda f: Shown.objects.filter(kind="red").update(
        computation=another_computation(f.season)
    ),
    "the day": lambda f: Publication.objects.filter(pk=f.publication_id).update(
        as_of=timezone.localdate()
    ),
    "what is current": lambda f: Publication.objects.filter(pk=f.publication_id).update(
        is_current=False
    ),
    "a withdrawal": lambda f: Publication.objects.filter(pk=f.publication_id).update(
        withdrawn_at=timezone.now(), is_current=False
    ),
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_pgm_31_34_37_nothing_of_a_final_year_changes(final, attempt):
    with (
        pytest.raises(IntegrityError, match=r"Final rankings are never changed\."),
        transaction.atomic(),
    ):
        ATTEMPTS[attempt](final)
    final.refresh_from_db()
    assert final.sha256 == year.sha256_of_what_is_shown(final)


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_before_it_is_final_each_of_these_is_possible(not_final, attempt):
    assert ATTEMPTS[attempt](not_final) != 0


@pytest.mark.parametrize("table", [guard.table for guard in GUARDS])
def test_nor_is_a_row_of_it_deleted_by_plain_sql(final, table):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}")


@pytest.mark.postgresql
@pytest.mark.parametrize("table", [guard.table for guard in GUARDS])
def test_nor_is_a_table_of_it_emptied_at_once(final, table):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no TRUNCATE")
    with (
        pytest.raises(IntegrityError, match=r"Final rankings are never changed\."),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE {table} CASCADE")


def test_the_year_that_runs_changes_as_before(final, clock):
    one, other = (line.player for line in Line.objects.filter(computation__kind="red"))
    year.played(one, other, on=timezone.localdate())
    year.publish(2026)
    Publication.objects.filter(season__year=2026).delete()
    Computation.objects.filter(season__year=2026).exclude(kind="pgr").delete()
    assert Freeze.objects.get().publication.computations.count() == 4


def test_thinning_leaves_the_final_rankings_alone(final):
    for number in range(5, 10):
        day = timezone.now() - timedelta(days=50 - number)
        Publication.objects.create(
            season=final.season, number=number, as_of=day.date(), published_at=day
        )
    assert publish.delete_old_publications() == 3
    assert year.sha256_of_what_is_shown(Freeze.objects.get()) == final.sha256


def test_a_login_that_goes_leaves_the_final_rankings_without_its_name(final):
    final.proposed_by.delete()
    final.frozen_by.delete()
    final.refresh_from_db()
    assert (final.proposed_by, final.frozen_by, final.publication.published_by) == (
        None,
        None,
        None,
    )
