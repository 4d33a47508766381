"""The admin: who comes in, what they may write, and that every write leaves an audit row."""

from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import flatten_fieldsets, label_for_field
from django.contrib.auth.models import Group
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from pergioco.core import permissions
from pergioco.core.admin_base import AuditedAdmin
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.declarations import get_declaration
from pergioco.core.models import Job, User
from pergioco.office.models import Case, PrizeList
from pergioco.players.models import (
    CalendarLink,
    Club,
    ClubMember,
    Person,
    Player,
    ProofCode,
    Registration,
)
from pergioco.stages.models import Change, Stage, Variant
from tests import factories
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db
REGISTERED = sorted(model._meta.label_lower for model in admin.site._registry)


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


def page(label: str, act: str, *args: object) -> str:
    return reverse(f"admin:{label.replace('.', '_')}_{act}", args=args)


def posted(answer) -> dict[str, str]:
    """What a browser would send back from the form on this page."""
    form = answer.context["adminform"].form
    forms = [
        form,
        *(
            row
            for inline in answer.context["inline_admin_formsets"]
            for row in inline.formset.forms
        ),
    ]
    forms += [inline.formset.management_form for inline in answer.context["inline_admin_formsets"]]
    fields = [field for one in forms for field in one]
    return {
        field.html_name: "" if field.value() in (None, False) else field.value() for field in fields
    }


# Rights


def test_every_model_in_the_admin_writes_the_audit_log_and_stands_in_the_table_of_rights():
    assert all(isinstance(one, AuditedAdmin) for one in admin.site._registry.values())
    inlines = {
        inline.model._meta.label_lower
        for one in admin.site._registry.values()
        for inline in one.inlines
    }
    assert sorted(permissions.GROUP_PERMISSIONS["staff"]) == sorted({*REGISTERED, *inlines})


@pytest.mark.parametrize("group", permissions.GROUP_PERMISSIONS)
def test_the_groups_have_the_rights_of_the_table_and_no_other(group):
    held = Group.objects.get(name=group).permissions.values_list(
        "content_type__app_label", "codename"
    )
    apps = {label.split(".")[0] for label in permissions.GROUP_PERMISSIONS[group]}
    assert {tuple(right) for right in held} == {
        (app, name) for app in apps for name in permissions.list_codenames(group, app)
    }


def test_a_right_that_left_the_table_is_taken_away_at_the_next_migration(monkeypatch):
    monkeypatch.setitem(permissions.GROUP_PERMISSIONS, "organizer", {})
    permissions.sync_group_permissions(apps.get_app_config("stages"), using="default")
    assert not Group.objects.get(name="organizer").permissions.exists()


@pytest.mark.parametrize(
    "label", ["players.player", "players.person", "players.registration", "audit_log.auditentry"]
)
def test_people_and_their_history_are_never_deleted_here_not_even_by_a_superuser(label):
    client = signed_in(factories.user_with_role("superuser"))
    row = audited_row() if label == "audit_log.auditentry" else rows_of_a_player()[label]
    assert client.get(page(label, "delete", row.pk)).status_code == 403
    assert "delete_selected" not in client.get(page(label, "changelist")).content.decode()


def rows_of_a_player():
    player = factories.registered()
    return {
        "players.player": player,
        "players.person": player.person,
        "players.registration": player.registration,
    }


def audited_row() -> AuditEntry:
    return AuditEntry.objects.create(
        role="system", action="demo.seeded", object_type="core.user", object_id="1"
    )


@pytest.mark.parametrize(
    "label", ["players.consent", "audit_log.auditentry", "core.outgoingmail", "core.job"]
)
def test_what_the_portal_writes_itself_is_only_read(label):
    client = signed_in(factories.user_with_role("superuser"))
    assert client.get(page(label, "changelist")).status_code == 200
    assert client.get(page(label, "add")).status_code == 403


