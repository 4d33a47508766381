"""The results grid on the server: each cell at once, round by round without JavaScript, undo, two
people."""

from uuid import uuid4

import pytest

from pergioco.stages import facts
from pergioco.stages.models import Change, Revision, Stage, Table
from pergioco.stages.services import entering
from pergioco.stages.services.drafting import find_draft, remove_last_round
from pergioco.stages.services.entering import TypedResult
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def draft(organizer) -> Revision:
    a, b, c, d = (
        factories.person(last_name=name).player for name in ("Rossi", "Bianchi", "Verdi", "Neri")
    )
    made = factories.drafted([[(a, b), (c, d)], [(a, c), (b,)]])
    made.stage.organizers.add(organizer)
    return made


@pytest.fixture
def table(draft) -> Table:
    return Table.objects.get(round__revision=draft, round__number=1, number=1)


def grid(draft: Revision) -> str:
    return f"/en/admin/stages/{draft.stage_id}/results/"


def desk(draft: Revision, what: str) -> str:
    return f"/en/staff/stages/{draft.stage_id}/results/{what}/"


def press(user, table: Table, sign: str, *, version: int = 0, submission=None):
    sent = {
        "table": table.pk,
        "sign": sign,
        "version": version,
        "submission": submission or uuid4(),
    }
    return signed_in(user).post(
        desk(table.round.revision, "cell"), sent, headers={"accept": "application/json"}
    )


def sign(table: Table) -> str:
    return facts.read_sign(Table.objects.get(pk=table.pk).seats.order_by("position"))


def typed(table: Table, wanted: str, by, version: int = 0) -> None:
    entering.set_result(TypedResult(table.pk, wanted, version, uuid4()), by=by)


def test_organizer_of_the_stage_sees_the_grid_and_another_one_sees_nothing(organizer, draft):
    page = signed_in(organizer).get(grid(draft))
    assert page.status_code == 200
    assert "Rossi" in page.content.decode()
    assert signed_in(factories.user_with_role("organizer")).get(grid(draft)).status_code == 404


def test_stage_page_and_admin_lead_to_the_grid(staff, draft):
    link = f'href="{grid(draft)}"'
    browser = signed_in(staff)
    assert link in browser.get(f"/en/staff/stages/{draft.stage_id}/").content.decode()
    assert link in browser.get(f"/en/admin/stages/stage/{draft.stage_id}/change/").content.decode()


def test_ways_to_read_results_are_one_tab_away(organizer, draft):
    page = signed_in(organizer).get(grid(draft)).content.decode()
    for way in ("paste", "platform", "file"):
        assert f'href="/en/staff/stages/{draft.stage_id}/import/{way}/"' in page


def test_one_key_is_saved_at_once_and_the_time_is_said(organizer, table):
    answer = press(organizer, table, "1")
    assert (answer.status_code, answer.json()["sign"], answer.json()["version"]) == (200, "1", 1)
    assert answer.json()["saved"] == "Saved 12:00:00"
    assert "1 of 4" in answer.json()["panel"]
    assert sign(table) == "1"


@pytest.mark.parametrize(
    ("key", "meant"), [("x", "X"), ("=", "X"), ("3", "X"), ("−", "-"), ("0", "0"), ("", "")]
)
def test_other_keys_for_the_same_result(organizer, table, key, meant):
    assert press(organizer, table, key).json()["sign"] == meant


def test_wrong_key_says_which_ones_are_right(organizer, table):
    answer = press(organizer, table, "w")
    assert answer.status_code == 422
    assert (
        answer.json()["sentence"]
        == "“w” is not a result. Use 1, X or 2; + or − if a player was absent."
    )
    assert sign(table) == ""


def test_what_makes_no_sense_is_refused_in_words(organizer, table):
    sent = {"table": table.pk, "sign": "1", "version": "?"}
    answer = signed_in(organizer).post(desk(table.round.revision, "cell"), sent)
    assert (answer.status_code, answer.json()["sentence"]) == (
        422,
        "This was not understood. Reload the page.",
    )


