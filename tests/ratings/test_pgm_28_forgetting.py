"""The purge of New Year's Day as the ratings feel it: what was forgotten exists for no computation
from then on."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.players.models import Disqualification, Player, Registration
from pergioco.players.services import merging
from pergioco.publishing.models import PgrChange
from pergioco.stages.models import Game, OpeningRating, Stage
from ratings.compute import recompute, replay_game
from ratings.models import Purge, Purged
from tests import factories
from tests.ratings.play import (
    changed,
    done,
    ledger,
    people,
    pgr,
    played,
    recomputed,
    settled,
    write,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
LONG_AGO, THIS_YEAR = date(2021, 11, 1), date(2026, 1, 10)


@pytest.fixture
def who() -> dict[str, Player]:
    """X never registered."""
    return {**people("AB"), **people("X", registered=False)}


@pytest.fixture
def go() -> Game:
    return factories.game("go")


@pytest.fixture
def hex_() -> Game:
    return factories.game("hex")


def away_for_years(who, go) -> Stage:
    """X wins in 2021 and is back in 2026. Returns the later stage."""
    settled(played("X 1 B", who=who, on=LONG_AGO, game=go))
    back = played("A 1 X", who=who, on=THIS_YEAR, game=go)
    settled(back)
    return back


def before(stage: Stage, player: Player) -> int:
    return PgrChange.objects.current().get(stage=stage, player=player).before


def test_pgm_28_forgotten_player_begins_again(who, go):
    back = away_for_years(who, go)
    assert before(back, who["X"]) == 1_000_000
    assert PgrChange.objects.current().get(stage=back, player=who["X"]).is_first is True


def test_pgm_28_opponents_of_a_forgotten_player_meet_a_newcomer(who, go):
    away_for_years(who, go)
    assert pgr(who["A"], go) == 1_010_000


def test_pgm_28_game_in_the_last_of_the_five_years_keeps_the_rating(who, go):
    settled(played("X 1 B", who=who, on=date(2022, 1, 3), game=go))
    back = played("A 1 X", who=who, on=THIS_YEAR, game=go)
    settled(back)
    assert before(back, who["X"]) == 1_010_000


def test_pgm_28_game_of_any_category_keeps_them_all(who, go, hex_):
    settled(played("X 1 B", who=who, on=date(2024, 5, 1), game=hex_))
    back = away_for_years(who, go)
    assert before(back, who["X"]) == 1_010_000


@pytest.mark.parametrize("games", ["A 1 B; X bye", "A + X, B bye"])
def test_pgm_28_byes_and_absences_keep_nothing(who, go, hex_, games):
    settled(played(games, who=who, on=date(2024, 5, 1), game=hex_))
    back = away_for_years(who, go)
    assert before(back, who["X"]) == 1_000_000


@pytest.mark.parametrize(
    ("registered_on", "kept"), [(date(2025, 12, 31), True), (date(2026, 1, 1), False)]
)
def test_pgm_28_who_is_registered_as_the_year_begins_keeps_everything(who, go, registered_on, kept):
    Registration.objects.create(player=who["X"], registered_on=registered_on, state="new")
    back = away_for_years(who, go)
    assert before(back, who["X"]) == (1_010_000 if kept else 1_000_000)


def test_pgm_28_registration_refused_later_purges_after_all(who, go):
    Registration.objects.create(player=who["X"], registered_on=date(2025, 12, 31), state="new")
    back = away_for_years(who, go)
    Registration.objects.filter(player=who["X"]).update(state="refused")
    changed(who["X"])
    assert before(back, who["X"]) == 1_000_000
    assert ledger() == recomputed()


def test_pgm_28_rating_is_forgotten_by_the_purges_in_between_too(who, go, hex_):
    """Back in another game in 2027, after the purge of 2026: that brings nothing back."""
    settled(played("X 1 B", who=who, on=LONG_AGO, game=go))
    settled(played("X 1 B", who=who, on=date(2027, 5, 1), game=hex_))
    back = played("A 1 X", who=who, on=date(2028, 5, 1), game=go)
    settled(back)
    assert before(back, who["X"]) == 1_000_000


@pytest.mark.parametrize(
    ("last_played_on", "kept"),
    [(date(2022, 6, 1), True), (date(2021, 12, 31), False), (None, False)],
)
def test_pgm_28_opening_rating_is_as_old_as_its_last_game(who, go, last_played_on, kept):
    OpeningRating.objects.create(
        player=who["X"], game=go, pgr="1100.000", last_played_on=last_played_on
    )
    stage = played("A 1 X", who=who, on=THIS_YEAR, game=go)
    settled(stage)
    assert before(stage, who["X"]) == (1_100_000 if kept else 1_000_000)


def test_pgm_28_opening_rating_without_a_day_is_taken_for_one_of_the_first_days(who, go):
    """The system began in October 2021 (PGM 19): until the end of 2025 nobody can say that he was
    away for long."""
    OpeningRating.objects.create(player=who["X"], game=go, pgr="1100.000")
    stage = played("A 1 X", who=who, on=date(2025, 5, 1), game=go)
    settled(stage)
    assert before(stage, who["X"]) == 1_100_000


# A result in one game decides a purge in another one


def test_stage_entered_late_in_another_game_brings_a_rating_back(who, go, hex_):
    back = away_for_years(who, go)
    settled(played("X 1 B", who=who, on=date(2024, 5, 1), game=hex_))
    assert before(back, who["X"]) == 1_010_000
    assert ledger() == recomputed()


def test_stage_of_an_absorbed_player_in_another_game_brings_it_back_too(who, go, hex_):
    past = factories.player()
    Player.objects.filter(pk=past.pk).update(merged_into=who["X"])
    back = away_for_years(who, go)
    settled(played("P 1 B", who={**who, "P": past}, on=date(2024, 5, 1), game=hex_))
    assert before(back, who["X"]) == 1_010_000
    assert ledger() == recomputed()


def test_correction_that_takes_him_out_of_the_other_game_takes_it_away_again(who, go, hex_):
    between = played("X 1 B", who=who, on=date(2024, 5, 1), game=hex_)
    settled(between)
    back = away_for_years(who, go)
    write(between, "A 1 B", who=who)
    settled(between, "corrected")
    assert before(back, who["X"]) == 1_000_000
    assert ledger() == recomputed()


@pytest.mark.parametrize(("day", "kept"), [(date(2023, 5, 1), True), (date(2021, 10, 5), False)])
def test_other_stage_that_moves_to_another_year_decides_by_the_new_one(who, go, hex_, day, kept):
    between = played("X 1 B", who=who, on=date(2024, 5, 1), game=hex_)
    settled(between)
    back = away_for_years(who, go)
    Stage.objects.filter(pk=between.pk).update(starts_on=day, ends_on=day)
    settled(between, "moved")
    assert before(back, who["X"]) == (1_010_000 if kept else 1_000_000)
    assert ledger() == recomputed()


def test_void_games_of_an_opponent_keep_no_rating_of_his(who, go, hex_):
    settled(played("X 1 B", who=who, on=date(2024, 5, 1), game=hex_))
    settled(played("X 1 A", who=who, on=LONG_AGO, game=go))
    back = played("A 1 X", who=who, on=THIS_YEAR, game=go)
    settled(back)
    assert before(back, who["X"]) == 1_010_000
    Disqualification.objects.create(
        player=who["B"],
        kind="void",
        effective_on=date(2026, 3, 1),
        reason="-",
        confirmed_at=timezone.now(),
    )
    changed(who["B"], "disqualified")
    assert before(back, who["X"]) == 1_000_000
    assert ledger() == recomputed()


def test_who_was_taken_for_a_void_player_for_a_while_keeps_his_opponents_ratings(
    who, go, hex_, staff
):
    settled(played("X 1 B", who=who, on=date(2024, 5, 1), game=hex_))
    settled(played("X 1 A", who=who, on=LONG_AGO, game=go))
    back = played("A 1 X", who=who, on=THIS_YEAR, game=go)
    settled(back)
    cheat = factories.player()
    Disqualification.objects.create(
        player=cheat,
        kind="void",
        effective_on=date(2026, 3, 1),
        reason="-",
        confirmed_at=timezone.now(),
    )
    merge = merging.merge_players(who["B"], cheat, by=staff, reason="-")
    done()
    assert before(back, who["X"]) == 1_000_000
    merging.undo_merge(merge, by=staff, reason="-")
    done()
    assert before(back, who["X"]) == 1_010_000
    assert ledger() == recomputed()


# What was destroyed


def destroy(player: Player, year: int) -> None:
    """As the purge does it: the rows go, a tombstone stays."""
    purge = Purge.objects.create(
        year=year, confirmed_at=timezone.now(), destroyed_at=timezone.now()
    )
    rows = PgrChange.objects.filter(player=player, ended_on__lt=date(year, 1, 1))
    Purged.objects.bulk_create(
        Purged(purge=purge, stage=r.stage, player=player, before=r.before) for r in rows
    )
    rows.delete()


def test_destroyed_rows_stay_away_when_their_stage_is_computed_again(who, go):
    stage = played("X 1 B", who=who, on=LONG_AGO, game=go)
    settled(stage)
    destroy(who["X"], 2026)
    assert recompute(go, cause="recomputed") is None
    write(stage, "X X B", who=who)
    settled(stage, "corrected")
    assert set(
        PgrChange.objects.filter(stage=stage, is_current=True).values_list("player", flat=True)
    ) == {who["B"].pk}
    assert ledger() == recomputed()


def test_stage_of_which_every_row_was_destroyed_is_not_written_again(go):
    who = people("XY", registered=False)
    settled(played("X 1 Y", who=who, on=LONG_AGO, game=go))
    destroy(who["X"], 2026)
    PgrChange.objects.all().delete()
    Purged.objects.create(
        purge=Purge.objects.get(), stage=Stage.objects.get(), player=who["Y"], before=1_000_000
    )
    assert recompute(go, cause="recomputed") is None
    assert PgrChange.objects.count() == 0


def test_opponents_of_the_past_are_computed_from_what_was_destroyed(who, go):
    """X was at 1010 when B met him in 2022: the rows that said so are gone, the facts are not."""
    settled(played("X 1 A", who=who, on=LONG_AGO, game=go))
    second = played("X 1 B", who=who, on=date(2022, 5, 1), game=go)
    settled(second)
    destroy(who["X"], 2027)
    write(second, "X X B", who=who)
    settled(second, "corrected")
    change = PgrChange.objects.current().get(stage=second, player=who["B"])
    assert change.games == f"1.1.{who['X'].pk}.1010000.1.played"
    assert ledger() == recomputed()


def test_forgetting_asks_as_often_for_many_sleepers_as_for_one(go):
    counts = []
    for letters in ("XY", "XYZUVW"):
        who = people(letters, registered=False)
        pairs = ", ".join(f"{a} 1 {b}" for a, b in zip(letters[::2], letters[1::2], strict=True))
        game = factories.game()
        for day in (LONG_AGO, THIS_YEAR):
            played(pairs, who=who, on=day, game=game)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            replay_game(game, today=timezone.localdate())
        counts.append(len(queries))
    assert counts[0] == counts[1]