def test_the_text_of_a_mail_is_shown_to_nobody(mailoutbox):
    from pergioco.core.models import OutgoingMail

    mail = OutgoingMail.objects.create(
        message_id="<1@x>", recipient="ada@example.org", raw=b"Dear canary"
    )
    client = signed_in(factories.user_with_role("superuser"))
    for shown in (
        page("core.outgoingmail", "changelist"),
        page("core.outgoingmail", "change", mail.pk),
    ):
        answer = client.get(shown).content.decode()
        assert "ada@example.org" in answer
        assert "canary" not in answer


# Every model

# A model that is none of them says here why not.
NOT_SHOWN: dict[str, str] = {
    "audit_log.auditseal": "hashes of rows: `manage.py audit_check` reads them",
    "audit_log.auditcheck": "what a night found: /readyz and the log say it",
    "core.knowndevice": "seen and removed by the person, on their account",
    "core.shortmemory": "hashes and counters: nothing to read, and nothing to repair",
}
OURS = ("pergioco.", "ratings", "rankings", "race", "big_league", "risiko_master")
WRITTEN_BY_PEOPLE = {
    "players.person",
    "players.registration",
    "players.membership",
    "players.club",
    "stages.season",
    "stages.game",
    "stages.stage",
    "stages.openingrating",
    "big_league.gamesheet",
    "big_league.sheetnote",
    "big_league.hardcorepick",
}


def test_every_model_of_ours_stands_in_the_admin_by_itself_or_inside_another():
    ours = {
        model._meta.label_lower for model in apps.get_models() if model.__module__.startswith(OURS)
    }
    inlines = {
        inline.model._meta.label_lower
        for one in admin.site._registry.values()
        for inline in one.inlines
    }
    assert ours - {*REGISTERED} - inlines == NOT_SHOWN.keys()


def test_no_key_code_or_hash_is_shown_or_searched_by_anybody():
    """A list of rows found by a key would say the key, letter by letter."""
    request = RequestFactory().get("/")
    request.user = factories.user_with_role("superuser")
    for model, shown in admin.site._registry.items():
        hidden = set(get_declaration(model).hidden.split())
        fields = set(flatten_fieldsets(shown.get_fieldsets(request)))
        assert not hidden & {
            *fields,
            *shown.list_display,
            *shown.search_fields,
            *shown.list_filter,
        }, model


@pytest.mark.parametrize("label", ["players.proofcode", "players.calendarlink"])
def test_keys_of_players_are_listed_without_the_key(staff, label):
    player = factories.proved(factories.registered()).player
    code = ProofCode.objects.create(
        account=player.accounts.get(),
        code="canary",
        made_at=timezone.now(),
        expires_at=timezone.now(),
    )
    link = CalendarLink.objects.create(player=player, key="canary")
    row = code if label == "players.proofcode" else link
    client = signed_in(staff)
    for shown in (
        page(label, "changelist"),
        page(label, "change", row.pk),
        page(label, "history", row.pk),
    ):
        answer = client.get(shown)
        assert answer.status_code == 200
        assert "canary" not in answer.content.decode()


@pytest.mark.parametrize("label", REGISTERED)
def test_every_list_can_be_searched_and_filtered(staff, label):
    shown = admin.site._registry[apps.get_model(label)]
    assert shown.search_fields
    assert shown.list_filter
    assert shown.object_history_template == "admin/audit_history.html"
    found = signed_in(staff).get(page(label, "changelist"), {"q": "nobody is called like that"})
    assert (found.status_code, len(found.context["cl"].result_list)) == (200, 0)


@pytest.mark.parametrize("label", REGISTERED)
def test_what_is_computed_or_decided_elsewhere_is_read_only(label):
    request = RequestFactory().get("/")
    request.user = factories.user_with_role("superuser")
    shown = admin.site._registry[apps.get_model(label)]
    assert shown.has_change_permission(request) is (label in WRITTEN_BY_PEOPLE)


