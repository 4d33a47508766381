"""`manage.py send_convocations`: the desk's button from the server's own keyboard."""

from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from big_league.models import Convocation, Final
from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Person
from tests import factories
from tests.big_league.finals.hall import announced, championship, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
SLUG = "2026-04-final-catan"


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("send_convocations", SLUG, *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def final() -> Final:
    championship(6)
    return announced(seats=4, reserves=2)


def test_a_trial_says_how_many_and_sends_nothing(final, staff):
    assert run("--mail=1", "--dry-run") == "6 people would get it. Nothing was sent.\n"
    assert (mail.outbox, Final.objects.get().state) == ([], Final.State.ANNOUNCED)


def test_it_sends_what_the_button_sends_in_the_name_of_staff(final, staff):
    assert run("--mail=1", f"--by={staff.email}") == "6 mails are on their way.\n"
    assert (len(mail.outbox), Final.objects.get().state) == (6, Final.State.FIRST)
    assert AuditEntry.objects.get(action="big_final.first_mail").actor == staff


def test_asked_for_again_it_sends_nothing_and_not_the_next_mail_either(final, staff):
    run("--mail=1", f"--by={staff.email}")
    with pytest.raises(CommandError) as refusal:
        run("--mail=1", f"--by={staff.email}")
    assert (refusal.value.returncode, len(mail.outbox), Convocation.objects.count()) == (2, 6, 6)
    assert Final.objects.get().state == Final.State.FIRST


def test_the_second_mail_goes_to_those_who_have_not_settled_it(final, staff):
    run("--mail=1", f"--by={staff.email}")
    called = [row.player for row in final.called.all()]
    say(final, called[0], "yes")
    say(final, called[1], "no")
    mail.outbox.clear()
    assert run("--mail=2", "--dry-run").startswith("4 people")
    assert run("--mail=2", f"--by={staff.email}") == "4 mails are on their way.\n"
    assert len(mail.outbox) == 4


def test_whoever_has_no_address_is_told_by_number(final, staff):
    person = Person.objects.first()
    Person.objects.filter(pk=person.pk).update(user=None, contact_email="")
    assert run("--mail=1", f"--by={staff.email}").splitlines()[1:] == [
        f"no address: {person.player.public_id}"
    ]


def test_a_player_answers_for_nothing(final):
    for address in ("", "nobody@example.org", factories.user().email):
        with pytest.raises(CommandError, match="who of the staff"):
            run("--mail=1", f"--by={address}")
    assert mail.outbox == []


def test_the_second_comes_after_the_first_and_no_other_final_is_meant(final, staff):
    with pytest.raises(CommandError, match="The first mail comes before"):
        run("--mail=2", f"--by={staff.email}")
    with pytest.raises(CommandError, match="no national final"):
        call_command("send_convocations", "2026-04-final-go", "--mail=1")
