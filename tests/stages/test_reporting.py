"""What a table sends by itself: written once, confirmed by everybody, disputed, settled (BIG 3 and
7.2.2)."""

from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages import facts, table_pages
from pergioco.stages.models import Change, Revision, Round, Seat, Stage, Table, TableStep
from pergioco.stages.rules.table_state import State
from pergioco.stages.services import drafting, entering, reporting
from pergioco.stages.services.entering import Contradicts
from pergioco.stages.services.reporting import Result
from tests import factories


@pytest.fixture
def four(db) -> list[int]:
    return [factories.player().pk for _ in range(4)]


@pytest.fixture
def draft(four) -> Revision:
    players = {pk: facts.SeatFacts(pk) for pk in four}
    made = factories.drafted([], circuit="big", platform="", system="other")
    facts.write_rounds(made, [facts.RoundFacts(1, (facts.TableFacts(3, tuple(players.values())),))])
    return made


@pytest.fixture
def table(draft) -> Table:
    return table_pages.find_table_by_token(table_pages.make_table_token(draft.stage_id, 1, 3))


def results(four: list[int], *points: int) -> list[Result]:
    return [Result(player, Decimal(score)) for player, score in zip(four, points, strict=True)]


def send(table: Table, four: list[int], *points: int, **sent) -> Table:
    now = Table.objects.get(pk=table.pk)
    return reporting.report_scores(
        now, results(four, *points), **{"submission": uuid4(), "version": now.version} | sent
    )


def state(table: Table) -> reporting.TableState:
    return reporting.table_states(table.round.revision)[table.pk]


def confirm(table: Table, *players: int) -> None:
    for player in players:
        reporting.confirm_scores(table, player, submission=uuid4(), sent=state(table).sent)


def points(table: Table) -> list[int | None]:
    return [seat.score for seat in table.seats.order_by("position")]


def start_next_round(draft: Revision) -> None:
    Round.objects.create(revision=draft, number=2)


# The address of a table


def test_the_address_names_one_table_and_nobody_makes_one_up(draft, table):
    token = table_pages.make_table_token(draft.stage_id, 1, 3)
    assert table_pages.read_table_token(token) == (draft.stage_id, 1, 3)
    assert table_pages.find_table_by_token(token) == table
    assert table_pages.find_table_by_token(token.replace("-3.", "-4.")) is None
    assert (
        table_pages.find_table_by_token(table_pages.make_table_token(draft.stage_id, 1, 4)) is None
    )


def test_the_address_survives_that_the_draft_is_replaced(draft, table, staff):
    token = table_pages.make_table_token(draft.stage_id, 1, 3)
    drafting.replace_draft(draft.stage, facts.read_rounds(draft), by=staff, source=None)
    moved = table_pages.find_table_by_token(token)
    assert (moved.pk == table.pk, moved.number, moved.round.number) == (False, 3, 1)


def test_the_address_leads_nowhere_once_the_results_are_closed(draft, table):
    token = table_pages.make_table_token(draft.stage_id, 1, 3)
    Stage.objects.filter(pk=draft.stage_id).update(status=Stage.Status.CLOSED)
    assert table_pages.find_table_by_token(token) is None


# Sending


def test_what_a_table_sends_stands_in_the_draft_and_waits_for_everybody(table, four):
    assert state(table).state == State.MISSING
    sent = send(table, four, 82, 60, 43, 12)
    assert (points(sent), sent.version, state(table).state) == ([82, 60, 43, 12], 1, State.SENT)
    change = Change.objects.get()
    assert (change.what, change.by, change.before["scores"][0]["score"]) == ("scores", None, None)


def test_the_same_submission_twice_is_written_once(table, four):
    key = uuid4()
    send(table, four, 82, 60, 43, 12, submission=key)
    assert send(table, four, 82, 60, 43, 12, submission=key, version=0).version == 1
    assert (Change.objects.count(), TableStep.objects.count()) == (1, 1)


