"""The log: who, as what, from what to what; append-only; and in words."""

import ast
import re
from pathlib import Path

import pytest
from django.utils.translation import override

from pergioco.core import audit, events, jobs
from pergioco.core.audit_labels import (
    ACTIONS,
    FieldChange,
    action_label,
    describe_changes,
    role_label,
)
from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Person
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
CODE = Path(audit.__file__).parent.parent


def test_a_row_says_who_did_what_to_which_row_about_whom_and_why(staff):
    player = factories.registered()
    entry = audit.record(
        "person.edited",
        player.person,
        by=staff,
        player=player,
        changes={"city": ["Torino", "Asti"]},
        reason="asked",
    )
    assert (entry.action, entry.actor, entry.role, entry.player) == (
        "person.edited",
        staff,
        "staff",
        player,
    )
    assert (entry.object_type, entry.object_id) == ("players.person", str(player.person.pk))
    assert (entry.changes, entry.reason) == ({"city": ["Torino", "Asti"]}, "asked")


def test_the_code_of_the_request_stands_in_the_row():
    token = audit.request_id.set("7F3A")
    try:
        entry = audit.record("person.edited", factories.player(), by=None)
    finally:
        audit.request_id.reset(token)
    assert (entry.request_id, entry.role) == ("7F3A", audit.SYSTEM)


@pytest.mark.parametrize(
    "role", ["superuser", "staff", "risiko_director", "big_organizer", "organizer"]
)
def test_the_strongest_hat_is_named(role):
    assert audit.record("x", factories.player(), by=factories.user_with_role(role)).role == role


def test_staff_acting_on_their_own_row_act_as_players(staff):
    player = factories.registered(user=staff)
    assert audit.record("person.edited", player.person, by=staff, player=player).role == "player"


def test_only_what_differs_is_a_difference():
    before, after = Person(city="Torino", phone=""), Person(city="Asti", phone="")
    assert audit.text_changes(before, after, "city", "phone") == {"city": ["Torino", "Asti"]}


def test_a_row_is_neither_edited_nor_deleted():
    entry = audit.record("x", factories.player(), by=None)
    for act in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(reason="x"),
    ):
        with pytest.raises(TypeError, match="append-only"):
            act()


def test_shredding_destroys_the_values_and_keeps_the_fact():
    player = factories.player()
    audit.record(
        "person.edited", player, by=None, player=player, changes={"city": ["a", "b"]}, reason="r"
    )
    assert AuditEntry.objects.about(player).shred() == 1
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.changes, entry.reason, entry.shredded) == (
        "person.edited",
        {},
        "",
        True,
    )


def test_an_action_without_words_is_shown_by_its_code():
    assert action_label("stage.published") == "stage.published"


def test_what_the_admin_writes_is_named_after_the_model():
    assert action_label("club.changed") == "club: changed in the admin"


def test_words_are_in_the_language_of_the_reader():
    with override("en"):
        assert action_label("registration.verified") == "identity verified"
        assert role_label("staff") == "federation staff"


def recorded_actions():
    """Every text of the code that has the shape of an action of a kind that we know."""
    kinds = "|".join({action.partition(".")[0] for action in ACTIONS})
    shape = re.compile(rf"({kinds})\.[a-z_]+")
    for path in [*CODE.glob("players/*.py"), *CODE.glob("account/*.py"), *CODE.glob("desk/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and shape.fullmatch(node.value)
            ):
                yield node.value


def test_every_action_that_the_code_records_has_words():
    others = {*events.declared_events, *jobs.kinds, "data.json"}
    assert set(recorded_actions()) - ACTIONS.keys() - others == set()


def test_changes_carry_the_names_of_the_forms_and_the_words_of_the_choices():
    registration = factories.registered().registration
    entry = audit.record(
        "x", registration, by=None, changes={"state": ["new", "verified"], "other": ["", "1"]}
    )
    assert describe_changes(entry) == [
        FieldChange("state", "new", "identity verified"),
        FieldChange("other", "", "1"),
    ]


def test_a_role_is_named_in_words():
    entry = audit.record(
        "role.granted", factories.user(), by=None, changes={"role": ["", "organizer"]}
    )
    assert describe_changes(entry) == [FieldChange("role", "", "organizer of PerGioco stages")]