def test_same_submission_sent_again_changes_nothing(organizer, table):
    submission = uuid4()
    answers = [press(organizer, table, "1", submission=submission) for _ in range(3)]
    assert [(a.status_code, a.json()["version"]) for a in answers] == [(200, 1)] * 3
    assert Change.objects.count() == 1


def test_same_submission_with_another_result_is_refused(organizer, table):
    submission = uuid4()
    press(organizer, table, "1", submission=submission)
    assert press(organizer, table, "2", submission=submission).status_code == 422
    assert sign(table) == "1"


def test_who_comes_second_hears_who_was_faster_and_sees_what_stands_there(organizer, table):
    marta = factories.person(user=factories.user_with_role("staff")).user
    press(marta, table, "1")
    answer = press(organizer, table, "2")
    assert answer.status_code == 409
    assert answer.json()["sentence"] == "Marta Rossi changed table 1 at 12:00."
    assert (answer.json()["sign"], answer.json()["version"]) == ("1", 1)


def test_table_of_a_foreign_stage_is_not_there(organizer, draft):
    foreign = factories.tournament(2, 1)
    table = Table.objects.get(round__revision=foreign)
    sent = {"table": table.pk, "sign": "1", "version": 0, "submission": uuid4()}
    answer = signed_in(organizer).post(desk(draft, "cell"), sent)
    assert (answer.status_code, answer.json()["sentence"]) == (
        409,
        "This table is no longer in the draft.",
    )
    assert sign(table) == ""


def test_draft_that_was_replaced_says_so(organizer, table, draft):
    Revision.objects.filter(pk=draft.pk).update(state="dropped")
    answer = press(organizer, table, "1")
    assert answer.status_code == 409
    assert answer.json()["sentence"].startswith("This draft was replaced in the meantime.")


def form(draft: Revision, round_: int, **signs: str) -> dict[str, object]:
    """What the page without JavaScript sends: `t1="X"` is what was chosen for table 1."""
    tables = Table.objects.filter(round__revision=draft, round__number=round_)
    sent: dict[str, object] = {"submission": uuid4(), "round": round_}
    for table in tables:
        now = sign(table)
        sent |= {
            f"version-{table.pk}": table.version,
            f"was-{table.pk}": now,
            f"sign-{table.pk}": signs.get(f"t{table.number}", now),
        }
    return sent


def test_without_javascript_one_button_saves_the_round(organizer, draft, table):
    sent = form(draft, 1, t1="1", t2="X")
    answer = signed_in(organizer).post(desk(draft, "round"), sent)
    assert answer["Location"] == f"{grid(draft)}#round-1"
    assert sorted(change.after["sign"] for change in Change.objects.all()) == ["1", "X"]


def test_round_sent_twice_is_saved_once(organizer, draft):
    sent = form(draft, 1, t1="1", t2="X")
    for _ in range(2):
        assert signed_in(organizer).post(desk(draft, "round"), sent).status_code == 302
    assert Change.objects.count() == 2


def test_row_that_somebody_else_changed_comes_back_with_both_values_and_the_others_are_saved(
    organizer, staff, draft
):
    sent = form(draft, 1, t1="2", t2="X")
    first, second = Table.objects.filter(round__revision=draft, round__number=1).order_by("number")
    typed(first, "1", staff)
    answer = signed_in(organizer).post(desk(draft, "round"), sent)
    assert answer.status_code == 409
    page = " ".join(answer.content.decode().split())
    assert "changed table 1 at 12:00. The draft says 1–0; you typed 0–1." in page
    assert (sign(first), sign(second)) == ("1", "X")


def test_row_that_was_not_touched_is_no_conflict(organizer, staff, draft, table):
    sent = form(draft, 1, t2="X")
    typed(table, "1", staff)
    assert signed_in(organizer).post(desk(draft, "round"), sent).status_code == 302
    assert sign(table) == "1"


