"""RisiKo! Masters: a small one with renunciations, one with two winners, one being played today."""

from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal
from random import Random
from uuid import uuid4

from pergioco.core.models import User
from pergioco.demo.people import season_of
from pergioco.demo.results import PlayedStage, write_closed_on_the_day
from pergioco.players.models import Player
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Entry, Game, Season, Stage, Table
from pergioco.stages.services import reporting
from risiko_master.rules import replay
from risiko_master.rules.day import SEMIFINAL, Day, Round
from risiko_master.rules.editions import EDITIONS
from risiko_master.rules.points import Sitting
from risiko_master.services import clock, presence

# slug, day, players, whether two renounce
HELD_MASTERS = (
    ("2026-master-napoli", date(2026, 2, 22), 38, True),
    ("2026-master-roma", date(2026, 5, 17), 104, False),
)
HERE_TODAY = 22  # three tables of four and two of five
SENT = 2  # tables of the first game that have sent
LEAST, MOST = 25, 60
TIED = 20  # table points of the first two in both games, fewer than all others
AT_A_TABLE = 4
CENT = Decimal("0.01")  # as the database keeps it, so that the hash of the facts is the same


class Master:
    def __init__(self, slug: str, players: Sequence[int], year: int) -> None:
        self.players, self.chance = list(players), Random(slug)  # noqa: S311 - invented results, no secrets
        self.edition = EDITIONS.in_force(year)
        self.rounds: list[RoundFacts] = []
        self.left: dict[int, int] = {}

    @property
    def day(self) -> Day:
        rounds = [
            Round(one.number, {t.number: list_sittings(t) for t in one.tables})
            for one in self.rounds
        ]
        lots = {player: position for position, player in enumerate(self.players)}
        gone = frozenset(player for player, after in self.left.items() if after == 2)  # noqa: PLR2004 - both games
        return Day(rounds, lots, self.edition, gone)

    def play(self, tables: Sequence[Sequence[int]]) -> None:
        seated = (TableFacts(n, tuple(map(self.seat, own))) for n, own in enumerate(tables, 1))
        self.rounds.append(RoundFacts(len(self.rounds) + 1, tuple(seated)))

    def seat(self, player: int) -> SeatFacts:
        is_tied = player in self.players[:2] and len(self.rounds) < 2  # noqa: PLR2004 - both games
        score = TIED if is_tied else self.chance.randrange(LEAST, MOST)
        return SeatFacts(player, score=Decimal(score).quantize(CENT))

    def drawn(self) -> list[list[int]]:
        # Tables of four; those left over make fives at the end
        rest = [*self.players[:2], *self.chance.sample(self.players[2:], len(self.players) - 2)]
        number = len(rest) // AT_A_TABLE
        tables = [rest[at * AT_A_TABLE : (at + 1) * AT_A_TABLE] for at in range(number)]
        for table, player in zip(reversed(tables), rest[number * AT_A_TABLE :], strict=False):
            table.append(player)
        return tables

    def semifinals(self) -> list[tuple[int, ...]]:
        return [own for group in self.day.field.groups for own in zip(*group.bands, strict=True)]

    def finals(self, *, renounced: int | None) -> list[list[int]]:
        direct, tables = list(self.day.field.direct), self.day.tables(SEMIFINAL)
        first = [next(one.player for one in table if one.player != renounced) for table in tables]
        there = [*direct, *first]
        return [there[at : at + AT_A_TABLE] for at in range(0, len(there), AT_A_TABLE)]


def list_sittings(table: TableFacts) -> list[Sitting]:
    return [
        Sitting(seat.player, at, seat.score or Decimal(0)) for at, seat in enumerate(table.seats, 1)
    ]


def play_master(
    slug: str, players: Sequence[int], year: int, *, with_renunciations: bool
) -> Master:
    # One qualified player withdraws before the semifinals, one semifinal winner renounces the
    # final
    master = Master(slug, players, year)
    for _game in range(2):
        master.play(master.drawn())
    if with_renunciations:
        master.left[master.day.field.groups[0].players[-1]] = 2
    master.play(master.semifinals())
    winner = master.day.tables(SEMIFINAL)[0][0].player if with_renunciations else None
    if winner is not None:
        master.left[winner] = 3
    master.play(master.finals(renounced=winner))
    return master


def write_masters(players: Sequence[Player], today: date, *, director: User) -> None:
    game = Game.objects.create(
        slug="risiko", name_it="RisiKo!", name_en="RisiKo!", name_es="RisiKo!"
    )
    for slug, day, size, with_renunciations in HELD_MASTERS:
        if day < today:
            ids = [player.pk for player in players[:size]]
            master = play_master(slug, ids, day.year, with_renunciations=with_renunciations)
            write_closed_master(
                Stage(slug=slug, game=game, starts_on=day, ends_on=day), master, director
            )
    if season_of(today):
        current = Stage(
            slug=f"{today.year}-master-torino", game=game, starts_on=today, ends_on=today
        )
        write_current_master(current, players[:HERE_TODAY], director)


def write_current_master(stage: Stage, players: Sequence[Player], director: User) -> None:
    plan_master(stage, Stage.Status.OPEN, director)
    Entry.objects.bulk_create(Entry(stage=stage, player=player) for player in players)
    presence.open_doors(stage, by=director)
    for entry in Entry.objects.filter(stage=stage).select_related("stage", "player"):
        presence.check_in_entry(entry, by=director)
    presence.close_doors(stage, by=director)
    clock.press_clock(stage, clock.Pressed(replay.FIRST, "start", "waiting"), by=director)
    tables = Table.objects.filter(round__revision__stage=stage, number__lte=SENT)
    for table in tables.order_by("number"):
        report_master_table(table, by=director)


def report_master_table(table: Table, *, by: User) -> None:
    results = [
        reporting.Result(seat.player_id, score=Decimal(12 * seat.position + table.number))
        for seat in table.seats.order_by("position")
    ]
    reporting.report_scores(table, results, submission=uuid4(), version=table.version, by=by)


def plan_master(stage: Stage, status: Stage.Status, director: User) -> None:
    stage.season = Season.objects.get(year=stage.ends_on.year)
    stage.circuit, stage.pace = Stage.Circuit.RKM, Stage.Pace.REAL_TIME
    stage.system = Stage.System.OTHER
    stage.status, stage.begins_at = status, time(10, 30)
    stage.city = stage.slug.rpartition("-")[2].capitalize()
    stage.save()
    stage.organizers.add(director)


def write_closed_master(stage: Stage, master: Master, director: User) -> None:
    stage.seed = stage.slug
    plan_master(stage, Stage.Status.CLOSED, director)
    write_closed_on_the_day(PlayedStage(stage, master), by=director)
