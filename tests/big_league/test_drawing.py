"""The rounds of a day: drawn, opened, swapped; who comes late and who leaves; the final phases."""

import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from big_league import day_facts, labels
from big_league.day_facts import load_day
from big_league.services import attendance, round_drawing
from big_league.services.round_drawing import Wish
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Player
from pergioco.stages.models import Entry, Stage
from tests import factories
from tests.big_league import field
from tests.big_league.day import NAMES, come, draw, event_for, score, seated

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def by(db):
    return factories.user_with_role("big_organizer")


@pytest.fixture
def event(by):
    return event_for(by)


def names(day, players):
    found = {p.pk: p.person.first_name for p in Player.objects.filter(entries__stage=day.stage)}
    return [found[player] for player in players]


def test_thirteen_sit_at_four_tables_the_smaller_ones_last(event, by):
    come(event, NAMES[:13], by=by)
    day = draw(event, by=by)
    assert [len(table) for table in seated(day)] == [4, 3, 3, 3]
    assert sorted(name for table in seated(day) for name in table) == sorted(NAMES[:13])


def test_the_same_seed_gives_the_same_tables_and_another_one_others(event, by):
    come(event, NAMES[:13], by=by)
    first = round_drawing.propose_round(load_day(event.stage), Wish(4))
    assert round_drawing.propose_round(load_day(event.stage), Wish(4)) == first
    Stage.objects.filter(pk=event.stage_id).update(seed="another")
    assert round_drawing.propose_round(load_day(event.stage), Wish(4)).tables != first.tables


def test_later_tables_follow_the_standings(event, by):
    come(event, NAMES[:13], by=by)
    draw(event, by=by)
    score(event, by=by)
    order = names(load_day(event.stage), load_day(event.stage).qualification)
    assert seated(draw(event, by=by)) == [order[:4], order[4:7], order[7:10], order[10:]]


def test_whoever_comes_late_has_no_points_and_whoever_left_no_seat(event, by):
    players = come(event, NAMES[:8], by=by)
    draw(event, by=by)
    score(event, by=by)
    attendance.withdraw_after(event, players[0], round_=1, by=by)
    come(event, ["Olga"], by=by)
    tables = seated(draw(event, by=by))
    assert [len(table) for table in tables] == [4, 4]
    assert ("Ada" in tables[0] + tables[1], tables[1][-1]) == (False, "Olga")


def test_scores_are_missing_and_it_is_said_where(event, by):
    come(event, NAMES[:8], by=by)
    draw(event, by=by)
    with pytest.raises(Refused, match="missing at these tables: 1, 2"):
        round_drawing.propose_round(load_day(event.stage), Wish(4))


