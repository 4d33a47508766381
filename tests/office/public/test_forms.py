"""The public forms of the office, and the page of the signed link. Without a script."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from pergioco.office.models import Case
from pergioco.office.services import cases
from tests import factories
from tests.big_league.events_public.test_requests import shown
from tests.conftest import signed_in
from tests.publishing.year import year_over

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
COMPLAINT, CONTACT = "/en/complaints/", "/en/contact/"
LETTER = {
    "name": "Carla Verdi",
    "email": "carla@example.net",
    "text": "It was a draw.",
    "language": "en",
}


@pytest.fixture
def write(clock):
    """Opens the form, takes a minute, sends it."""

    def write(address=COMPLAINT, client=None, **typed):
        client = client or Client()
        page = client.get(address).content.decode()
        hidden = {
            name: re.search(rf'name="{name}" value="([^"]+)"', page)[1]
            for name in ("opened", "submission")
        }
        clock.shift(timedelta(minutes=1))
        return client.post(address, LETTER | hidden | typed)

    return write


def test_a_complaint_arrives_and_its_page_shows_the_state(write):
    answer = write()
    case = Case.objects.get()
    assert answer.url == f"/en/cases/{cases.make_case_token(case)}/"
    page = Client().get(answer.url)
    assert f"Complaint {case.number}" in shown(page)
    assert "It is in the office's list." in shown(page).replace("&#x27;", "'")
    assert (page["X-Robots-Tag"], case.kind, case.language, case.sent_by) == (
        "noindex",
        "complaint",
        "en",
        None,
    )
    assert [letter.to for letter in mail.outbox] == [["carla@example.net"]]


def test_the_form_of_a_why_page_knows_the_number(write):
    season, winner, _loser = year_over()
    page = f"why/red/{season.year}/{winner.public_id}/"
    link = re.search(
        r'href="(/en/complaints/\?about=[^"]+)"', Client().get(f"/en/{page}").content.decode()
    )[1]
    form = Client().get(link)
    assert f"Red {season.year}: Marta Prima" in shown(form)
    write(link, about=f"/en/{page}")
    assert (Case.objects.get().page, Case.objects.get().office) == (page, "pgm")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("https://elsewhere.example/en/why/red/2025/x/", None),
        ("/en/about/", None),
        ("/en/rankings/2025/red/", "rankings/2025/red/"),
        ("/es/rankings/2025/red/?q=x", "rankings/2025/red/"),
        ("/it/stages/2025/2025-01/", "stages/2025/2025-01/"),
        ("", ""),
    ],
)
def test_only_a_page_of_a_number_is_disputed_and_what_was_typed_stays(write, typed, kept):
    year_over()
    answer = write(about=typed)
    if kept is None:
        assert answer.context["form"].errors.keys() == {"about"}
        assert typed in answer.content.decode()
    assert [case.page for case in Case.objects.all()] == ([] if kept is None else [kept])


@pytest.mark.parametrize("field", ["name", "email", "text", "language"])
def test_what_is_missing_is_said_at_its_field(write, field):
    answer = write(**{field: ""})
    assert answer.context["form"].errors.keys() == {field}
    assert Case.objects.count() == 0


def test_spanish_readers_are_told_the_two_languages_and_choose_one(write):
    page = shown(Client().get("/es/complaints/"))
    assert 'value="es"' not in page
    assert write("/es/complaints/", language="es").context["form"].errors.keys() == {"language"}
    assert write("/es/complaints/", language="it").status_code == 302


def test_a_trap_catches_programs_and_loses_nothing(write):
    answer = write(homepage="https://spam.example")
    assert answer.context["form"].errors.keys() == {"homepage"}
    assert "It was a draw." in answer.content.decode()
    assert Case.objects.count() == 0


def test_quicker_than_anybody_types_is_asked_once_more(clock):
    opened = Client().get(COMPLAINT).context["form"]["opened"].value()
    hasty = Client().post(COMPLAINT, LETTER | {"opened": opened})
    assert "That was quicker than anybody types." in shown(hasty)
    assert "It was a draw." in hasty.content.decode()
    clock.shift(timedelta(seconds=4))
    assert (
        Client()
        .post(COMPLAINT, LETTER | {"opened": hasty.context["form"]["opened"].value()})
        .status_code
        == 302
    )


@pytest.mark.parametrize("opened", ["", "forged"])
def test_a_form_without_its_moment_gets_one(clock, opened):
    first = Client().post(COMPLAINT, LETTER | {"opened": opened})
    assert Case.objects.count() == 0
    clock.shift(timedelta(seconds=4))
    again = Client().post(COMPLAINT, LETTER | {"opened": first.context["form"]["opened"].value()})
    assert (again.status_code, Case.objects.count()) == (302, 1)


def test_sent_twice_it_is_one(clock):
    hidden = {
        name: Client().get(COMPLAINT).context["form"][name].value()
        for name in ("opened", "submission")
    }
    clock.shift(timedelta(minutes=1))
    assert len({Client().post(COMPLAINT, LETTER | hidden).url for _ in range(2)}) == 1
    assert (Case.objects.count(), len(mail.outbox)) == (1, 1)


def test_the_third_letter_with_one_address_arrives_but_is_not_confirmed_by_mail(write):
    for number in range(3):
        answer = write(client=Client(REMOTE_ADDR=f"192.0.2.{number}"), email="CARLA@example.net")
    assert (answer.status_code, Case.objects.count(), len(mail.outbox)) == (302, 3, 2)


@pytest.mark.parametrize(
    "addresses", [["192.0.2.7"] * 12, [f"2001:db8:7:7::{n}" for n in range(12)]]
)
def test_one_connection_gets_ten_an_hour_and_a_house_of_ipv6_is_one(write, addresses):
    for number, address in enumerate(addresses):
        browser = Client(REMOTE_ADDR=address, headers={"X-Forwarded-For": f"203.0.113.{number}"})
        write(client=browser, email=f"carla{number}@example.net")
    assert Case.objects.count() == 10


def test_a_question_goes_to_the_office_that_was_chosen_in_the_language_of_the_page(write):
    write("/es/contact/", office="big")
    case = Case.objects.get()
    assert (case.kind, case.office, case.language) == ("question", "big", "es")


def test_whoever_is_signed_in_types_no_name(player_user, write):
    form = signed_in(player_user).get(CONTACT).context["form"]
    assert (form["name"].value(), form["email"].value()) == ("Marta Rossi", player_user.email)
    write(CONTACT, client=signed_in(player_user), office="pgm")
    assert Case.objects.get().sent_by == player_user


def test_the_link_shows_the_answer_and_a_forged_one_nothing(staff):
    case = cases.answer_case(
        factories.case(), by=staff, version=1, answer="You are right.", finding="A draw."
    )
    page = shown(Client().get(f"/en/cases/{cases.make_case_token(case)}/"))
    assert "You are right." in page
    assert Client().get(f"/en/cases/{case.key}.forged/").status_code == 404


@pytest.mark.parametrize(
    ("printed", "page"), [("pgm-complaints", "complaints"), ("pgm-contacts", "contact")]
)
def test_the_printed_addresses_lead_here(printed, page):
    answer = Client().get(f"/{printed}.html")
    assert (answer.status_code, answer.url) == (301, f"/it/{page}/")


def test_the_page_of_a_correction_quotes_the_complaint_and_nobody(staff):
    season, *_ = year_over()
    stage = season.stages.get()
    revision = stage.revisions.get()
    factories.case(
        revision=revision, finding="It was a draw.", state="answered", answered_at=timezone.now()
    )
    erratum = revision.errata.create(
        season=season, cause="corrected", changes={"moves": [], "pgr": []}
    )
    page = shown(Client().get(f"/en/errata/{erratum.pk}/"))
    assert "After complaint 2026-" in page
    assert "It was a draw." in page
    assert "Carla" not in page
    assert "secondo turno" not in page
