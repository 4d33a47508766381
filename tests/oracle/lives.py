"""What can happen to a federation: each operation changes facts as the use-cases do, and tells."""

from contextlib import suppress
from datetime import date

from django.utils import timezone
from hypothesis import strategies as st

from pergioco.core import events
from pergioco.core.refusal import Refused
from pergioco.players.models import Disqualification, Merge, Player, Registration
from pergioco.players.services import merging
from pergioco.publishing.services import freezing, withdrawing
from pergioco.stages.models import Game, OpeningRating, Revision, Season, Stage
from tests import factories
from tests.ratings.play import done, people, played, season, write

YEARS = (2021, 2023, 2025, 2026)
PAIRS = (
    "A 1 B, C X D",
    "A + C; B bye",
    "D 1 A, X 1 B",
    "X - C, Y 1 D",
    "Y 1 X; Y + A, X 2 D",
    "B 1 X; C - X, A 1 Y",
)
SIGNS = st.sampled_from(PAIRS)
DAYS = st.builds(date, st.sampled_from(YEARS), st.just(2), st.integers(1, 4))
BEFORE = st.sampled_from([None, date(2021, 1, 31), date(2020, 5, 1)])
PLAYERS = st.sampled_from("ABCDXY")
KINDS = st.sampled_from([{}, {"race": True}])


class World:
    """A federation small enough that everything meets everything."""

    def __init__(self) -> None:
        self.who = {**people("ABCD"), **people("XY", registered=False)}
        self.games = [factories.game(slug) for slug in ("go", "hex")]
        self.staff = factories.user_with_role("staff")
        for year in range(2021, 2027):
            season(year)

    def stage(self, number: int) -> Stage | None:
        stages = Stage.objects.order_by("pk")
        return stages[number % len(stages)] if stages else None

    def game(self, number: int) -> Game:
        return self.games[number]


def tell_stage(stage: Stage, cause: str) -> None:
    events.emit("stage.settled", stage=stage.pk, cause=cause)


def tell_player(player: Player, cause: str) -> None:
    events.emit("player.changed", player=player.pk, cause=cause)


def close(world: World, games: str, on: date, game: int, how: dict[str, bool]) -> None:
    tell_stage(played(games, who=world.who, on=on, game=world.game(game), **how), "closed")


def correct(world: World, number: int, games: str) -> None:
    if (stage := world.stage(number)) is not None:
        write(stage, games, who=world.who)
        tell_stage(stage, "corrected")


def withdraw(world: World, number: int) -> None:
    """Its results as they were before; of a first closing, none."""
    stage = world.stage(number)
    current = stage and stage.revisions.filter(state=Revision.State.CURRENT).first()
    if current is not None:
        with suppress(Refused):
            withdrawing.withdraw_results(stage, revision=current.pk, by=world.staff)


def move(world: World, number: int, on: date, game: int) -> None:
    if (stage := world.stage(number)) is not None:
        there = {
            "season": season(on.year),
            "starts_on": on,
            "ends_on": on,
            "game": world.game(game),
        }
        Stage.objects.filter(pk=stage.pk).update(**there)
        tell_stage(stage, "moved")


def merge(world: World, kept: str, absorbed: str) -> None:
    with suppress(Refused):
        merging.merge_players(world.who[kept], world.who[absorbed], by=world.staff, reason="-")


def unmerge(world: World) -> None:
    if (last := Merge.objects.filter(undone_at=None).last()) is not None:
        merging.undo_merge(last, by=world.staff, reason="-")


def disqualify(world: World, letter: str, kind: str) -> None:
    player = world.who[letter]
    if not Disqualification.objects.filter(player=player, withdrawn_at=None).exists():
        Disqualification.objects.create(
            player=player,
            kind=kind,
            effective_on=date(2026, 1, 1),
            reason="-",
            confirmed_at=timezone.now(),
        )
        tell_player(player, "disqualified")


def pardon(world: World, letter: str) -> None:
    world.who[letter].disqualifications.update(withdrawn_at=timezone.now())
    tell_player(world.who[letter], "disqualification_withdrawn")


def register(world: World, letter: str, on: date) -> None:
    player = world.who[letter]
    Registration.objects.get_or_create(
        player=player, defaults={"registered_on": on, "state": "new"}
    )
    tell_player(player, "mended")


def refuse(world: World, letter: str, state: str) -> None:
    Registration.objects.filter(player=world.who[letter]).update(state=state)
    tell_player(world.who[letter], "registered")


def bring(world: World, letter: str, game: int, on: date | None) -> None:
    """A rating from before the first stage, or another one."""
    player = world.who[letter]
    OpeningRating.objects.update_or_create(
        player=player, game=world.game(game), defaults={"pgr": "1100.000", "last_played_on": on}
    )
    tell_player(player, "mended")


def decide(world: World, year: int, reading: str) -> None:
    one = Season.objects.get(year=year)
    Season.objects.filter(pk=one.pk).update(settings={"unregistered_rating": reading})
    events.emit("season.changed", season=one.pk, cause="season_changed")


def freeze(world: World, year: int) -> None:
    """As soon as the ratings stand still. Nothing if there is nothing to make final, or it is
    final."""
    done()
    with suppress(Refused):
        proposed = freezing.propose_freeze(Season.objects.get(year=year), by=None)
        freezing.confirm_freeze(proposed, by=world.staff)


NUMBERS, GAMES = st.integers(0, 9), st.integers(0, 1)
OPERATIONS = st.one_of(
    st.tuples(st.just(close), SIGNS, DAYS, GAMES, KINDS),
    st.tuples(st.just(close), SIGNS, DAYS, GAMES, KINDS),
    st.tuples(st.just(correct), NUMBERS, SIGNS),
    st.tuples(st.just(withdraw), NUMBERS),
    st.tuples(st.just(move), NUMBERS, DAYS, GAMES),
    st.tuples(st.just(merge), PLAYERS, PLAYERS),
    st.tuples(st.just(unmerge)),
    st.tuples(st.just(disqualify), PLAYERS, st.sampled_from(["void", "ranking"])),
    st.tuples(st.just(pardon), PLAYERS),
    st.tuples(st.just(register), st.sampled_from("XY"), DAYS),
    st.tuples(st.just(refuse), PLAYERS, st.sampled_from(["refused", "new"])),
    st.tuples(st.just(bring), PLAYERS, GAMES, BEFORE),
    st.tuples(st.just(decide), st.sampled_from(YEARS), st.sampled_from(["shadow", "none"])),
    st.tuples(st.just(freeze), st.sampled_from(YEARS[:-1])),
)