@pytest.mark.parametrize(
    ("count", "seed", "sentence"),
    [(4, "", "Draw the seed first"), (1, "seed", "two at least"), (2, "seed", "do not fit")],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(event, by, count, seed, sentence):
    come(event, NAMES[:count], by=by)
    Stage.objects.filter(pk=event.stage_id).update(seed=seed)
    with pytest.raises(Refused, match=sentence):
        round_drawing.propose_round(load_day(event.stage), Wish(4))


def test_what_changed_while_somebody_looked_is_not_saved(event, by):
    come(event, NAMES[:8], by=by)
    seen = round_drawing.propose_round(load_day(event.stage), Wish(4))
    come(event, ["Olga"], by=by)
    with pytest.raises(Outdated):
        round_drawing.open_drawn_round(event.stage, Wish(4), by=by, sha256=seen.sha256)
    assert load_day(event.stage).facts == ()


def test_a_round_is_opened_once_however_often_it_is_pressed(event, by):
    come(event, NAMES[:8], by=by)
    seen = round_drawing.propose_round(load_day(event.stage), Wish(4))
    round_drawing.open_drawn_round(event.stage, Wish(4), by=by, sha256=seen.sha256)
    with pytest.raises(Refused):
        round_drawing.open_drawn_round(event.stage, Wish(4), by=by, sha256=seen.sha256)
    assert len(load_day(event.stage).facts) == 1


def test_between_two_a_bye_is_worth_a_win_and_nobody_meets_again_at_once(by):
    event = event_for(by, size=2)
    come(event, NAMES[:7], by=by)
    first = draw(event, by=by, size=2)
    bye = first.facts[-1].tables[-1].seats
    assert [(seat.outcome, seat.kind) for seat in bye] == [("win", "bye")]
    score(event, by=by)
    second = draw(event, by=by, size=2)
    met = [
        {frozenset(table) for table in seated(day) if len(table) == 2} for day in (first, second)
    ]
    assert met[0].isdisjoint(met[1])
    assert seated(first)[-1] != seated(second)[-1]


def test_two_change_places_with_a_reason_and_a_bye_stays_a_bye(by):
    event = event_for(by, size=2)
    come(event, NAMES[:3], by=by)
    day = draw(event, by=by, size=2)
    resting, playing = (
        day.facts[0].tables[1].seats[0].player,
        day.facts[0].tables[0].seats[0].player,
    )
    with pytest.raises(Refused, match="Say why"):
        round_drawing.swap_seated(event.stage, players=(resting, playing), by=by, reason=" ")
    round_drawing.swap_seated(event.stage, players=(resting, playing), by=by, reason="brothers")
    tables = load_day(event.stage).facts[0].tables
    assert (tables[1].seats[0].player, tables[1].seats[0].kind) == (playing, "bye")
    assert tables[0].seats[0].outcome == ""


def test_the_last_round_is_removed_by_its_number_and_once(event, by):
    come(event, NAMES[:8], by=by)
    draw(event, by=by)
    for _ in range(2):
        round_drawing.remove_played_round(event.stage, number=1, by=by)
    assert load_day(event.stage).facts == ()


def test_heads_of_series_sit_apart_in_the_first_round_of_a_final(event, by, monkeypatch):
    players = come(event, NAMES[:8], by=by)
    heads = tuple(player.pk for player in players[:2])
    monkeypatch.setattr(round_drawing, "heads_present", lambda day, shape: heads)
    tables = round_drawing.propose_round(load_day(event.stage), Wish(4)).tables
    assert [sum(player in heads for player in table) for table in tables] == [1, 1]


def test_semifinals_and_final_follow_the_qualification_and_end(event, by):
    come(event, NAMES[:13], by=by)
    for _ in range(2):
        draw(event, by=by)
        score(event, by=by)
    order = names(load_day(event.stage), load_day(event.stage).qualification)
    semifinals = draw(event, by=by, qualified=10)
    assert (semifinals.facts[-1].phase, seated(semifinals)) == (
        "semifinal",
        [[order[n - 1] for n in (3, 5, 7, 10)], [order[n - 1] for n in (4, 6, 8, 9)]],
    )
    score(event, by=by)
    final = draw(event, by=by)
    winners = [min(table) for table in seated(semifinals)]
    assert final.facts[-1].phase == "final"
    assert seated(final)[0] == [name for name in order if name in {*order[:2], *winners}]
    score(event, by=by)
    with pytest.raises(Refused, match="nothing more to play"):
        round_drawing.propose_round(load_day(event.stage), Wish(4))
    champion = names(load_day(event.stage), [load_day(event.stage).order[0].row.player])
    assert champion == [min(seated(final)[0])]


def test_whoever_leaves_before_the_final_phases_waits_for_none(by):
    event = event_for(by, size=2)
    come(event, NAMES[:8], by=by)
    draw(event, by=by, size=2)
    score(event, by=by)
    first = load_day(event.stage).qualification[0]
    attendance.withdraw_after(event, Player.objects.get(pk=first), round_=1, by=by)
    day = load_day(event.stage)
    assert round_drawing.propose_round(day, Wish(2, 3)).waiting == (day.qualification[0],)
    draw(event, by=by, size=2, qualified=3)
    score(event, by=by)
    final = round_drawing.propose_round(load_day(event.stage), Wish(2))
    assert (final.phase, first in final.tables[0]) == ("final", False)


def test_so_many_cannot_be_brought_to_a_final_is_said(event, by):
    come(event, NAMES[:13], by=by)
    draw(event, by=by)
    score(event, by=by)
    for qualified, sentence in ((6, "cannot be brought"), (14, "Only 13")):
        with pytest.raises(Refused, match=sentence):
            round_drawing.propose_round(load_day(event.stage), Wish(4, qualified))


def test_what_the_rules_advise_is_said(event, by):
    come(event, NAMES[:13], by=by)
    day = load_day(event.stage)
    assert labels.rounds_advice(day, 4) == "With 13 players: 2 rounds at least."
    assert (
        labels.rounds_advice(day, 3)
        == "With 13 players: 3 rounds at least. Or 2 and a final phase."
    )
    assert "nearest one" not in labels.rounds_advice(day, 2)


def test_as_many_go_on_as_the_printed_row_says_or_lost_once_at_most(by):
    event = event_for(by, size=2)
    come(event, NAMES[:8], by=by)
    for _ in range(3):
        draw(event, by=by, size=2)
        score(event, by=by)
    day = load_day(event.stage)
    assert day_facts.usual_qualified(day, 2) == 4
    assert labels.describe_opening(day, 2, 4)[1] is True
    assert labels.describe_opening(day, 2, 5)[1] is False
    assert labels.format_cases(day, 2)[0] == "3 rounds to qualify"


def test_the_next_round_asks_the_database_as_often_for_two_hundred_as_for_eight(event, by):
    def asked():
        with CaptureQueriesContext(connection) as seen:
            tables = round_drawing.propose_round(load_day(event.stage), Wish(4)).tables
        return len(seen), len(tables)

    come(event, NAMES[:8], by=by)
    draw(event, by=by)
    score(event, by=by)
    few, tables = asked()
    late = Player.objects.bulk_create(Player(public_id=f"late-{n}") for n in range(192))
    event.stage.entries.bulk_create(Entry(stage=event.stage, player=player) for player in late)
    assert (tables, asked()) == (2, (few, 50))


def test_two_hundred_are_seated_in_less_than_a_second_and_in_as_many_queries_as_twenty(by):
    next_round(field.half_way(8, rounds=3), by)  # from now on it is known who asks
    asked = {players: next_round(field.half_way(players, rounds=3), by) for players in (20, 200)}
    assert asked[20][:2] == asked[200][:2]
    assert asked[200][2] < 1  # proposed, looked at, opened: a tenth of it is usual


def next_round(stage, by) -> tuple[int, int, float]:
    """Queries of the proposal, those of opening it but for the rows that it writes, seconds of
    both."""
    began, wish = time.perf_counter(), Wish(4)
    with CaptureQueriesContext(connection) as proposing:
        proposal = round_drawing.propose_round(load_day(stage), wish)
    with CaptureQueriesContext(connection) as opening:
        round_drawing.open_drawn_round(stage, wish, by=by, sha256=proposal.sha256)
    taken = time.perf_counter() - began
    assert [len(table) for table in proposal.tables] == [4] * (len(load_day(stage).entries) // 4)
    questions = [
        one for one in opening if not one["sql"].startswith("INSERT")
    ]  # SQLite takes few rows at once
    return len(proposing), len(questions), taken
