"""Results of the past stages: simulated, corrected and published."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count
from random import Random
from typing import Protocol

from django.db.models import F, Q

from pergioco.core import jobs
from pergioco.core.database import analyze_tables
from pergioco.core.models import User
from pergioco.demo.people import demo_key, morning
from pergioco.players.models import PlatformAccount, Registration
from pergioco.publishing.services import freezing, publish
from pergioco.rulekit.ordering import seeded_order
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import DateChange, Entry, Revision, Season, Stage, Table
from pergioco.stages.rules import pairing as rules_pairing
from pergioco.stages.rules.results import (
    BOTH_ABSENT,
    BYE,
    DRAW,
    EMPTY,
    FIRST,
    FIRST_ABSENT,
    SECOND,
    SECOND_ABSENT,
    parts_of_sign,
)
from pergioco.stages.services import drafting, pairing, scheduling
from pergioco.stages.services.closing import close_stage
from pergioco.stages.services.entering import TypedResult, set_result
from ratings import purging
from ratings.compute import recompute_all

Pair = tuple[int, ...]
SWISS_ROUNDS = 5
DRAWS = 0.07


@dataclass
class Tournament:
    """`absent`: players missing in a round. `left`: player -> last round played."""

    players: list[int]
    strength: dict[int, int]
    chance: Random
    seed: str
    absent: dict[int, set[int]] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)
    rounds: list[RoundFacts] = field(default_factory=list)

    def play(self, pairs: list[Pair], *, decided: int = 99) -> None:
        """Adds a round; only the first `decided` tables have a result."""
        number = len(self.rounds) + 1
        signs = [
            self.sign(pair, number) if table <= decided else EMPTY
            for table, pair in enumerate(pairs, 1)
        ]
        self.rounds.append(RoundFacts(number, tuple(map(make_table, count(1), pairs, signs))))

    def sign(self, pair: Pair, number: int) -> str:
        if len(pair) == 1:
            return BYE
        away = [player in self.absent.get(number, set()) for player in pair]
        if any(away):
            return {(True, True): BOTH_ABSENT, (True, False): FIRST_ABSENT}.get(
                (away[0], away[1]), SECOND_ABSENT
            )
        first, second = (self.strength[player] for player in pair)
        roll, expected = self.chance.random(), 1 / (1 + 10 ** ((second - first) / 400))
        return DRAW if roll > 1 - DRAWS else FIRST if roll < expected * (1 - DRAWS) else SECOND

    def standings(self) -> list[rules_pairing.SwissStanding]:
        there = [player for player in self.players if self.left.get(player, 99) > len(self.rounds)]
        return pairing.swiss_standings(there, self.rounds)

    def pairs(self, number: int) -> list[Pair]:
        standings = self.standings()
        lots = seeded_order(f"{self.seed}/{number}", {s.player: str(s.player) for s in standings})
        return list(rules_pairing.pair_swiss_round(standings, lots).pairs)


def make_table(number: int, pair: Pair, sign: str) -> TableFacts:
    parts = parts_of_sign(sign, len(pair)) or ()
    return TableFacts(
        number, tuple(SeatFacts(player, *part) for player, part in zip(pair, parts, strict=True))
    )


def play_swiss(tournament: Tournament, rounds: int = SWISS_ROUNDS) -> None:
    for number in range(1, rounds + 1):
        tournament.play(tournament.pairs(number))


def play_round_robin(tournament: Tournament) -> None:
    for pairs in rules_pairing.round_robin_rounds(tournament.players):
        tournament.play(pairs)


State = Revision.State
REGULARS = 24  # who comes most weeks
AWAY_IN = 1, 3
# of the stages to come that count for nothing else: the first was moved, the second is off
FULL = 2


class Played(Protocol):
    """`left`: player -> last round played."""

    players: list[int]
    rounds: list[RoundFacts]
    left: dict[int, int]


@dataclass(frozen=True)
class PlayedStage:
    stage: Stage
    tournament: Played


def write_results(today: date, *, organizer: User) -> list[Stage]:
    """The closed stages in order of time. The organizer's last stage stays half entered, the
    other organizer's last one open."""
    ended = Stage.objects.filter(ends_on__lt=today).order_by("ends_on", "id")
    past = list(ended.prefetch_related("organizers"))
    own = [stage for stage in past if organizer in stage.organizers.all()]
    others = [stage for stage in past if stage not in own]
    kept_open = {stage.pk for stage in (*own[-1:], *others[-1:])}
    closed = [play_stage(stage) for stage in past if stage.pk not in kept_open]
    write_closed(closed)
    for stage in own[-1:]:
        write_half_entered(stage, organizer)
    write_running_stages(today)
    return [played.stage for played in closed]


