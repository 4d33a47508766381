"""After the two games: who goes on, who will not, who stands in, and what only the referee can
say."""

import pytest

from pergioco.core.refusal import Refused
from pergioco.stages.models import Entry
from pergioco.stages.services.drafting import find_draft
from risiko_master import draft_facts
from risiko_master.labels import renunciation_sentences
from risiko_master.models import RefereeDecision
from risiko_master.services import clock, finals
from risiko_master.services import finals as services_finals
from tests.risiko_master.desk.master_day import MasterDay

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


def after_both(players=20, doubles=0):
    """A Master after its two games, in which so many win both."""
    day = MasterDay(players=players, clubs=())
    day.begin()
    winners = [table.seats.all()[0].player_id for table in day.tables(1)][:doubles]
    for game in (1, 2):
        for table in day.tables(game):
            points = [
                30 + table.number + (table.number * game) % 3 - 5 * place
                for place in range(table.seats.count())
            ]
            seats = [seat.player_id for seat in table.seats.all()]
            for winner in set(winners) & set(seats):
                points[seats.index(winner)] = 60 + winners.index(winner)
            best = seats[points.index(max(points))]
            if game == 2 and best not in winners and best in first_winners(day):
                points[seats.index(best)] = 1
            day.sheet(game, table.number, points)
        if game == 1:
            day.post("draws/2/", step="draw")
    return day


def first_winners(day):
    played = draft_facts.draft_day(day.stage, draft_facts.read_draft_rounds(find_draft(day.stage)))
    return {table[0].player for table in played.arrivals[1].values()}


def day_of(day):
    return draft_facts.day_after_both_games(day.stage, find_draft(day.stage))


def structure(day):
    played = day_of(day).played
    return played.direct, played.semifinals, played.proposed


def refused(call, *args, **named):
    with pytest.raises(Refused) as refusal:
        call(*args, **named)
    return str(refusal.value.sentence)


def told(day, player):
    names = {entry.player_id: str(entry.player.person) for entry in day.entries()}
    return [
        str(one)
        for one in renunciation_sentences(
            finals.renunciation_consequence(day.stage, day_of(day), player), names
        )
    ]


@pytest.mark.parametrize(
    ("doubles", "expected"), [(0, (0, 4, False)), (1, (1, 3, False)), (2, (2, 2, False))]
)
def test_rkm_structure_follows_from_the_sheets(doubles, expected):
    assert structure(after_both(doubles=doubles)) == expected


def test_rkm_renounced_before_a_semifinalist_the_next_one_moves_up():
    day = after_both(doubles=0)
    field = day_of(day).field
    last, next_one = field.groups[0].players[-1], day_of(day).order[16]
    assert told(day, last)[-1] == f"Into the semifinals by the ranking: {name_of(next_one)}."
    finals.renounce_seat(day.stage, last, by=day.director)
    assert next_one in day_of(day).field.groups[0].players
    assert last not in day_of(day).field.groups[0].players


def name_of(player):
    return str(Entry.objects.get(player=player).player.person)


def test_rkm_renounced_before_a_direct_finalist_makes_four_semifinals():
    day = after_both(doubles=2)
    first, second = day_of(day).field.direct
    said = told(day, first)
    assert (
        said[1]
        == "A direct finalist renounced before the semifinals, so four semifinals are played."
    )
    assert f"{name_of(second)} then plays a semifinal (RK-13)." in said
    finals.renounce_seat(day.stage, first, by=day.director)
    assert structure(day) == (0, 4, False)
    assert second in day_of(day).field.groups[0].players


def test_rkm_renounced_before_the_referee_may_leave_the_other_in_the_final():
    day = after_both(doubles=2)
    first, second = day_of(day).field.direct
    finals.renounce_seat(day.stage, first, by=day.director)
    question = services_finals.open_question(day_of(day))
    assert (question.other.direct, question.other.semifinals) == (1, 3)
    services_finals.record_decision(
        day.stage, direct=1, semifinals=3, reason="He has won twice", by=day.director
    )
    assert (structure(day), day_of(day).field.direct) == ((1, 3, False), (second,))
    finals.renounce_seat(day.stage, second, by=day.director)
    assert structure(day) == (0, 4, False)
    assert RefereeDecision.objects.count() == 2


def test_rkm_too_few_players_wait_for_the_referee():
    day = after_both(players=12)
    assert structure(day) == (0, 3, True)
    answer = day.post("draws/3/", step="draw")
    assert answer.status_code == 422
    assert "the referee decides" in answer.content.decode()
    decided = {"direct": 0, "semifinals": 3, "by": day.director}
    assert "Say why" in refused(services_finals.record_decision, day.stage, reason=" ", **decided)
    assert (
        day.post("ranking/", direct="0", semifinals="3", reason="Twelve are here").status_code
        == 302
    )
    assert structure(day) == (0, 3, False)
    assert day.post("draws/3/", step="draw").status_code == 302
    assert len(day.tables(3)) == 3
    assert "drawn already" in refused(
        services_finals.record_decision, day.stage, reason="again", **decided
    )


