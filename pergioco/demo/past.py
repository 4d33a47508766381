"""What came before: an evening of 2021, of which some never came back, and never registered (the purge of New Year is
about them); and a rating that was earned before this portal and sleeps since."""

from datetime import date
from decimal import Decimal
from random import Random

from pergioco.demo.accounts import named
from pergioco.demo.calendar import link_to
from pergioco.demo.enrolment import public_id
from pergioco.demo.playing import Tournament, play_round_robin
from pergioco.demo.results import Played, write_closed
from pergioco.players.models import Nickname, PlatformAccount, Player, User
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Game, OpeningRating, Season, Stage

EVENING = date(2021, 11, 20)
NEVER_BACK = ("vecchia_torre", "NordicFox", "ultimo_peon")


def write(game: Game, regulars: list[Player], *, organizer: User) -> None:
    season = Season.objects.create(year=2021, starts_on=date(2021, 10, 1), ends_on=date(2021, 12, 31))
    stage = Stage.objects.create(
        season=season,
        slug=f"2021-01-{game.slug}",
        game=game,
        platform=Platform.PLAYSTRATEGY,
        system=Stage.System.ROUND_ROBIN,
        pace=Stage.Pace.REAL_TIME,
        starts_on=EVENING,
        ends_on=EVENING,
        link=link_to(Platform.PLAYSTRATEGY, 2021, 1),
    )
    stage.organizers.add(organizer)
    players = [player.pk for player in (*regulars, *write_players())]
    tournament = Tournament(players, dict.fromkeys(players, 1000), Random(stage.slug), stage.slug)  # noqa: S311 - invented
    play_round_robin(tournament)
    write_closed([Played(stage, tournament)])


def write_opening(game: Game, player: Player) -> None:
    """Too old to be active in any season of the demo."""
    OpeningRating.objects.create(player=player, game=game, pgr=Decimal("1043.118"), games=12, last_played_on=EVENING)


def write_players() -> list[Player]:
    players = Player.objects.bulk_create(Player(public_id=public_id(name)) for name in NEVER_BACK)
    accounts = PlatformAccount.objects.bulk_create(
        PlatformAccount(player=player, platform=Platform.PLAYSTRATEGY, platform_id=name.lower())
        for player, name in zip(players, NEVER_BACK, strict=True)
    )
    Nickname.objects.bulk_create(
        named(account, name, EVENING) for account, name in zip(accounts, NEVER_BACK, strict=True)
    )
    return players
