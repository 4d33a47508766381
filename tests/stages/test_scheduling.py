"""What a stage on the calendar keeps to; how it moves, is called off, and comes again."""

from datetime import date

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.stages import seasons
from pergioco.stages.models import DateChange, Season, Stage
from pergioco.stages.services import scheduling
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


def planned(**fields) -> Stage:
    """Not saved yet: what somebody typed."""
    day = date(2026, 3, 20)
    season = fields.pop("season", None) or factories.season()
    values = {
        "slug": "new",
        "system": "swiss",
        "pace": "real_time",
        "starts_on": day,
        "ends_on": day,
    }
    return Stage(season=season, game=factories.game(), **values | fields)


def told(stage: Stage, before: Stage | None = None, reason: str = "") -> list[tuple[str, str]]:
    return [
        (refused.field, str(refused.sentence))
        for refused in scheduling.stage_refusals(stage, before, reason=reason)
    ]


def test_a_plain_stage_is_fine():
    assert told(planned()) == []


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (date(2026, 1, 1), date(2026, 1, 3)),
        (date(2026, 12, 30), date(2027, 1, 2)),
        (date(2025, 5, 1), date(2025, 5, 1)),
    ],
)
def test_pgm_2_a_stage_lies_inside_its_season(first, last):
    assert told(planned(starts_on=first, ends_on=last)) == [
        (
            "starts_on",
            (
                "PerGioco Masters 2026 lasts from 2 January 2026 to 31 December 2026: the stage "
                "lies inside it (PGM 2)."
            ),
        )
    ]


def test_other_circuits_keep_their_own_years():
    assert (
        told(planned(circuit="big", starts_on=date(2025, 12, 31), ends_on=date(2026, 1, 1))) == []
    )


def test_days_run_forward():
    assert told(planned(ends_on=date(2026, 3, 19))) == [
        ("ends_on", "The last day comes before the first one.")
    ]


@pytest.mark.parametrize(
    ("capacity", "fields"), [(None, ["capacity"]), (65, ["capacity"]), (64, []), (8, [])]
)
def test_pgm_40_a_race_stage_seats_64_at_most(capacity, fields):
    assert [field for field, _sentence in told(planned(race=True, capacity=capacity))] == fields


def test_pgm_40_twelve_race_stages_a_season_and_a_cancelled_one_does_not_count():
    season = factories.season()
    stages = [factories.stage(of=season, race=True) for _ in range(12)]
    thirteenth = planned(season=season, race=True, capacity=64)
    assert told(thirteenth) == [
        ("race", "This season has its twelve Race stages already (PGM 40).")
    ]
    assert told(stages[0]) == []
    Stage.objects.filter(pk=stages[0].pk).update(status="cancelled")
    assert told(thirteenth) == []


def test_only_pergioco_stages_count_for_the_race():
    assert told(planned(circuit="big", race=True, capacity=8)) == [
        ("race", "Only stages of PerGioco Masters count for the Race.")
    ]


def test_a_moved_date_wants_a_reason_and_the_calendar_keeps_the_old_days(staff):
    before = factories.stage()
    stage = Stage.objects.get(pk=before.pk)
    stage.starts_on = stage.ends_on = date(2026, 3, 27)
    assert [field for field, _sentence in told(stage, before)] == ["reason"]
    assert told(stage, before, "Maintenance.") == []
    stage.save()
    scheduling.record_move(stage, before, by=staff, reason=" Maintenance. ")
    move = DateChange.objects.get()
    assert (move.old_starts_on, move.new_starts_on) == (date(2026, 3, 20), date(2026, 3, 27))
    assert move.reason == "Maintenance."
    assert Stage.objects.get().last_move == move


def test_days_that_stay_leave_no_move(staff):
    stage = factories.stage()
    assert scheduling.record_move(stage, stage, by=staff, reason="") is None


@pytest.mark.parametrize("name", ["season", "game", "race", "circuit"])
def test_what_results_were_published_under_changes_for_a_reason_only(name):
    before = factories.stage(status="closed", capacity=64)
    stage = Stage.objects.get(pk=before.pk)
    values = {
        "game": factories.game(),
        "race": True,
        "circuit": "big",
        "season": factories.season(2025),
    }
    setattr(stage, name, values[name])
    stage.starts_on = stage.ends_on = before.starts_on
    assert "reason" in [field for field, _sentence in told(stage, before)]
    assert "reason" not in [field for field, _sentence in told(stage, before, "A slip.")]


@pytest.mark.parametrize(
    ("circuit", "role"),
    [("pgm", "organizer"), ("big", "big_organizer"), ("rkm", "risiko_director")],
)
def test_each_circuit_is_run_by_its_organizers_or_by_staff(circuit, role, staff):
    own, other = factories.user_with_role(role), factories.user()
    assert scheduling.wrong_organizers(circuit, [own, staff, other]) == [other]


