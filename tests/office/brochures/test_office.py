"""A brochure from the question to the public page, and away from it when it has to go."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import Job
from pergioco.core.refusal import Refused
from pergioco.office.brochures import registry, typesetting
from pergioco.office.models import Brochure, Page
from pergioco.office.services import brochures
from pergioco.players.services import consents, erasing
from pergioco.publishing.services import publish
from pergioco.stages.models import Season
from tests import factories
from tests.office.brochures.pages import text_of
from tests.publishing import year

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
    row = brochures.request_brochure(
        brochures.Wanted(season, "en", sections=("red", "blue"), **fields), by=None
    )
    assert jobs.run(row.job_id)
    row.refresh_from_db()
    return row


def run_all() -> None:
    while jobs.run_waiting():
        pass


def public(row: Brochure) -> str:
    return f"/en/brochures/{row.pk}.pdf"


def test_the_parts_of_a_whole_season_are_called_as_in_the_form(desk, season):
    row = brochures.request_brochure(
        brochures.Wanted(
            season, "en", sections=tuple(key for key, _name in registry.list_sections())
        ),
        by=None,
    )
    page = desk.get(f"{LIST}{row.pk}/")
    assert page.context["parts"] == [name for _key, name in registry.list_sections()]
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

    brochures.publish_brochure(row, by=None)

    answer = client.get(public(row))
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    for page in ("/en/rankings/2026/", "/en/archive/2026/"):
        assert public(row) in client.get(page).content.decode()


def test_staff_open_it_before_it_is_published(desk, season):
    assert desk.get(public(made(season))).status_code == 200


def test_a_new_one_takes_the_place_of_the_one_before(season):
    first, second = made(season), made(season)
    brochures.publish_brochure(first, by=None)
    brochures.publish_brochure(second, by=None)

    assert list(Brochure.objects.filter(published_at__isnull=False)) == [second]


def test_asking_twice_makes_one(season):
    wanted = brochures.Wanted(season, "en", sections=("red",))

    assert brochures.request_brochure(wanted, by=None) == brochures.request_brochure(
        wanted, by=None
    )


def test_a_job_run_twice_changes_nothing(season):
    row = made(season)
    assert jobs.run(row.job_id) is False
    assert brochures.make_brochure(row.pk) is None

    assert Brochure.objects.get().made_at == row.made_at


def test_what_a_dead_worker_left_behind_is_made_by_another(season, clock):
    row = brochures.request_brochure(brochures.Wanted(season, "en", sections=("red",)), by=None)
    jobs.lease(row.job_id)
    assert jobs.run(row.job_id) is False
    assert Brochure.objects.get().state == "running"

    clock.move_to(timezone.now() + jobs.LEASE * 2)
    assert jobs.run(row.job_id)
    assert Brochure.objects.get().state == "done"


def test_of_a_ranking_that_is_not_published_the_page_says_so(desk, season):
    row = brochures.request_brochure(brochures.Wanted(season, "en", "ranking", "game:zzz"), by=None)
    assert jobs.run(row.job_id)

    assert (
        "There is nothing published of what was asked"
        in desk.get(f"{LIST}{row.pk}/").content.decode()
    )


def test_what_is_not_ready_is_not_published(desk, season):
    row = brochures.request_brochure(brochures.Wanted(season, "en", sections=("red",)), by=None)
    answer = desk.post(f"{LIST}{row.pk}/", {"step": "publish"})

    assert answer.status_code == 409
    assert "This brochure is not ready" in answer.content.decode()


def test_one_that_is_published_is_taken_down_before_it_is_thrown_away(season):
    row = made(season)
    brochures.publish_brochure(row, by=None)
    with pytest.raises(Refused):
        brochures.delete_brochure(row, by=None)
    brochures.take_down_brochure(row, by=None)
    brochures.delete_brochure(row, by=None)

    assert not Brochure.objects.exists()
    actions = AuditEntry.objects.filter(action__startswith="brochure.").values_list(
        "action", flat=True
    )
    assert sorted(actions) == [
        f"brochure.{act}" for act in ("asked", "published", "taken_down", "thrown_away")
    ]


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
    brochures.publish_brochure(row, by=None)
    consents.record_consent(marta, "publication", given=False, language="en", way="page", by=None)
    assert client.get(public(row)).status_code == 404

    brochures.check_all_brochures()
    assert bytes(Brochure.objects.get().pdf or b"") == b""
    run_all()

    assert "Marta" not in text_of(client.get(public(row)).content)
    assert Brochure.objects.get().left_out == 1


def test_an_erased_player_is_in_no_pdf_that_is_kept(season, marta, client):
    row = made(season)
    brochures.publish_brochure(row, by=None)
    erasing.erase_player(marta, by=None)
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

    call_command(
        "export_brochure", "2026", str(path), "--language", "en", "--sections", "red", "blue"
    )
    assert path.read_bytes() == bytes(made(Season.objects.get()).pdf)


@pytest.mark.parametrize(("year_", "code"), [("1999", 2), ("2026", 1)])
def test_the_command_ends_with_a_code(season, tmp_path, year_, code):
    path = tmp_path / "there.pdf"
    if code == 1:
        path.write_bytes(b"")
    with pytest.raises(CommandError) as refused:
        call_command("export_brochure", year_, str(path))

    assert refused.value.returncode == code


def test_a_compiler_that_fails_leaves_the_job_waiting_and_it_is_tried_again(
    season, monkeypatch, clock
):
    def fail(*_args):
        raise typesetting.CannotBeSet

    row = brochures.request_brochure(brochures.Wanted(season, "en", sections=("red",)), by=None)
    with monkeypatch.context() as broken:
        broken.setattr(typesetting, "set_pdf", fail)
        run_all()
        assert Brochure.objects.get(pk=row.pk).state == "waiting"
        assert publish.current_publication(season) is not None

    clock.shift(jobs.PAUSES[0])
    run_all()
    assert Brochure.objects.get(pk=row.pk).state == "done"


def test_a_compiler_that_always_fails_ends_with_a_brochure_that_was_not_made(
    season, monkeypatch, clock
):
    def fail(*_args):
        raise typesetting.CannotBeSet

    row = brochures.request_brochure(brochures.Wanted(season, "en", sections=("red",)), by=None)
    monkeypatch.setattr(typesetting, "set_pdf", fail)
    for pause in (*jobs.PAUSES, jobs.PAUSES[-1]):
        run_all()
        clock.shift(pause)
    assert (Brochure.objects.get(pk=row.pk).state, jobs.count_given_up()) == ("failed", 1)


def test_a_worker_that_lost_its_lease_keeps_nothing(season, monkeypatch):
    row = brochures.request_brochure(brochures.Wanted(season, "en", sections=("red",)), by=None)

    def slow(*_args):
        Job.objects.filter(pk=row.job_id).update(attempts=2)  # another worker took it over
        return [b"PNG"]

    monkeypatch.setattr(typesetting, "set_pictures", slow)
    assert jobs.run(row.job_id) is False
    assert (Brochure.objects.get().made_at, Page.objects.count()) == (None, 0)