def test_form_that_makes_no_sense_writes_nothing(organizer, draft, table):
    sent = {"submission": "?", f"sign-{table.pk}": "1", f"version-{table.pk}": "0"}
    assert signed_in(organizer).post(desk(draft, "round"), sent).status_code == 302
    assert Change.objects.count() == 0


def undo(user, draft, change: int, what: str = "undo", **headers: str):
    return signed_in(user).post(desk(draft, what), {"change": change}, headers=headers)


def test_undo_names_its_change_and_pressed_twice_takes_one_back(organizer, draft, table):
    typed(table, "1", organizer)
    typed(table, "X", organizer, version=1)
    latest = Change.objects.latest("id").pk
    for _ in range(2):
        undo(organizer, draft, latest)
    assert sign(table) == "1"


def test_undo_without_javascript_leads_back_to_the_row(organizer, draft, table):
    typed(table, "1", organizer)
    answer = undo(organizer, draft, Change.objects.get().pk)
    assert answer["Location"] == f"{grid(draft)}#t{table.pk}"


def test_what_was_undone_is_done_again(organizer, draft, table):
    typed(table, "1", organizer)
    change = Change.objects.get().pk
    undo(organizer, draft, change)
    answer = undo(organizer, draft, change, "redo", accept="application/json")
    assert (answer.json()["sign"], sign(table)) == ("1", "1")


def test_list_of_changes_offers_undo_for_the_latest_and_says_the_result(organizer, draft, table):
    typed(table, "1", organizer)
    typed(table, "X", organizer, version=1)
    page = " ".join(signed_in(organizer).get(grid(draft)).content.decode().split())
    assert "Round 1, table 1: X at 12:00" in page
    assert page.count('data-step="undo"') == 1


def test_panel_tells_games_points_and_nicknames_that_nobody_knows(organizer):
    stranger = factories.player()
    factories.account(stranger, "Kasp77")
    made = factories.drafted([[(factories.person().player, stranger)]])
    made.stage.organizers.add(organizer)
    panel = signed_in(organizer).get(grid(made)).context["panel"]
    assert (panel.done, panel.games, panel.known, panel.players, panel.unknown) == (
        0,
        1,
        1,
        2,
        ["Kasp77"],
    )


def test_player_twice_in_a_round_is_said_with_the_tables(organizer):
    a, b, c = (factories.person(last_name=name).player for name in ("Rossi", "Bianchi", "Verdi"))
    made = factories.drafted([[(a, b), (a, c)]])
    made.stage.organizers.add(organizer)
    findings = signed_in(organizer).get(grid(made)).context["panel"].findings
    assert [f.sentence for f in findings] == [
        "Marta Rossi plays twice in round 1: tables 1 and 2. Which is right?"
    ]


def test_bye_has_its_own_signs(organizer, draft):
    alone = Table.objects.get(round__revision=draft, round__number=2, number=2)
    assert press(organizer, alone, "b").json()["sign"] == "B"
    assert press(organizer, alone, "1", version=1).status_code == 422


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("planned", "There is no round yet"),
        ("closed", "To change its results, begin a correction."),
        ("cancelled", "This stage was cancelled"),
    ],
)
def test_stage_without_a_draft_says_what_comes_next(organizer, status, sentence):
    stage = factories.stage(status=status)
    stage.organizers.add(organizer)
    page = signed_in(organizer).get(f"/en/admin/stages/{stage.pk}/results/").content.decode()
    assert sentence in page


def test_grid_asks_the_database_as_often_for_twelve_games_as_for_one(organizer):
    small, large = factories.tournament(2, 1), factories.tournament(8, 3)
    for draft in (small, large):
        draft.stage.organizers.add(organizer)
    browser = signed_in(organizer)
    assert queries_of(browser, grid(large)) == queries_of(browser, grid(small))


def test_earlier_draft_comes_back_once(organizer, draft):
    remove_last_round(draft, by=organizer)
    replaced = find_draft(Stage.objects.get(pk=draft.stage_id))
    for _ in range(2):
        signed_in(organizer).post(desk(draft, "back"), {"draft": replaced.pk})
    assert find_draft(draft.stage).pk == draft.pk