def test_the_same_submission_with_other_scores_is_refused(table, four):
    key = uuid4()
    send(table, four, 82, 60, 43, 12, submission=key)
    with pytest.raises(Contradicts):
        send(table, four, 82, 60, 43, 99, submission=key)
    assert points(table) == [82, 60, 43, 12]


def test_scores_typed_over_those_of_another_phone_are_refused(table, four):
    send(table, four, 82, 60, 43, 12)
    with pytest.raises(Outdated):
        send(table, four, 1, 2, 3, 4, version=0)
    assert points(table) == [82, 60, 43, 12]


def test_players_who_no_longer_sit_there_are_refused(table, four):
    stranger = factories.player().pk
    with pytest.raises(Outdated):
        send(table, [*four[:3], stranger], 1, 2, 3, 4)
    assert (points(table), TableStep.objects.count()) == ([None] * 4, 0)


def test_the_order_of_the_results_is_the_order_of_the_seats(table, four):
    send(table, four[::-1], 12, 43, 60, 82)
    seats = table.seats.order_by("position").values_list("position", "player", "score")
    assert list(seats) == [(1, four[3], 12), (2, four[2], 43), (3, four[1], 60), (4, four[0], 82)]


def test_the_desk_takes_back_and_writes_again_what_a_table_sent(draft, table, four, staff):
    send(table, four[::-1], 12, 43, 60, 82)
    confirm(table, *four)
    entering.undo_change(draft, by=staff)
    assert (points(table), state(table).state) == ([None] * 4, State.MISSING)
    assert [seat.player_id for seat in table.seats.order_by("position")] == four
    entering.redo_change(draft, by=staff)
    assert (points(table), state(table).state) == ([12, 43, 60, 82], State.CONFIRMED)


# Confirming and correcting


def test_everybody_at_the_table_confirms(table, four):
    send(table, four, 82, 60, 43, 12)
    confirm(table, *four[:3])
    assert (state(table).state, state(table).confirmed) == (State.SENT, set(four[:3]))
    confirm(table, four[3])
    assert (state(table).state, state(table).is_final) == (State.CONFIRMED, True)


def test_a_player_confirms_once_however_often_he_presses(table, four):
    send(table, four, 82, 60, 43, 12)
    confirm(table, four[0], four[0])
    assert TableStep.objects.filter(kind="confirmed").count() == 1


def test_nobody_confirms_scores_that_he_did_not_see(table, four):
    send(table, four, 82, 60, 43, 12)
    seen = state(table).sent
    send(table, four, 82, 60, 43, 99)
    with pytest.raises(Outdated):
        reporting.confirm_scores(table, four[0], submission=uuid4(), sent=seen)
    assert state(table).confirmed == frozenset()


def test_nobody_confirms_for_a_player_of_another_table(table, four):
    send(table, four, 82, 60, 43, 12)
    with pytest.raises(Refused):
        confirm(table, factories.player().pk)


def test_big_3_a_correction_needs_everybody_again(table, four):
    send(table, four, 82, 60, 43, 12)
    confirm(table, *four)
    send(table, four, 82, 60, 44, 12)
    assert (state(table).state, state(table).confirmed) == (State.SENT, frozenset())
    confirm(table, *four)
    assert state(table).state == State.CONFIRMED


def test_big_3_once_the_next_round_has_started_only_the_referee_corrects(draft, table, four, staff):
    send(table, four, 82, 60, 43, 12)
    start_next_round(draft)
    with pytest.raises(
        Refused, match="Il turno 2 è iniziato: il tavolo 3 ora lo può correggere solo l’arbitro"
    ):
        send(table, four, 82, 60, 44, 12)
    assert points(table) == [82, 60, 43, 12]
    corrected = results(four, 82, 60, 44, 12)
    reporting.settle_table(
        table,
        corrected,
        submission=uuid4(),
        version=1,
        by=staff,
        reason="A card was counted twice.",
    )
    assert (points(table), state(table).state) == ([82, 60, 44, 12], State.CONFIRMED)
    logged = AuditEntry.objects.get(action="table.settled")
    assert (logged.actor, logged.reason) == (staff, "A card was counted twice.")


