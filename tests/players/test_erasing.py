"""Erasure: the person goes, the player stays as a number (reliability T24)."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.mail import send_mail
from django.core.management import CommandError, call_command
from django.db import connection

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.data import Delete, Keep
from pergioco.core.declarations import get_declaration, list_personal_models
from pergioco.core.models import OutgoingMail, User
from pergioco.core.refusal import Refused
from pergioco.players.models import (
    Claim,
    Consent,
    ErasureJournal,
    Person,
    PlatformAccount,
    Player,
    Registration,
)
from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.players.services.erasing import (
    erase_player,
    preview_erasure,
    read_journal,
    replay_erasures,
)
from pergioco.players.services.personal_data import owner_of, rows_about
from tests import factories
from tests.players.everything import BORN, CANARY, DOCUMENT_SEEN, somebody_with_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
OUTBOX = "pergioco.core.mail.QueueBackend"


def dump() -> str:
    """Every value of every table, as the database gives it; sessions are read through their
    encoding."""
    values = [str(session.get_decoded()) for session in Session.objects.all()]
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            values += [
                value.decode(errors="replace") if isinstance(value, bytes) else str(value)
                for row in cursor.fetchall()
                for value in row
            ]
    return "\n".join(values)


def files() -> str:
    folders = (settings.MAIL_FOLDER, settings.MEDIA_ROOT)
    return "\n".join(
        f.read_text()
        for folder in folders
        if folder.exists()
        for f in folder.rglob("*")
        if f.is_file()
    )


def traces(*words: str) -> dict[str, bool]:
    everything = (dump() + files()).lower()
    return {word: word.lower() in everything for word in words}


def test_no_trace_of_the_person_is_left_in_the_database_or_the_files(
    staff, settings, django_capture_on_commit_callbacks
):
    # what was delivered has left the house
    settings.EMAIL_BACKEND, settings.MAIL_TRANSPORT = (
        OUTBOX,
        "console",
    )
    player = somebody_with_everything(staff)
    send_mail("canary", "canary", None, [player.person.user.email])
    traced = (CANARY, str(BORN), str(DOCUMENT_SEEN), "192.0.2.77")
    assert traces(*traced) == dict.fromkeys(traced, True)
    with django_capture_on_commit_callbacks(execute=True):
        erase_player(player, by=player.person.user)
    assert traces(*traced) == dict.fromkeys(traced, False)


def values_of(player: Player) -> dict[str, list[dict]]:
    return {
        one._meta.label: list(rows_about(owner_of(player), one).values())
        for one in list_personal_models()
    }


def test_nothing_of_anybody_else_is_touched(staff):
    other = factories.registered(first_name="Altra", user=factories.user("altra@example.org"))
    factories.account(other, "altranick")
    before = values_of(other)
    erase_player(somebody_with_everything(staff), by=None)
    assert values_of(other) == before


def test_what_stays_is_what_the_preview_names(staff):
    player = somebody_with_everything(staff)
    owner, announced = owner_of(player), preview_erasure(player)
    erase_player(player, by=None)
    there = {model: rows_about(owner, model).exists() for model in list_personal_models()}
    after = {model: get_declaration(model).on_erasure for model in there}
    assert [
        after[model].words for model in there if isinstance(after[model], Keep) and there[model]
    ] == announced.stays
    assert [model for model in there if isinstance(after[model], Delete) and there[model]] == []
    assert [one.words for one in after.values() if isinstance(one, Delete)] == announced.goes


def test_the_preview_leaves_out_what_there_is_none_of():
    player = factories.registered()
    factories.account(player)
    assert preview_erasure(player).goes == [
        "your name, birth date, city, country and phone",
        "your e-mail addresses",
        "your accounts on the platforms",
        "your nicknames, those of the past too",
    ]
    assert preview_erasure(player).stays == [
        "your results, under a number: the other players’ ratings stand on them",
        "an empty login, without address, password or rights",
        "the day of your registration and its state",
        "what you agreed to and when, without your name: it proves what we were allowed",
        "that something was changed and when; the values are destroyed",
        "the day of this deletion, to repeat it if a backup is ever restored",
    ]


def test_the_player_is_a_number_from_now_on_and_so_is_the_absorbed_past(staff):
    player = somebody_with_everything(staff)
    erase_player(player, by=player.person.user)
    now = datetime(2026, 3, 12, 11, tzinfo=UTC)
    assert list(Player.objects.values_list("erased_at", flat=True)) == [now, now]
    assert (
        public_name(Player.objects.with_names().get(pk=player.pk), PGM)
        == f"Removed player {player.public_id}"
    )


def test_the_login_is_empty_and_lets_nobody_in(client):
    player = factories.registered()
    user = player.person.user
    client.force_login(user)
    client.get("/en/")
    erase_player(player, by=user)
    emptied = User.objects.get(pk=user.pk)
    assert emptied.email == f"{player.public_id}@removed.invalid"
    assert (emptied.has_usable_password(), emptied.is_active, emptied.last_login) == (
        False,
        False,
        None,
    )
    assert (
        EmailAddress.objects.count(),
        Authenticator.objects.count(),
        Session.objects.count(),
    ) == (0, 0, 0)


def test_a_half_finished_sign_in_is_forgotten_too():
    player = factories.registered()
    session = SessionStore()
    session["account_login"] = {"email": player.person.user.email}
    session.create()
    other = SessionStore()
    other["account_login"] = {"email": "somebody@example.org"}
    other.create()
    erase_player(player, by=None)
    assert [kept.session_key for kept in Session.objects.all()] == [other.session_key]


def test_the_address_may_register_again():
    player = factories.registered(user=factories.user("marta@example.org"))
    erase_player(player, by=None)
    assert factories.user("marta@example.org").pk != player.person.user.pk


def test_consents_stay_as_proof_and_the_registration_keeps_its_day():
    player = factories.registered()
    erase_player(player, by=None)
    assert Consent.objects.filter(player=player).count() == 2
    assert Registration.objects.get().registered_on.isoformat() == "2026-01-10"


def test_the_log_keeps_the_facts_and_loses_the_values(staff):
    player = somebody_with_everything(staff)
    erase_player(player, by=player.person.user)
    rows_left = AuditEntry.objects.order_by("pk").values_list(
        "action", "changes", "reason", "shredded"
    )
    assert list(rows_left) == [
        ("person.edited", {}, "", True),
        ("role.granted", {}, "", True),
        ("nickname.changed", {}, "", True),
        ("person.erased", {}, "", False),
    ]


def test_an_open_claim_no_longer_waits_for_staff(staff):
    erase_player(somebody_with_everything(staff), by=None)
    assert Claim.objects.get().state == "refused"


def test_waiting_mail_does_not_leave_and_the_last_one_does(
    settings, django_capture_on_commit_callbacks
):
    settings.EMAIL_BACKEND, settings.MAIL_TRANSPORT = OUTBOX, "file"
    player = factories.registered(user=factories.user("marta@example.org", language="en"))
    send_mail("You are invited", "Dear Marta", None, ["Marta@example.org"])
    with django_capture_on_commit_callbacks(execute=True):
        erase_player(player, by=None)
    assert [(row.recipient, bytes(row.raw)) for row in OutgoingMail.objects.all()] == [
        ("", b""),
        ("", b""),
    ]
    assert files().count("Subject:") == 1
    assert "Subject: Your data have been deleted" in files()
    assert "To: marta@example.org" in files()


def test_mail_that_a_file_transport_delivered_before_is_gone(settings):
    settings.MAIL_TRANSPORT = "file"
    settings.MAIL_FOLDER.mkdir()
    (settings.MAIL_FOLDER / "1.log").write_text("To: marta@example.org\n\nDear Marta")
    (settings.MAIL_FOLDER / "2.log").write_text("To: anna@example.org\n\nDear Anna")
    erase_player(factories.registered(user=factories.user("marta@example.org")), by=None)
    assert [file.name for file in settings.MAIL_FOLDER.iterdir()] == ["2.log"]


def test_a_person_with_a_role_is_refused_and_nothing_changes():
    player = factories.registered()
    player.person.user.groups.add(Group.objects.get(name="organizer"))
    with pytest.raises(Refused) as refusal:
        erase_player(player, by=player.person.user)
    assert str(refusal.value) == (
        "This login has a role in the federation. Ask the staff to take it away first, then come "
        "back here."
    )
    assert Person.objects.count() == 1


def test_of_a_merged_player_the_one_that_stays_is_erased(staff):
    player = somebody_with_everything(staff)
    with pytest.raises(Refused, match=player.public_id):
        erase_player(Player.objects.get(merged_into=player), by=None)


def test_erasing_twice_does_nothing_more():
    player = factories.registered()
    assert [erase_player(player, by=None), erase_player(player, by=None)] == [True, False]
    assert (ErasureJournal.objects.count(), AuditEntry.objects.count()) == (1, 1)


def test_if_the_journal_cannot_be_written_nothing_is_erased(settings, tmp_path):
    settings.ERASURE_JOURNAL = tmp_path  # a folder: opening it fails
    player = factories.registered()
    with pytest.raises(IsADirectoryError):
        erase_player(player, by=None)
    assert (Person.objects.count(), ErasureJournal.objects.count()) == (1, 0)


def test_each_erasure_is_a_line_outside_the_database(staff):
    player = somebody_with_everything(staff)
    erase_player(player, by=None)
    lines = [json.loads(line) for line in settings.ERASURE_JOURNAL.read_text().splitlines()]
    assert {line["player"] for line in lines} == set(
        Player.objects.values_list("public_id", flat=True)
    )
    assert {line["asked_at"] for line in lines} == {"2026-03-12T11:00:00+00:00"}


# After a restore


def test_a_restored_backup_is_erased_again_and_only_once():
    player, other = (
        factories.registered(user=factories.user("marta@example.org")),
        factories.registered(),
    )
    asked_at = datetime(2026, 3, 1, tzinfo=UTC)
    entries = [(player.public_id, asked_at), ("neverhere1", asked_at)]
    assert [replay_erasures(entries), replay_erasures(entries)] == [1, 0]
    assert traces("marta@example.org") == {"marta@example.org": False}
    assert (ErasureJournal.objects.get().asked_at, Person.objects.get()) == (asked_at, other.person)


def test_a_replay_tells_nobody_and_writes_no_second_line(mailoutbox):
    replay_erasures([(factories.registered().public_id, datetime(2026, 3, 1, tzinfo=UTC))])
    assert (mailoutbox, settings.ERASURE_JOURNAL.exists()) == ([], False)


def test_a_backup_in_which_the_person_still_had_a_role_or_was_merged_is_erased_again(staff):
    player = somebody_with_everything(staff)
    player.person.user.groups.add(Group.objects.get(name="organizer"))
    past = Player.objects.get(merged_into=player)
    asked_at = datetime(2026, 3, 1, tzinfo=UTC)
    assert replay_erasures([(past.public_id, asked_at), (player.public_id, asked_at)]) == 2
    assert Player.objects.filter(erased_at=None).count() == 0


# Commands


def test_the_command_erases_a_person():
    player = factories.registered()
    said = StringIO()
    call_command("erase_person", player.public_id, stdout=said)
    call_command("erase_person", player.public_id, stdout=said)
    assert said.getvalue() == "Erased.\nThere was nothing left to erase.\n"
    assert Person.objects.count() == 0


def test_the_command_says_why_it_refuses():
    player = factories.registered()
    player.person.user.groups.add(Group.objects.get(name="organizer"))
    with pytest.raises(CommandError, match="has a role in the federation"):
        call_command("erase_person", player.public_id)
    with pytest.raises(CommandError, match="There is no player nobody"):
        call_command("erase_person", "nobody")


def test_the_command_replays_the_journal(tmp_path):
    player = factories.registered()
    file = tmp_path / "journal.jsonl"
    file.write_text(
        f'{{"player": "{player.public_id}", "asked_at": "2026-03-01T00:00:00+00:00"}}\n\n'
    )
    said = StringIO()
    call_command("replay_erasures", "--file", str(file), stdout=said)
    assert said.getvalue() == "1 in the journal, 1 erased again.\n"
    assert list(read_journal(file)) == [(player.public_id, datetime(2026, 3, 1, tzinfo=UTC))]
    with pytest.raises(CommandError, match="There is no file"):
        call_command("replay_erasures", "--file", str(tmp_path / "missing"))


def test_an_erasure_takes_a_bounded_number_of_queries(django_assert_max_num_queries):
    player = factories.registered()
    for _ in range(3):
        factories.proved(player)
    ContentType.objects.get_for_models(*apps.get_models())  # asked once in the life of a process
    with django_assert_max_num_queries(159):
        erase_player(
            player, by=None, asked_at=datetime(2026, 3, 12, tzinfo=UTC) - timedelta(days=1)
        )
    assert rows_about(owner_of(player), PlatformAccount).count() == 0
