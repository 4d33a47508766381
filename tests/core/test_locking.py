"""Rows that a transaction holds."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.functional import SimpleLazyObject

from pergioco.core.database import lock_pk, lock_row
from pergioco.players.models import Person
from tests import factories

pytestmark = pytest.mark.django_db


def test_the_row_is_read_again_with_what_is_related_to_it():
    person = factories.person()
    Person.objects.filter(pk=person.pk).update(city="Bari")
    with transaction.atomic(), CaptureQueriesContext(connection) as read:
        row = lock_row(person, "player")
        assert (row.city, row.player.pk) == ("Bari", person.player_id)
    assert len([query for query in read if query["sql"].startswith("SELECT")]) == 1


def test_the_user_of_a_request_is_a_row_too():
    user = factories.user()
    with transaction.atomic():
        assert lock_row(SimpleLazyObject(lambda: user)) == user


@pytest.mark.parametrize(
    ("no_key", "said"), [(False, " FOR UPDATE OF "), (True, " FOR NO KEY UPDATE OF ")]
)
def test_only_the_row_itself_is_held(no_key, said):
    person = factories.person()
    with transaction.atomic(), CaptureQueriesContext(connection) as read:
        lock_pk(Person, person.pk, "player", no_key=no_key)
    sql = next(query["sql"] for query in read if query["sql"].startswith("SELECT"))
    assert sql.endswith(f'{said}"players_person"') is (connection.vendor == "postgresql")