def test_a_slow_table_sends_its_first_scores_after_the_next_round_has_started(draft, table, four):
    start_next_round(draft)
    send(table, four, 82, 60, 43, 12)
    confirm(table, *four)
    assert state(table).state == State.CONFIRMED


def test_what_the_desk_types_is_the_word_of_the_organizer(table, four, staff):
    send(table, four, 82, 60, 43, 12, by=staff)
    assert state(table).state == State.CONFIRMED


def test_the_state_survives_that_the_draft_is_replaced(draft, table, four, staff):
    send(table, four, 82, 60, 43, 12)
    confirm(table, *four)
    fresh = drafting.replace_draft(draft.stage, facts.read_rounds(draft), by=staff, source=None)
    assert [one.state for one in reporting.table_states(fresh).values()] == [State.CONFIRMED]


# Disputes


def test_a_dispute_calls_the_referee_and_his_word_ends_it(table, four, staff):
    send(table, four, 82, 60, 43, 12)
    confirm(table, *four)
    reporting.call_referee(table, reason="The longest road", submission=uuid4())
    assert (state(table).state, state(table).reason) == (State.DISPUTED, "The longest road")
    reporting.settle_table(
        table, submission=uuid4(), version=1, by=staff, reason="The road was cut."
    )
    assert (state(table).state, state(table).reason) == (State.CONFIRMED, "The road was cut.")
    assert points(table) == [82, 60, 43, 12]


def test_a_dispute_is_not_ended_by_sending_again_but_by_everybody_confirming(table, four):
    send(table, four, 82, 60, 43, 12)
    reporting.call_referee(table, reason="The longest road", submission=uuid4())
    send(table, four, 82, 60, 43, 14)
    confirm(table, *four[:3])
    assert state(table).state == State.DISPUTED
    confirm(table, four[3])
    assert state(table).state == State.CONFIRMED


def test_the_referee_can_be_called_before_there_are_scores(table):
    reporting.call_referee(table, reason="May he play that card?", submission=uuid4())
    assert state(table).state == State.DISPUTED


def test_a_dispute_and_a_decision_say_what_they_are_about(table, staff):
    for act in (
        lambda: reporting.call_referee(table, reason=" ", submission=uuid4()),
        lambda: reporting.settle_table(table, submission=uuid4(), version=0, by=staff, reason=""),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.field == "reason"


def test_only_who_runs_the_tournament_settles(draft, table, four, organizer):
    send(table, four, 82, 60, 43, 12)
    with pytest.raises(Refused):
        reporting.settle_table(table, submission=uuid4(), version=1, by=organizer, reason="Because")
    draft.stage.organizers.add(organizer)
    reporting.settle_table(table, submission=uuid4(), version=1, by=organizer, reason="Because")
    assert state(table).state == State.CONFIRMED


# A table suspended (7.2.2)


def test_a_suspended_table_is_a_draw_of_all(table, four):
    send(table, four, 82, 60, 43, 12)
    reporting.suspend_table(table, submission=uuid4(), version=1)
    seats = table.seats.values_list("outcome", "score", "timed_out")
    assert (set(seats), state(table).state) == ({("draw", None, False)}, State.SUSPENDED)


# Many tables


def test_the_states_of_a_round_cost_two_queries_whatever_its_size(draft, table, four):
    send(table, four, 82, 60, 43, 12)
    assert count(draft) == 2
    for number in range(4, 12):
        made = Table.objects.create(round=table.round, number=number)
        Seat.objects.create(table=made, position=1, player=factories.player())
    assert (count(draft), len(reporting.table_states(draft))) == (2, 9)


def count(draft: Revision) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        reporting.table_states(draft)
    return len(queries)