# Cancelled, and again


def test_a_stage_is_called_off_and_put_back(staff):
    stage = factories.stage()
    scheduling.cancel_stage(stage, by=staff)
    assert Stage.objects.get().is_cancelled
    scheduling.restore_stage(stage, by=staff)
    assert Stage.objects.get().status == "planned"
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "stage.cancelled",
        "stage.put_back",
    ]


def test_a_stage_with_a_draft_comes_back_open(staff):
    stage = factories.drafted([[(factories.player(), factories.player())]]).stage
    scheduling.cancel_stage(stage, by=staff)
    scheduling.restore_stage(stage, by=staff)
    assert Stage.objects.get().status == "open"


def test_a_closed_stage_cannot_be_called_off(staff):
    stage = factories.stage(status="closed")
    with pytest.raises(Refused, match="is closed: this cannot be done with it"):
        scheduling.cancel_stage(stage, by=staff)


def test_a_race_stage_comes_back_only_while_there_is_room(staff):
    season = factories.season()
    off = factories.stage(of=season, race=True, status="cancelled")
    for _ in range(12):
        factories.stage(of=season, race=True)
    with pytest.raises(Refused, match="twelve Race stages"):
        scheduling.restore_stage(off, by=staff)


# Duplicated


def test_the_last_stage_of_a_game_and_platform_comes_again_a_month_later(staff, organizer):
    game = factories.game("hive")
    days = {"starts_on": date(2026, 5, 30), "ends_on": date(2026, 5, 31)}
    last = factories.stage(game=game, race=True, link="https://playstrategy.org/swiss/x", **days)
    last.organizers.add(organizer)
    older = factories.stage(game=game, starts_on=date(2026, 2, 1), ends_on=date(2026, 2, 1))
    new = scheduling.duplicate_last(older, by=staff)
    assert (new.slug, new.status, new.starts_on, new.ends_on) == (
        "2026-06-hive",
        "planned",
        date(2026, 6, 30),
        date(2026, 7, 1),
    )
    assert (new.game, new.platform, new.system, new.race, new.link) == (
        game,
        last.platform,
        last.system,
        False,
        "",
    )
    assert list(new.organizers.all()) == [organizer]


def test_the_next_free_slug_is_taken(staff):
    factories.stage(slug="2026-04-hive")
    stage = factories.stage(game=factories.game("hive"), slug="2026-04-hive-2")
    assert scheduling.duplicate_last(stage, by=staff).slug == "2026-04-hive-3"


@pytest.mark.parametrize(
    ("day", "after"),
    [
        (date(2026, 1, 31), date(2026, 2, 28)),
        (date(2026, 12, 12), date(2027, 1, 12)),
        (date(2026, 11, 30), date(2026, 12, 30)),
    ],
)
def test_a_month_after_a_day_is_the_same_day_or_the_last_one(day, after):
    assert scheduling.a_month_after(day) == after


def test_into_a_season_that_there_is_not_nothing_is_duplicated(staff):
    stage = factories.stage(starts_on=date(2026, 12, 12), ends_on=date(2026, 12, 12))
    with pytest.raises(Refused, match="There is no season 2027 yet"):
        scheduling.duplicate_last(stage, by=staff)


# Settings of a season


def test_what_a_season_does_not_say_has_its_default():
    assert seasons.season_setting({}, "big_elo_k") == 20
    assert (
        seasons.season_setting({"race_drops": "only_with_twelve"}, "race_drops")
        == "only_with_twelve"
    )


@pytest.mark.parametrize(
    ("stored", "sentences"),
    [
        ({}, 0),
        ({"big_elo_k": 32, "more_games_played": "year"}, 0),
        ({"big_elo_k": 0, "more_games_played": "often", "colour": "red"}, 3),
        ({"big_elo_k": True}, 1),
        ([], 1),
    ],
)
def test_only_known_settings_with_a_value_of_theirs_are_taken(stored, sentences):
    assert len(list(seasons.setting_problems(stored))) == sentences


def test_every_setting_fits_its_own_default():
    assert [
        s.name for s in seasons.SETTINGS.values() if not seasons.fits_setting(s, s.default)
    ] == []


def test_rkm_one_day_is_all_that_a_master_has():
    two_days = {"starts_on": date(2026, 3, 20), "ends_on": date(2026, 3, 21)}
    assert told(planned(circuit="rkm")) == []
    assert told(planned(circuit="rkm", season=Season.objects.get(), **two_days)) == [
        ("ends_on", "A RisiKo! Master ends on the day on which it begins.")
    ]