def test_long_lists_of_others_are_typed_into_not_unrolled():
    """A list to choose from with thousands of players in it would be neither found nor sent."""
    unrolled = [
        f"{model._meta.label_lower}.{field.name}"
        for model, shown in admin.site._registry.items()
        if model._meta.label_lower in WRITTEN_BY_PEOPLE
        for field in (*model._meta.local_concrete_fields, *model._meta.local_many_to_many)
        if field.related_model in {Player, Stage, User}
        and field.name not in {*shown.readonly_fields, *shown.autocomplete_fields}
    ]
    assert unrolled == []


def heading(model, field: str, shown: AuditedAdmin) -> str:
    return str(label_for_field(field, model, shown))


def test_every_heading_of_a_list_is_in_the_readers_language():
    """What is computed has no name of a column, unless somebody gives it one."""
    computed = [
        (model, name, shown)
        for model, shown in admin.site._registry.items()
        for name in shown.list_display
        if name != "__str__" and name not in {field.name for field in model._meta.get_fields()}
    ]
    assert computed
    with override("it"):
        italian = [heading(*one) for one in computed]
    names = [name for _model, name, _shown in computed]
    same = {
        name
        for name, words in zip(names, italian, strict=True)
        if words.lower().replace(" ", "_") == name
    }
    assert same == {"nickname"}  # Italians say it so


def test_the_front_leads_to_the_desk_and_staff_to_the_log(staff, organizer):
    """Django's own list of recent actions would be empty for ever: the audit log has them."""
    shown = [signed_in(user).get("/en/admin/").content.decode() for user in (staff, organizer)]
    assert all('href="/en/staff/"' in page and "recent-actions" not in page for page in shown)
    assert ['href="/en/staff/audit/"' in page for page in shown] == [True, False]


# Organizers


def test_organizers_see_and_change_their_own_stages_only(organizer):
    own, other = factories.stage(), factories.stage()
    own.organizers.add(organizer)
    client = signed_in(organizer)
    listed = client.get(page("stages.stage", "changelist"))
    assert list(listed.context["cl"].queryset) == [own]
    assert client.get(page("stages.stage", "change", own.pk)).status_code == 200
    for act in ("change", "history"):
        assert client.get(page("stages.stage", act, other.pk)).status_code == 404
    assert client.post(page("stages.stage", "change", other.pk), {}).status_code == 404


def test_organizers_mend_their_stage_but_what_the_federation_decides(organizer):
    own = factories.stage()
    own.organizers.add(organizer)
    client = signed_in(organizer)
    form = posted(client.get(page("stages.stage", "change", own.pk)))
    assert sorted(form) == [
        "begins_at",
        "by_invitation",
        "city",
        "ends_on",
        "link",
        "pace",
        "place",
        "platform",
        "reason",
        "starts_on",
        "system",
    ]
    form |= {"link": "https://playstrategy.org/swiss/abcd", "race": "on", "slug": "mine"}
    assert client.post(page("stages.stage", "change", own.pk), form).status_code == 302
    changed = Stage.objects.get()
    assert (changed.link, changed.race, changed.slug) == (form["link"], False, own.slug)


def test_organizers_read_no_addresses(organizer, staff):
    own = factories.stage()
    own.organizers.add(organizer, staff)
    client = signed_in(organizer)
    AuditEntry.objects.create(
        actor=staff,
        role="staff",
        action="stage.changed",
        object_type="stages.stage",
        object_id=str(own.pk),
    )
    for shown in (page("stages.stage", "change", own.pk), page("stages.stage", "history", own.pk)):
        assert staff.email not in client.get(shown).content.decode()
    asked = {"app_label": "stages", "model_name": "stage", "field_name": "organizers"}
    assert client.get(reverse("admin:autocomplete"), asked).status_code == 403


# The audit rows


def test_a_repaired_person_leaves_before_and_after_and_no_name_in_djangos_own_log(staff):
    player = factories.registered(city="Torin")
    client = signed_in(staff)
    address = page("players.person", "change", player.person.pk)
    answer = client.post(address, posted(client.get(address)) | {"city": "Torino"})
    assert answer.status_code == 302
    assert Person.objects.get().city == "Torino"
    row = AuditEntry.objects.get()
    assert (row.action, row.actor, row.player, row.changes) == (
        "person.changed",
        staff,
        player,
        {"city": ["Torin", "Torino"]},
    )
    assert not LogEntry.objects.exists()


