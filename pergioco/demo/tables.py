"""A tournament of BIG on the day of the visit, in its first round: one table has confirmed, one calls the referee, one
is in the middle of its auction."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from uuid import NAMESPACE_URL, UUID, uuid5

from big_league.at_table import auction
from pergioco.players.models import Player, User
from pergioco.stages import drafting, facts, reporting
from pergioco.stages.models import Game, Season, Stage, Table
from pergioco.stages.reporting import Result

GAME, AT_A_TABLE, HERE_TODAY = "marco-polo", 4, 12
SCORES = ((71, 64, 58, 49), (80, 66, 66, 52))
CHARACTERS = ("Matteo Polo", "Raschid ad-Din Sinan", "Wilhelm von Rubruk", "Berke Khan", "Kublai Khan")


def write(players: Sequence[Player], today: date, *, organizer: User) -> None:
    """If there is a season on that day."""
    season = Season.objects.filter(starts_on__lte=today, ends_on__gte=today).first()
    if season is None:
        return
    stage = planned(season, today, organizer)
    here = list(players[:HERE_TODAY])
    drafting.enter(stage, here, by=organizer)
    draft = drafting.open_draft(stage, by=organizer)
    rows = [here[at : at + AT_A_TABLE] for at in range(0, HERE_TODAY, AT_A_TABLE)]
    seated = (facts.TableFacts(n, tuple(facts.SeatFacts(p.pk) for p in row)) for n, row in enumerate(rows, 1))
    facts.write(draft, [facts.RoundFacts(1, tuple(seated))])
    first, second, third = Table.objects.filter(round__revision=draft).order_by("number")
    send(first, SCORES[0])
    for player in rows[0]:
        confirm(first, player)
    send(second, SCORES[1])
    reporting.dispute(second, reason="Un contratto è stato contato due volte?", submission=key("dispute"))
    bid(third)


def planned(season: Season, today: date, organizer: User) -> Stage:
    stage = Stage.objects.create(
        slug=f"{today.year}-marco-polo-lucca",
        circuit=Stage.Circuit.BIG,
        season=season,
        game=Game.objects.get(slug=GAME),
        system=Stage.System.OTHER,
        pace=Stage.Pace.REAL_TIME,
        starts_on=today,
        ends_on=today,
        seed=f"{today.year}-marco-polo-lucca",
    )
    stage.organizers.add(organizer)
    return stage


def key(*what: object) -> UUID:
    return uuid5(NAMESPACE_URL, f"demo-table-{what}")


def send(table: Table, scores: Sequence[int]) -> None:
    seats = table.seats.order_by("position").values_list("player", flat=True)
    results = [Result(player, Decimal(score)) for player, score in zip(seats, scores, strict=True)]
    reporting.report(table, results, submission=key("send", table.number), version=table.version)


def confirm(table: Table, player: Player) -> None:
    sent = reporting.states_of(table.round.revision)[table.pk].sent or 0
    reporting.confirm(table, player.pk, submission=key("confirm", player.pk), sent=sent)


def bid(table: Table) -> None:
    begun = auction.Begun("B", CHARACTERS, Decimal(1))
    auction.begin(table, begun, submission=key("auction"), seen=0)
    for number, (item, amount) in enumerate(((0, 2), (1, 0), (0, 3))):
        seen = auction.read(table).seen
        auction.bid(table, CHARACTERS[item], Decimal(amount), submission=key("bid", number), seen=seen)
