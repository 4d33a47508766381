"""Who plays for the Race."""

from datetime import date, timedelta

import pytest

from pergioco.stages.services import entrants
from tests import factories

DAY = date(2026, 3, 20)
pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.parametrize(
    ("registered_on", "state", "reason"),
    [
        (date(2026, 1, 10), "new", ""),
        (DAY, "verified", ""),
        (date(2026, 3, 21), "new", "registered after the stage began"),
        (date(2026, 1, 10), "refused", "is not registered in PerGioco Masters"),
        (date(2026, 1, 10), "mail", "is not registered in PerGioco Masters"),
    ],
)
def test_pgm_38_race_points_are_for_players_registered_before_the_stage(
    db, registered_on, state, reason
):
    player = factories.registered(registered_on, state=state)
    assert (
        entrants.why_no_race_points(factories.stage(race=True, starts_on=DAY, ends_on=DAY), player)
        == reason
    )


@pytest.mark.parametrize(("days", "reason"), [(0, ""), (1, "registered after the stage began")])
def test_pgm_38_the_first_day_of_a_stage_counts_not_its_last(db, days, reason):
    stage = factories.stage(race=True, starts_on=DAY, ends_on=DAY + timedelta(days=2))
    assert (
        entrants.why_no_race_points(stage, factories.registered(DAY + timedelta(days=days)))
        == reason
    )


def test_pgm_38_any_other_stage_is_open_to_everybody(db):
    assert entrants.why_no_race_points(factories.stage(), factories.player()) == ""


def master(**fields):
    return factories.stage(**{"circuit": "rkm", "starts_on": DAY, "ends_on": DAY} | fields)


def sanctioned(first: date, last: date):
    player = factories.player()
    player.sanctions.create(starts_on=first, ends_on=last, reason="-")
    return player


@pytest.mark.parametrize(
    ("first", "last", "plays"),
    [
        (date(2026, 3, 1), date(2026, 3, 19), True),
        (date(2026, 3, 1), DAY, False),
        (DAY, date(2026, 4, 1), False),
        (date(2026, 3, 21), date(2026, 4, 1), True),
    ],
)
def test_rkm_participants_are_not_under_a_sanction_on_the_day(staff, first, last, plays):
    player, other = sanctioned(first, last), factories.player()
    done = entrants.add_players(master(), [player, other], by=staff, with_strangers=True)
    assert [entry.player for entry in done.made] == ([player, other] if plays else [other])
    assert done.kept_out == ([] if plays else [(player, "is under a sanction on that day")])


def test_rkm_participants_other_circuits_know_no_sanctions(staff):
    player = sanctioned(DAY, DAY)
    assert [
        entry.player
        for entry in entrants.add_players(master(circuit="pgm"), [player], by=staff).made
    ] == [player]