def test_saving_without_a_change_leaves_no_row(staff):
    person = factories.registered().person
    client = signed_in(staff)
    address = page("players.person", "change", person.pk)
    assert client.post(address, posted(client.get(address))).status_code == 302
    assert not AuditEntry.objects.exists()


def test_a_change_that_fails_half_way_leaves_neither_change_nor_row(staff, monkeypatch):
    person = factories.registered(city="Torin").person
    client = signed_in(staff)
    client.raise_request_exception = False
    address = page("players.person", "change", person.pk)
    form = posted(client.get(address)) | {"city": "Torino"}
    monkeypatch.setattr(AuditedAdmin, "response_change", lambda *_: 1 / 0)
    assert client.post(address, form).status_code == 500
    assert Person.objects.get().city == "Torin"
    assert not AuditEntry.objects.exists()


def test_a_corrected_day_of_registration_makes_older_decisions_outdated(staff):
    row = factories.registered().registration
    client = signed_in(staff)
    address = page("players.registration", "change", row.pk)
    client.post(address, posted(client.get(address)) | {"registered_on": "2026-01-09"})
    assert Registration.objects.get().version == row.version + 1


def test_rows_inside_a_form_are_audited_one_by_one(staff):
    game = factories.game("abalone")
    goes = Variant.objects.create(game=game, platform="bga", key="abalone")
    client = signed_in(staff)
    address = page("stages.game", "change", game.pk)
    form = posted(client.get(address)) | {
        "name_it": "Abalone",
        "variants-0-DELETE": "on",
        "variants-TOTAL_FORMS": "2",
    }
    form |= {
        "variants-1-game": game.pk,
        "variants-1-platform": "playstrategy",
        "variants-1-key": "abalone6",
    }
    assert client.post(address, form).status_code == 302
    new = Variant.objects.get()
    assert [
        (row.action, row.object_id, row.changes) for row in AuditEntry.objects.order_by("pk")
    ] == [
        ("game.changed", str(game.pk), {"name_it": ["abalone", "Abalone"]}),
        ("variant.deleted", str(goes.pk), {"name": ["bga:abalone", ""]}),
        ("variant.added", str(new.pk), {"platform": ["", "playstrategy"], "key": ["", "abalone6"]}),
    ]


def test_new_organizers_of_a_stage_are_in_its_history(staff, organizer):
    stage = factories.stage()
    client = signed_in(staff)
    address = page("stages.stage", "change", stage.pk)
    client.post(address, posted(client.get(address)) | {"organizers": [organizer.pk]})
    assert AuditEntry.objects.get().changes == {"organizers": ["", str(organizer.pk)]}
    history = client.get(page("stages.stage", "history", stage.pk)).content.decode()
    assert "changed in the admin" in history
    assert staff.email in history


def test_deleting_one_and_deleting_several_both_leave_rows(staff):
    clubs = [Club.objects.create(name=name) for name in ("Torri", "Alfieri", "Re")]
    client = signed_in(staff)
    client.post(page("players.club", "delete", clubs[0].pk), {"post": "yes"})
    several = {
        "action": "delete_selected",
        "_selected_action": [club.pk for club in clubs[1:]],
        "post": "yes",
    }
    client.post(page("players.club", "changelist"), several)
    assert not Club.objects.exists()
    assert sorted(
        row.changes["name"][0] for row in AuditEntry.objects.filter(action="club.deleted")
    ) == [
        "Alfieri",
        "Re",
        "Torri",
    ]


def test_a_member_of_a_club_is_found_by_name(staff):
    player = factories.registered(last_name="Žižek")
    asked = {
        "app_label": "players",
        "model_name": "clubmember",
        "field_name": "player",
        "term": "zizek",
    }
    found = signed_in(staff).get(reverse("admin:autocomplete"), asked).json()["results"]
    assert found == [{"id": str(player.pk), "text": f"Marta Žižek ({player.public_id})"}]
    assert not ClubMember.objects.exists()