@pytest.mark.parametrize(("direct", "semifinals"), [(0, 4), (3, 3), (1, 0), (0, 0), (0, 1)])
def test_the_referee_decides_nothing_that_cannot_be_seated(direct, semifinals):
    day = after_both(players=12)
    refused(
        services_finals.record_decision,
        day.stage,
        direct=direct,
        semifinals=semifinals,
        reason="so",
        by=day.director,
    )
    assert RefereeDecision.objects.count() == 0


def test_nothing_is_left_to_the_referee_where_the_regulation_decides():
    day = after_both(players=20)
    assert "nothing is left" in refused(
        services_finals.record_decision,
        day.stage,
        direct=0,
        semifinals=4,
        reason="so",
        by=day.director,
    )


def test_four_players_go_straight_to_the_final_if_the_referee_says_so():
    day = after_both(players=5)
    services_finals.record_decision(
        day.stage, direct=4, semifinals=0, reason="Five are here", by=day.director
    )
    finals.seat_finals(day.stage, by=day.director)
    (final,) = day.tables(3)
    assert {seat.player_id for seat in final.seats.all()} == set(day_of(day).order[:4])
    assert day.sheet(3, 1, [10, 40, 30, 20]).status_code == 302
    assert day.get().context["room"].is_played


def semifinals_of(day):
    day.post("draws/3/", step="draw")
    day.play(3)
    played = draft_facts.day_after_semifinals(day.stage, find_draft(day.stage))
    return [[one.player for one in table] for table in played.tables("semifinal")]


def finalists(day):
    game = draft_facts.read_draft_rounds(find_draft(day.stage))[-1]
    assert game.phase == "final"
    return {seat.player for table in game.tables for seat in table.seats}


def test_rkm_renounced_final_the_second_of_the_same_table_stands_in():
    day = after_both(doubles=0)
    tables = semifinals_of(day)
    finals.seat_finals(day.stage, by=day.director)
    winner, second = tables[0][:2]
    assert (
        told(day, winner)[-1]
        == f"The seat goes to {name_of(second)}: second of the same semifinal."
    )
    finals.renounce_seat(day.stage, winner, by=day.director)
    assert finalists(day) == {second, *(table[0] for table in tables[1:])}
    assert (
        told(day, second)[-1]
        == f"The seat goes to {name_of(tables[0][2])}: third of the same semifinal."
    )


def test_rkm_renounced_table_the_best_second_of_the_others_stands_in():
    day = after_both(doubles=0)
    tables = semifinals_of(day)
    for player in tables[0]:
        finals.renounce_seat(day.stage, player, by=day.director)
    order = day_of(day).order
    best = min((table[1] for table in tables[1:]), key=order.index)
    assert finalists(day) == {best, *(table[0] for table in tables[1:])}


def test_rkm_renounced_direct_once_the_semifinals_have_begun_the_best_second_stands_in():
    day = after_both(doubles=1)
    (direct,) = day_of(day).field.direct
    day.post("draws/3/", step="draw")
    clock.press_clock(day.stage, clock.Pressed(3, "start", "waiting"), by=day.director)
    assert finals.may_renounce(day.stage, day_of(day)) == [direct]
    assert told(day, direct)[-1].startswith("The best second of the semifinals will take the seat")
    finals.renounce_seat(day.stage, direct, by=day.director)
    assert structure(day) == (1, 3, False)
    day.play(3)
    finals.seat_finals(day.stage, by=day.director)
    played = draft_facts.day_after_semifinals(day.stage, find_draft(day.stage))
    tables = [[one.player for one in table] for table in played.tables("semifinal")]
    best = min((table[1] for table in tables), key=played.order.index)
    assert finalists(day) == {best, *(table[0] for table in tables)}


def test_a_final_with_results_keeps_its_players():
    day = after_both(doubles=0)
    tables = semifinals_of(day)
    finals.seat_finals(day.stage, by=day.director)
    day.play(4)
    assert "results already" in refused(
        finals.renounce_seat, day.stage, tables[0][0], by=day.director
    )
    assert finalists(day) == {table[0] for table in tables}


def test_seated_twice_nothing_changes():
    day = after_both(doubles=0)
    semifinals_of(day)
    first = finals.seat_finals(day.stage, by=day.director)
    assert finals.seat_finals(day.stage, by=day.director) == first


def test_the_wizard_writes_nothing_before_its_button():
    day = after_both(doubles=0)
    player = day_of(day).field.groups[0].players[0]
    page = day.get("renounce/", player=str(player))
    assert "renounces" in page.content.decode()
    assert Entry.objects.exclude(withdrew_after_round=None).count() == 0
    assert day.post("renounce/", player=str(player)).status_code == 302
    assert Entry.objects.get(player=player, stage=day.stage).withdrew_after_round == 2
    assert day.get("renounce/", player="999999").status_code == 404
