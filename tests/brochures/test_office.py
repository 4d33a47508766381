"""A brochure from the question to the public page, and away from it when it has to go."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from pergioco.brochures import choices, making, typesetting
from pergioco.brochures.models import Brochure
from pergioco.ledger import publishing, relay
from pergioco.players import consenting, erasing
from pergioco.players.models import AuditEntry
from pergioco.players.refusal import Refused
from pergioco.stages.models import Season
from tests import factories
from tests.brochures.pages import text_of
from tests.ledger import year

pytestmark = pytest.mark.django_db
LIST = "/en/staff/brochures/"
ASKED = {"kind": "season", "season": "", "language": "en", "sections": ["red", "blue"]}


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def marta():
    return factories.registered(first_name="Marta", last_name="Rossi")


@pytest.fixture
def season(marta) -> Season:
    other = factories.registered(first_name="Łukasz", last_name="Żak")
    year.played(marta, other, on=timezone.localdate().replace(month=2))
    year.publish(2026)
    return Season.objects.get(year=2026)


@pytest.fixture
def desk(client, staff):
    client.force_login(staff)
    return client


def made(season: Season, **fields: object) -> Brochure:
    row = making.ask(making.Wanted(season, "en", sections=("red", "blue"), **fields), by=None)
    making.make(row.pk)
    row.refresh_from_db()
    return row


def run_all() -> None:
    while relay.run_waiting():
        pass


def public(row: Brochure) -> str:
    return f"/en/brochures/{row.pk}.pdf"


def test_the_parts_of_a_whole_season_are_called_as_in_the_form(desk, season):
    row = making.ask(making.Wanted(season, "en", sections=tuple(key for key, _name in choices.sections())), by=None)
    page = desk.get(f"{LIST}{row.pk}/")
    assert page.context["parts"] == [name for _key, name in choices.sections()]
    assert "BIG championships" in page.context["parts"]


def test_staff_ask_look_and_publish(desk, season):
    answer = desk.post(LIST, ASKED | {"season": season.pk})
    row = Brochure.objects.get()
    address = f"{LIST}{row.pk}/"
    assert answer["Location"] == address
    assert desk.get(address)["Refresh"] == "2"

    run_all()
    page = desk.get(address)
    assert "Refresh" not in page
    assert f'src="{address}1.png"' in page.content.decode()
    assert desk.get(f"{address}1.png")["Content-Type"] == "image/png"

    desk.post(address, {"step": "publish"})
    assert Brochure.objects.get().published_at == timezone.now()
    assert "Marta Rossi" in text_of(desk.get(public(row)).content)


def test_it_is_linked_where_people_look_once_it_is_published(season, client):
    row = made(season)
    assert client.get(public(row)).status_code == 404
    assert public(row) not in client.get("/en/rankings/2026/").content.decode()

    making.publish(row, by=None)

    answer = client.get(public(row))
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    for page in ("/en/rankings/2026/", "/en/archive/2026/"):
        assert public(row) in client.get(page).content.decode()


def test_staff_open_it_before_it_is_published(desk, season):
    assert desk.get(public(made(season))).status_code == 200


def test_a_new_one_takes_the_place_of_the_one_before(season):
    first, second = made(season), made(season)
    making.publish(first, by=None)
    making.publish(second, by=None)

    assert list(Brochure.objects.filter(published_at__isnull=False)) == [second]


def test_asking_twice_makes_one(season):
    wanted = making.Wanted(season, "en", sections=("red",))

    assert making.ask(wanted, by=None) == making.ask(wanted, by=None)


def test_a_step_run_twice_changes_nothing(season):
    row = made(season)
    making.make(row.pk)

    assert Brochure.objects.get().made_at == row.made_at


def test_what_a_dead_worker_left_behind_is_made_by_another(season, clock):
    row = making.ask(making.Wanted(season, "en", sections=("red",)), by=None)
    Brochure.objects.filter(pk=row.pk).update(state="running", began_at=timezone.now())
    making.make(row.pk)
    assert Brochure.objects.get().state == "running"

    clock.move_to(timezone.now() + Brochure.LONGEST * 2)
    making.make(row.pk)
    assert Brochure.objects.get().state == "done"


def test_of_a_ranking_that_is_not_published_the_page_says_so(desk, season):
    row = making.ask(making.Wanted(season, "en", "ranking", "game:zzz"), by=None)
    making.make(row.pk)

    assert "There is nothing published of what was asked" in desk.get(f"{LIST}{row.pk}/").content.decode()


def test_what_is_not_ready_is_not_published(desk, season):
    row = making.ask(making.Wanted(season, "en", sections=("red",)), by=None)
    answer = desk.post(f"{LIST}{row.pk}/", {"step": "publish"})

    assert answer.status_code == 409
    assert "This brochure is not ready" in answer.content.decode()


def test_one_that_is_published_is_taken_down_before_it_is_thrown_away(season):
    row = made(season)
    making.publish(row, by=None)
    with pytest.raises(Refused):
        making.throw_away(row, by=None)
    making.take_down(row, by=None)
    making.throw_away(row, by=None)

    assert not Brochure.objects.exists()
    actions = AuditEntry.objects.filter(action__startswith="brochure.").values_list("action", flat=True)
    assert sorted(actions) == [f"brochure.{act}" for act in ("asked", "published", "taken_down", "thrown_away")]


def test_it_says_since_when_its_numbers_are_old(desk, season, marta, clock):
    row = made(season)
    assert "Stale since" not in desk.get(LIST).content.decode()

    clock.move_to("2026-03-20T09:30:00Z")
    year.played(marta, factories.registered(), on=timezone.localdate())
    year.publish(2026)

    for page in (LIST, f"{LIST}{row.pk}/"):
        assert "Stale since 20/03/2026 10:30" in " ".join(desk.get(page).content.decode().split())


def test_made_again_it_is_a_new_one_with_the_numbers_of_today(desk, season):
    row = made(season)
    desk.post(f"{LIST}{row.pk}/", {"step": "again"})

    assert [(one.state, one.sections) for one in Brochure.objects.all()] == [
        ("waiting", ["red", "blue"]),
        ("done", ["red", "blue"]),
    ]


def test_from_the_moment_the_consent_is_withdrawn_nobody_gets_the_name(season, marta, client):
    row = made(season)
    making.publish(row, by=None)
    consenting.record_consent(marta, "publication", given=False, language="en", way="page", by=None)
    assert client.get(public(row)).status_code == 404

    making.look_at_all()
    assert bytes(Brochure.objects.get().pdf or b"") == b""
    run_all()

    assert "Marta" not in text_of(client.get(public(row)).content)
    assert Brochure.objects.get().left_out == 1


def test_an_erased_player_is_in_no_pdf_that_is_kept(season, marta, client):
    row = made(season)
    making.publish(row, by=None)
    erasing.erase(marta, by=None)
    run_all()

    text = text_of(client.get(public(row)).content)
    assert "Marta" not in text
    assert f"Removed player {marta.public_id}" in text


def test_the_form_says_what_is_missing_and_keeps_what_was_chosen(desk, season):
    answer = desk.post(LIST, {"kind": "ranking", "season": season.pk, "language": "es"})
    page = answer.content.decode()

    assert "Choose the ranking that is to be printed." in page
    assert '<option value="es" selected>' in page


@pytest.mark.usefixtures("season")
def test_the_command_writes_what_the_page_would(tmp_path, capsys):
    path = tmp_path / "brochure.pdf"
    call_command("export_brochure", "2026", str(path), "--dry-run", "--language", "en")
    assert not path.exists()
    assert "This was a trial" in capsys.readouterr().out

    call_command("export_brochure", "2026", str(path), "--language", "en", "--sections", "red", "blue")
    assert path.read_bytes() == bytes(made(Season.objects.get()).pdf)


@pytest.mark.parametrize(("year_", "code"), [("1999", 2), ("2026", 1)])
def test_the_command_ends_with_a_code(season, tmp_path, year_, code):
    path = tmp_path / "there.pdf"
    if code == 1:
        path.write_bytes(b"")
    with pytest.raises(CommandError) as refused:
        call_command("export_brochure", year_, str(path))

    assert refused.value.returncode == code


def test_a_compiler_that_fails_leaves_the_step_waiting(season, monkeypatch):
    def fail(*_args):
        raise typesetting.CannotBeSet

    row = making.ask(making.Wanted(season, "en", sections=("red",)), by=None)
    monkeypatch.setattr(typesetting, "pdf", fail)
    run_all()

    assert Brochure.objects.get(pk=row.pk).state == "running"
    assert publishing.current(season) is not None