# Actions say how many


def test_steps_that_gave_up_are_tried_again(staff):
    stuck = Job.objects.create(
        kind="mail.send",
        arguments={"mail": 1},
        not_before=timezone.now(),
        attempts=5,
        state="failed",
    )
    done = Job.objects.create(
        kind="mail.send",
        not_before=timezone.now(),
        attempts=1,
        state="done",
        done_at=timezone.now(),
    )
    form = {"action": "try_again", "_selected_action": [stuck.pk, done.pk]}
    answer = signed_in(staff).post(page("core.job", "changelist"), form, follow=True)
    assert "1 step will be tried again." in answer.content.decode()
    assert list(Job.objects.order_by("pk").values_list("attempts", flat=True)) == [0, 1]
    assert AuditEntry.objects.get().action == "job.tried_again"


def test_somebody_is_signed_out_everywhere(staff, player_user):
    theirs = signed_in(player_user)
    theirs.get(reverse("me"))
    form = {"action": "sign_out", "_selected_action": [player_user.pk]}
    answer = signed_in(staff).post(page("core.user", "changelist"), form, follow=True)
    assert "1 person signed out everywhere." in answer.content.decode()
    assert theirs.get(reverse("me")).status_code == 302


def test_a_counted_action_says_how_many_before_it_does_anything(staff):
    events = [factories.big_event(place=place) for place in ("Bar", "Biblioteca", "Circolo")]
    factories.season(2026)
    client = signed_in(staff)
    chosen = {"action": "homologate", "_selected_action": [event.pk for event in events]}
    asked = client.post(page("big_league.event", "changelist"), chosen)
    assert 'value="Homologate 3 tournaments"' in asked.content.decode()
    assert not Stage.objects.exists()
    done = client.post(
        page("big_league.event", "changelist"), chosen | {"sure": "yes"}, follow=True
    )
    assert "Homologate 3 tournaments: 3 done." in done.content.decode()
    assert Stage.objects.count() == 3


def test_what_a_use_case_refuses_stays_and_the_others_are_done(staff):
    answered = factories.case(state="answered", answered_at=timezone.now())
    waits = factories.case()
    chosen = {"action": "close", "_selected_action": [answered.pk, waits.pk], "sure": "yes"}
    said = (
        signed_in(staff)
        .post(page("office.case", "changelist"), chosen, follow=True)
        .content.decode()
    )
    assert f"{waits.number}: Answer it first" in said
    assert "Close 2 letters: 1 done." in said
    assert [Case.objects.get(pk=case.pk).state for case in (answered, waits)] == [
        "closed",
        "received",
    ]


def test_prizes_are_announced_together(staff):
    rows = [factories.prizes("red"), factories.prizes("blue")]
    chosen = {"action": "announce", "_selected_action": [row.pk for row in rows], "sure": "yes"}
    signed_in(staff).post(page("office.prizelist", "changelist"), chosen)
    assert set(PrizeList.objects.values_list("state", flat=True)) == {"announced"}


# Lists


def fill(staff) -> None:
    """One more row in every list."""
    player, shadow = factories.registered(), factories.player()
    factories.proved(player)
    factories.account(shadow)
    stage = factories.stage()
    stage.organizers.add(staff)
    Club.objects.create(name=f"Torri {player.pk}")
    audited_row()
    factories.case(handled_by=staff)
    factories.prizes(of=factories.season(2030 + player.pk), changed_by=staff)
    seat = factories.tournament(4, 1).rounds.get().tables.all()[0].seats.all()[0]
    Change.objects.create(
        revision=seat.table.round.revision, submission=uuid4(), what="result", by=staff
    )


@pytest.mark.parametrize("label", REGISTERED)
def test_each_list_costs_the_same_whatever_its_length(staff, label):
    client = signed_in(staff)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(page(label, "changelist")).status_code == 200
        return len(captured)

    fill(staff)
    queries()
    with_one = queries()
    fill(staff)
    fill(staff)
    assert queries() == with_one
