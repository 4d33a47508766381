"""The control room of a Master: from the open doors to the final ranking, and who is let in."""

import json

import pytest

from pergioco.core import jobs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.publishing import published
from pergioco.stages import facts
from pergioco.stages.services.drafting import find_draft
from risiko_master.models import ClockPress, Commitment, Draw
from risiko_master.rules.checker import check_draw
from risiko_master.services import presence
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of
from tests.risiko_master.desk.master_day import MasterDay

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def day():
    return MasterDay()


def steps(day):
    return {step.code: step.state for step in day.get().context["room"].steps}


def test_the_whole_day_through_its_pages(day):
    seen = [day.get().context["room"].turn]
    day.begin()
    seen.append(day.get().context["room"].turn)
    day.play(1)
    seen.append(day.get().context["room"].turn)
    day.post("draws/2/", step="draw")
    day.play(2)
    seen.append(day.get().context["room"].turn)
    day.post("draws/3/", step="draw")
    day.play(3)
    seen.append(day.get().context["room"].turn)
    day.post("finals/")
    (final,) = day.tables(4)
    assert day.sheet(4, 1, [10, 30, 20, 40][: final.seats.count()]).status_code == 302
    page = day.get("close/")
    assert [row[0] for row in page.context["rows"]][:4] == [1, 2, 3, 4]
    day.post("close/", revision=page.context["draft"].pk, sha256=page.context["seal"])
    assert seen == ["present", "game_1", "draw_2", "semifinals", "final"]
    day.stage.refresh_from_db()
    assert day.stage.status == "closed"
    jobs.run_waiting()
    kinds = published.find_publication(day.stage.season).computations.values_list("kind", flat=True)
    assert {f"rkm:{day.stage.slug}:final", f"rkm:{day.stage.slug}:qualification"} <= set(kinds)


def test_a_locked_step_says_what_it_waits_for(day):
    day.begin()
    day.sheet(1, 2, [10, 20, 30, 40])
    room = day.get().context["room"]
    assert {step.code: step.words for step in room.steps} == {
        "present": "16 of 16",
        "draw_1": "done",
        "game_1": "waits for tables 1, 3 and 4",
        "draw_2": "waits for tables 1, 3 and 4",
        "game_2": "waits for the draw",
        "semifinals": "later",
        "final": "later",
    }
    assert [step.state for step in room.steps] == ["done", "done", "current", *["locked"] * 4]
    assert room.sent == "1 table of 4 has sent. Missing: 1, 3 and 4."


def test_a_foreign_master_does_not_exist(day):
    other = signed_in(factories.user_with_role("risiko_director"))
    assert other.get(day.room).status_code == 404
    assert signed_in(factories.user_with_role("staff")).get(day.room).status_code == 200
    assert signed_in(factories.user_with_role("organizer")).get(day.room).status_code == 403


def test_the_clock_is_started_once_though_two_press(day):
    day.begin()
    pressed = {"game": "1", "what": "start", "seen": "waiting"}
    assert day.post("clock/", **pressed).status_code == 302
    again = day.post("clock/", **pressed)
    assert (again.status_code, ClockPress.objects.count()) == (409, 1)
    assert "Somebody else was faster" in again.content.decode()


def test_the_clock_stops_for_a_reason_only_and_what_was_typed_stays(day, clock):
    day.begin()
    day.post("clock/", game="1", what="start", seen="waiting")
    clock.shift(600)
    refused = day.post("clock/", game="1", what="pause", seen="running", reason=" ")
    assert (refused.status_code, ClockPress.objects.count()) == (422, 1)
    day.post("clock/", game="1", what="pause", seen="running", reason="The lights went out")
    clock.shift(3600)
    told = day.browser.get(f"/en/risiko/{day.stage.slug}/clock.json").json()
    assert (told["state"], told["left_ms"]) == ("paused", 80 * 60_000)
    assert (
        AuditEntry.objects.filter(action="risiko.clock").order_by("id").last().reason
        == "The lights went out"
    )


def test_no_time_starts_before_the_tables(day):
    answer = day.post("clock/", game="1", what="start", seen="waiting")
    assert (answer.status_code, ClockPress.objects.count()) == (422, 0)


def test_drawn_again_for_a_reason_who_came_late_has_a_table(day):
    day.begin(but=1)
    late = day.entries()[-1]
    assert Draw.objects.count() == 1
    day.post("entries/", step="here", entry=str(late.pk))
    assert day.get().context["room"].unseated == [str(late.player.person)]
    assert day.post("draws/1/", step="again", reason="", seed="").status_code == 422
    assert day.post("draws/1/", step="again", reason="One came late", seed="").status_code == 302
    assert (day.get().context["room"].unseated, Commitment.objects.filter(number=1).count()) == (
        [],
        2,
    )
    assert sum(table.seats.count() for table in day.tables(1)) == 16


def test_the_draw_says_what_could_be_avoided(day):
    day.begin()
    page = day.get("draws/1/")
    assert [(one.cost, one.avoidable) for one in page.context["shown"].measures] == [(0, 0), (0, 0)]
    made = Draw.objects.get()
    assert check_draw(json.loads(made.inputs), made.seed, json.loads(made.result)) == []


def test_a_game_with_results_is_not_drawn_again(day):
    day.begin()
    day.sheet(1, 1, [10, 20, 30, 40])
    answer = day.post("draws/1/", step="again", reason="We do not like it", seed="")
    assert (answer.status_code, Draw.objects.count()) == (422, 1)


def test_the_room_asks_as_much_for_many_tables_as_for_few():
    few, many = MasterDay(players=8, clubs=()), MasterDay(players=40, clubs=(5,))
    for day in (few, many):
        day.begin()
    assert queries_of(few.browser, few.room) == queries_of(many.browser, many.room)


def test_the_wall_shows_every_table_and_every_name(day):
    assert day.get("wall/").status_code == 404
    day.begin()
    page = day.get("wall/").content.decode()
    screen = day.get(screen="1").content.decode()
    for entry in day.entries():
        assert str(entry.player.person) in page
        assert str(entry.player.person) in screen


def test_a_closed_master_is_corrected_with_a_reason(day):
    day.until_the_finals()
    seats = day.tables(4)[0].seats.count()
    day.sheet(4, 1, [10, 30, 20, 40][:seats])
    page = day.get("close/")
    day.post("close/", revision=page.context["draft"].pk, sha256=page.context["seal"])
    assert find_draft(day.stage) is None
    assert day.post("correct/", reason="").status_code == 200
    day.post("correct/", reason="The sheet of the final was read wrongly")
    assert day.sheet(4, 1, [50, 30, 20, 40][:seats], reason="read again").status_code == 302
    assert facts.read_rounds(find_draft(day.stage))[-1].tables[0].seats[0].score == 50


def test_closing_what_somebody_changed_meanwhile_is_refused(day):
    day.until_the_finals()
    seats = day.tables(4)[0].seats.count()
    day.sheet(4, 1, [10, 30, 20, 40][:seats])
    page = day.get("close/")
    day.sheet(4, 1, [60, 30, 20, 40][:seats])
    answer = day.post("close/", revision=page.context["draft"].pk, sha256=page.context["seal"])
    assert answer.status_code == 409
    day.stage.refresh_from_db()
    assert day.stage.status == "open"


def test_presences_are_announced_before_they_are_closed(day):
    answer = day.post("doors/", follow=True)
    assert (answer.status_code, presence.is_drawn(day.stage)) == (302, False)
