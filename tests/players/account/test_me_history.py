"""What was changed about me, and by whom."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.core import audit
from pergioco.core.audit_log.models import AuditEntry
from tests import factories
from tests.conftest import signed_in
from tests.players.account.reading import words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
PAGE = "/en/me/history/"


def rows(user) -> list[str]:
    """Each row of the table in one line."""
    listed = signed_in(user).get(PAGE).context["rows"]
    return [f"{entry.action} {by}" for entry, by in listed]


def test_by_whom_is_you_a_role_or_the_portal_and_never_a_name(player_user, staff):
    player = player_user.person.player
    audit.record("person.edited", player, by=player_user, player=player)
    audit.record("registration.verified", player, by=staff, player=player)
    audit.record("registration.confirmed", player, by=None, player=player)
    assert rows(player_user) == [
        "registration.confirmed the portal by itself",
        "registration.verified federation staff",
        "person.edited you",
    ]
    assert staff.email not in signed_in(player_user).get(PAGE).content.decode()


def test_a_row_says_in_words_what_was_before_and_after(player_user):
    player = player_user.person.player
    changes = {"city": ["Torino", "Cuneo"], "phone": ["", "333"]}
    audit.record(
        "person.edited",
        player_user.person,
        by=player_user,
        player=player,
        changes=changes,
        reason="Moved.",
    )
    page = words(signed_in(player_user).get(PAGE).content.decode())
    assert "personal data changed you city: Torino → Cuneo phone: – → 333 Reason: Moved." in page


def test_a_consent_is_told_in_words(player_user):
    signed_in(player_user).post("/en/me/consents/publication/", {"given": "no"})
    page = words(signed_in(player_user).get(PAGE).content.decode())
    assert "consent withdrawn you publication: yes → no" in page


def test_what_was_done_to_the_login_is_there_too(staff):
    audit.record("role.granted", staff, by=None, changes={"role": ["", "organizer"]})
    assert rows(staff) == ["role.granted the portal by itself"]


def test_other_people_s_rows_are_not_mine(player_user, staff):
    other = factories.registered().person.player
    audit.record("person.edited", other, by=staff, player=other)
    audit.record("person.edited", other, by=player_user, player=other)
    assert rows(player_user) == []


def test_fifty_a_page(player_user):
    for _ in range(51):
        audit.record("person.edited", player_user, by=None, player=player_user.person.player)
    client = signed_in(player_user)
    assert len(client.get(PAGE).context["rows"]) == 50
    assert len(client.get(f"{PAGE}?page=2").context["rows"]) == 1
    assert AuditEntry.objects.count() == 51


def test_as_many_queries_for_three_rows_as_for_one():
    def queries(entries: int) -> int:
        player = factories.registered()
        for _ in range(entries):
            audit.record(
                "person.edited", player.person, by=None, player=player, changes={"city": ["a", "b"]}
            )
        client = signed_in(player.person.user)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as captured:
            client.get(PAGE)
        return len(captured)

    assert queries(1) == queries(3)
