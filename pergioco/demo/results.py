"""The stages that are over on the day of the visit were played; two of them keep their organizer busy."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from django.db.models import F, Q

from pergioco.demo.enrolment import morning
from pergioco.demo.playing import SWISS_ROUNDS, Tournament, play_round_robin, play_swiss
from pergioco.players.models import PlatformAccount, Registration, User
from pergioco.stages import drafting, facts
from pergioco.stages.models import Entry, Revision, Stage
from pergioco.stages.rules import berger

State = Revision.State
REGULARS = 24  # who comes most weeks
AWAY_IN = 1, 3
FULL = 2  # of the stages to come that count for nothing else: the first was moved, the second is off


@dataclass(frozen=True)
class Played:
    stage: Stage
    tournament: Tournament


def write(today: date, *, organizer: User) -> list[Stage]:
    """The stages that were closed, in the order of time. The organizer's last one is being entered, the other
    organizer's last one was forgotten."""
    past = list(Stage.objects.filter(ends_on__lt=today).order_by("ends_on", "id").prefetch_related("organizers"))
    own = [stage for stage in past if organizer in stage.organizers.all()]
    others = [stage for stage in past if stage not in own]
    kept_open = {stage.pk for stage in (*own[-1:], *others[-1:])}
    closed = [play(stage) for stage in past if stage.pk not in kept_open]
    write_closed(closed)
    for stage in own[-1:]:
        write_half_entered(stage, organizer)
    write_begun(today)
    return [played.stage for played in closed]


def field_of(stage: Stage) -> list[int]:
    """Accounts on the platform decide who can play; the Race is for registered players (PG-23)."""
    registered = Registration.objects.counting().filter(registered_on__lte=stage.starts_on).values("player")
    can_play = Q(player__in=registered)
    if not stage.race:
        can_play |= Q(player__person=None, player__registration=None)
    accounts = PlatformAccount.objects.filter(can_play, platform=stage.platform, player__merged_into=None)
    return list(accounts.order_by("player_id").values_list("player_id", flat=True).distinct())


def tournament_of(stage: Stage) -> Tournament:
    chance = Random(stage.slug)  # noqa: S311 - invented results, no secrets
    there = field_of(stage)
    size = chance.choice((6, 8)) if stage.system != Stage.System.SWISS else chance.randint(9, 15)
    regulars, newcomers = there[:REGULARS], there[REGULARS:]
    wanted = chance.sample(regulars, min(len(regulars), size - 2)) + chance.sample(newcomers, min(len(newcomers), 2))
    players = sorted(wanted)[: len(wanted) // 2 * 2] if stage.system != Stage.System.SWISS else sorted(wanted)
    strength = {player: Random(player).randint(850, 1250) for player in players}  # noqa: S311 - the same in every stage
    return Tournament(players, strength, chance, stage.slug)


def play(stage: Stage) -> Played:
    tournament = tournament_of(stage)
    if stage.system == Stage.System.SWISS:
        send_some_away(tournament)
        play_swiss(tournament)
    else:
        play_round_robin(tournament)
    return Played(stage, tournament)


def send_some_away(tournament: Tournament) -> None:
    """Every other Swiss: one comes late, one does not come to the third round and withdraws."""
    if tournament.chance.random() < 0.5:  # noqa: PLR2004 - heads or tails
        late, gone = tournament.chance.sample(tournament.players, 2)
        tournament.absent = {AWAY_IN[0]: {late}, AWAY_IN[1]: {gone}}
        tournament.left = {gone: AWAY_IN[1]}


def write_closed(closed: list[Played]) -> None:
    write_entries(closed)
    revisions = Revision.objects.bulk_create(revision_of(played) for played in closed)
    facts.write_all([(r, p.tournament.rounds) for r, p in zip(revisions, closed, strict=True)])
    Revision.objects.filter(pk__in=[r.pk for r in revisions]).update(made_at=F("closed_at"))
    Stage.objects.filter(pk__in=[played.stage.pk for played in closed]).update(status=Stage.Status.CLOSED)


def revision_of(played: Played) -> Revision:
    by = next(iter(played.stage.organizers.all()))
    day = morning(played.stage.ends_on + timedelta(days=1))
    sha256 = facts.sha256(played.tournament.rounds)
    return Revision(
        stage=played.stage, number=1, state=State.CURRENT, made_by=by, closed_by=by, closed_at=day, sha256=sha256
    )


def write_entries(all_played: Iterable[Played]) -> None:
    Entry.objects.bulk_create(
        Entry(stage=p.stage, player_id=player, withdrew_after_round=p.tournament.left.get(player))
        for p in all_played
        for player in p.tournament.players
    )


def write_half_entered(stage: Stage, organizer: User) -> None:
    """The pairings are known, half of the results are not."""
    tournament = half_played(stage)
    write_entries([Played(stage, tournament)])
    draft = drafting.open_draft(stage, by=organizer)
    facts.write(draft, tournament.rounds)


def half_played(stage: Stage) -> Tournament:
    tournament = tournament_of(stage)
    if stage.system == Stage.System.SWISS:
        play_swiss(tournament, SWISS_ROUNDS - 1)
        pairs = tournament.pairs(SWISS_ROUNDS)
        tournament.play(pairs, decided=len(pairs) // 2)
    else:
        drawn = berger.rounds(tournament.players)
        for number, pairs in enumerate(drawn):
            tournament.play(pairs, decided=len(pairs) if number < len(drawn) // 2 else 0)
    return tournament


def write_begun(today: date) -> None:
    """What is on that day is half played; the players of the next Race stage are entered already, and so many of
    another one that it is full."""
    for stage in Stage.objects.filter(starts_on__lte=today, ends_on__gte=today).prefetch_related("organizers"):
        write_half_entered(stage, stage.organizers.all()[0])
    coming = Stage.objects.filter(starts_on__gt=today).order_by("starts_on", "id").prefetch_related("organizers")
    for stage in coming.filter(race=True)[:1]:
        write_entered(stage)
    for stage in coming.filter(race=False)[FULL : FULL + 1]:
        stage.capacity = write_entered(stage)
        stage.save(update_fields=["capacity"])


def write_entered(stage: Stage) -> int:
    """How many there are."""
    tournament = tournament_of(stage)
    write_entries([Played(stage, tournament)])
    drafting.open_draft(stage, by=stage.organizers.all()[0])
    return len(tournament.players)