def find_able_players(stage: Stage) -> list[int]:
    # An account on the platform is needed; the Race is for registered players (PG-23)
    registered = Registration.objects.counting().filter(registered_on__lte=stage.starts_on)
    can_play = Q(player__in=registered.values("player"))
    if not stage.race:
        can_play |= Q(player__person=None, player__registration=None)
    accounts = PlatformAccount.objects.filter(
        can_play, platform=stage.platform, player__merged_into=None
    )
    return list(accounts.order_by("player_id").values_list("player_id", flat=True).distinct())


def make_tournament(stage: Stage) -> Tournament:
    chance = Random(stage.slug)  # noqa: S311 - invented results, no secrets
    there, is_swiss = find_able_players(stage), stage.system == Stage.System.SWISS
    size = chance.randint(9, 15) if is_swiss else chance.choice((6, 8))
    regulars, newcomers = there[:REGULARS], there[REGULARS:]
    wanted = chance.sample(regulars, min(len(regulars), size - 2))
    wanted += chance.sample(newcomers, min(len(newcomers), 2))
    players = sorted(wanted)[: len(wanted) if is_swiss else len(wanted) // 2 * 2]
    strength = {player: Random(player).randint(850, 1250) for player in players}  # noqa: S311 - the same in every stage
    return Tournament(players, strength, chance, stage.slug)


def play_stage(stage: Stage) -> PlayedStage:
    tournament = make_tournament(stage)
    if stage.system == Stage.System.SWISS:
        send_some_away(tournament)
        play_swiss(tournament)
    else:
        play_round_robin(tournament)
    return PlayedStage(stage, tournament)


def send_some_away(tournament: Tournament) -> None:
    # In every other Swiss one comes late, and one misses the third round and withdraws
    if tournament.chance.random() < 0.5:  # noqa: PLR2004 - heads or tails
        late, gone = tournament.chance.sample(tournament.players, 2)
        tournament.absent = {AWAY_IN[0]: {late}, AWAY_IN[1]: {gone}}
        tournament.left = {gone: AWAY_IN[1]}


def write_closed(closed: list[PlayedStage]) -> None:
    write_entries(closed)
    revisions = Revision.objects.bulk_create(
        make_revision(p, p.stage.organizers.all()[0], days_after=1) for p in closed
    )
    facts.write_revisions(
        [(r, p.tournament.rounds) for r, p in zip(revisions, closed, strict=True)]
    )
    Revision.objects.filter(pk__in=[r.pk for r in revisions]).update(made_at=F("closed_at"))
    stages = Stage.objects.filter(pk__in=[played.stage.pk for played in closed])
    stages.update(status=Stage.Status.CLOSED)


def make_revision(played: PlayedStage, by: User, *, days_after: int = 0) -> Revision:
    return Revision(
        stage=played.stage,
        number=1,
        state=State.CURRENT,
        made_by=by,
        closed_by=by,
        closed_at=morning(played.stage.ends_on + timedelta(days=days_after)),
        sha256=facts.hash_rounds(played.tournament.rounds),
    )


def write_closed_on_the_day(played: PlayedStage, *, by: User) -> None:
    write_entries([played])
    revision = make_revision(played, by)
    revision.save()
    facts.write_rounds(revision, played.tournament.rounds)


def write_entries(all_played: Iterable[PlayedStage]) -> None:
    Entry.objects.bulk_create(
        Entry(stage=p.stage, player_id=player, withdrew_after_round=p.tournament.left.get(player))
        for p in all_played
        for player in p.tournament.players
    )


def write_half_entered(stage: Stage, organizer: User) -> None:
    tournament = play_half(stage)
    write_entries([PlayedStage(stage, tournament)])
    draft = drafting.open_draft(stage, by=organizer)
    facts.write_rounds(draft, tournament.rounds)


def play_half(stage: Stage) -> Tournament:
    tournament = make_tournament(stage)
    if stage.system == Stage.System.SWISS:
        play_swiss(tournament, SWISS_ROUNDS - 1)
        pairs = tournament.pairs(SWISS_ROUNDS)
        tournament.play(pairs, decided=len(pairs) // 2)
    else:
        drawn = rules_pairing.round_robin_rounds(tournament.players)
        for number, pairs in enumerate(drawn):
            tournament.play(pairs, decided=len(pairs) if number < len(drawn) // 2 else 0)
    return tournament


def write_running_stages(today: date) -> None:
    # Today's stages are half played, the next Race stage has entries, and another stage is
    # full
    stages = Stage.objects.prefetch_related("organizers")
    for stage in stages.filter(starts_on__lte=today, ends_on__gte=today):
        write_half_entered(stage, stage.organizers.all()[0])
    coming = stages.filter(starts_on__gt=today).order_by("starts_on", "id")
    for stage in coming.filter(race=True)[:1]:
        write_entered_stage(stage)
    for stage in coming.filter(race=False)[FULL : FULL + 1]:
        stage.capacity = write_entered_stage(stage)
        stage.save(update_fields=["capacity"])


def write_entered_stage(stage: Stage) -> int:
    """Returns the number of players."""
    tournament = make_tournament(stage)
    write_entries([PlayedStage(stage, tournament)])
    drafting.open_draft(stage, by=stage.organizers.all()[0])
    return len(tournament.players)


WEEK = timedelta(days=7)


def write_corrections(closed: list[Stage], *, by: User) -> None:
    # One is done, one of a Race stage waits for the second person
    for race in (False, True):
        for stage in [stage for stage in closed if stage.race == race][-1:]:
            correct_stage(stage, by=by)


def correct_stage(stage: Stage, *, by: User) -> Revision:
    draft = drafting.begin_correction(
        stage, by=by, reason="I due giocatori dicono che la partita è finita in parità."
    )
    played = Table.objects.filter(round__revision=draft, seats__kind="played")
    table = played.order_by("round__number", "number")[0]
    set_result(TypedResult(table.pk, DRAW, table.version, demo_key(stage.slug)), by=by)
    sha256 = facts.hash_rounds(facts.read_rounds(draft))
    return close_stage(stage, by=by, revision=draft.pk, sha256=sha256)


def write_calendar_changes(today: date, *, by: User) -> None:
    # Of the next stages outside the Race, the first was moved by a week and the second
    # cancelled
    coming = Stage.objects.filter(starts_on__gt=today, race=False).order_by("starts_on", "id")[:2]
    for stage in coming[:1]:
        DateChange.objects.create(
            stage=stage,
            old_starts_on=stage.starts_on - WEEK,
            old_ends_on=stage.ends_on - WEEK,
            new_starts_on=stage.starts_on,
            new_ends_on=stage.ends_on,
            reason="Il primo giorno la piattaforma è in manutenzione.",
            by=by,
        )
    for stage in coming[1:2]:
        scheduling.cancel_stage(stage, by=by)


def publish_seasons(today: date, *, staff: User, second: User) -> None:
    analyze_tables()
    recompute_all(cause="closed")
    begun = Season.objects.filter(year__lte=today.year).order_by("year")
    for season in begun:
        publish.publish_season(season, cause="closed", by=staff)
    while jobs.run_waiting():  # nothing is made final while something moves
        pass
    for season in begun.filter(year__lt=today.year, publications__is_current=True):
        freezing.confirm_freeze(freezing.propose_freeze(season, by=staff), by=second)
        if season.year == today.year - 1:
            purging.propose_purge(today.year, by=second)
