"""The draft of a running Master as facts: the day so far, and the inputs of its draws."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from pergioco.core.refusal import Refused
from pergioco.players.models import ClubMember, Player
from pergioco.rulekit.ordering import seeded_order
from pergioco.stages import facts
from pergioco.stages.models import Entry, Revision, Stage
from pergioco.stages.services.pairing import players_in_round
from risiko_master.facts import referee_decisions, to_sitting
from risiko_master.rules import editions, replay
from risiko_master.rules.clock import Clock
from risiko_master.rules.day import BY_NUMBER, FINAL, GAMES, QUALIFICATION, SEMIFINAL, Day, Round
from risiko_master.rules.draw_facts import FirstGame, Groups, is_possible, nearest_possible
from risiko_master.rules.points import Sitting, arrival

Played = Sequence[facts.RoundFacts]


def read_draft_rounds(draft: Revision | None) -> Played:
    return facts.read_rounds(draft) if draft else ()


def draft_day(stage: Stage, rounds: Played) -> Day:
    # Only tables with results count.
    done = [
        Round(
            one.number,
            {
                table.number: table_sittings(table)
                for table in one.tables
                if not is_table_open(table)
            },
            one.phase,
        )
        for one in rounds
    ]
    left = Entry.objects.filter(stage=stage, withdrew_after_round__lte=GAMES).values_list(
        "player", flat=True
    )
    seated = (seat.player for one in rounds for table in one.tables for seat in table.seats)
    drawn = seeded_order(stage.seed, public_ids_of(seated))
    lots = {player: position for position, player in enumerate(drawn)}
    edition = editions.EDITIONS.in_force(stage.season.year)
    return Day(done, lots, edition, frozenset(left), referee_decisions([stage]).get(stage.pk))


def day_after_both_games(stage: Stage, draft: Revision | None) -> Day | None:
    """`None` while a table of the first two games is open."""
    rounds = read_draft_rounds(draft)
    return (
        draft_day(stage, rounds_of_phase(rounds, QUALIFICATION))
        if are_both_games_over(rounds)
        else None
    )


def are_both_games_over(rounds: Played) -> bool:
    games = rounds_of_phase(rounds, QUALIFICATION)
    return len(games) >= GAMES and not any(map(is_round_unfinished, games))


def day_after_semifinals(stage: Stage, draft: Revision | None) -> Day | None:
    # Also if the referee decided that no semifinals are played.
    rounds = read_draft_rounds(draft)
    day = day_after_both_games(stage, draft)
    if day is None or day.played.proposed:
        return None
    semifinals = rounds_of_phase(rounds, SEMIFINAL)
    if not day.played.semifinals:
        return day
    if not semifinals or any(map(is_round_unfinished, semifinals)):
        return None
    return draft_day(stage, [*rounds_of_phase(rounds, QUALIFICATION), *semifinals])


def round_phase(one: facts.RoundFacts) -> str:
    return one.phase or BY_NUMBER.get(one.number, FINAL)


def rounds_of_phase(rounds: Played, phase: str) -> list[facts.RoundFacts]:
    return [one for one in rounds if round_phase(one) == phase]


def is_round_unfinished(one: facts.RoundFacts) -> bool:
    return any(map(is_table_open, one.tables))


def is_table_open(table: facts.TableFacts) -> bool:
    return any(seat.score is None and not seat.objective_made for seat in table.seats)


def public_ids_of(players: Iterable[int]) -> dict[int, str]:
    return dict(Player.objects.filter(pk__in=set(players)).values_list("pk", "public_id"))


def table_sittings(table: facts.TableFacts) -> list[Sitting]:
    return [to_sitting(seat, seat.player, order) for order, seat in enumerate(table.seats, 1)]


def live_version(rounds: Played, shown: Clock | None) -> str:
    """Changes with anything that the hall pages show."""
    return f"{facts.hash_rounds(rounds)[:16]}-{shown.state if shown else ''}"


Titles = Sequence[Sequence[Sequence[int]]]  # of each title its four bands
SHARED_BY = 2


def draw_document(
    stage: Stage, number: int, draft: Revision | None, titles: Titles
) -> replay.Document:
    players = players_in_round(stage, number)
    if number == replay.SEMIFINALS:
        return semifinal_document(stage, players, titles or titles_from_ranking(stage, draft))
    refuse_impossible(len(players))
    if number == replay.FIRST:
        return replay.first_inputs(stage.slug, shared_groups(players))
    return replay.second_inputs(stage.slug, shared_groups(players), read_first_game(draft))


def semifinal_document(stage: Stage, players: Mapping[int, str], titles: Titles) -> replay.Document:
    seated = [player for bands in titles for band in bands for player in band]
    if not seated or not players.keys() >= set(seated):
        raise Refused(
            _(
                "Too few players have played both games and are still here: the referee decides "
                "who plays on."
            ),
            rule="draft_facts.semifinal_document",
        )
    named = [[[players[player] for player in band] for band in bands] for bands in titles]
    return replay.semifinal_inputs(
        stage.slug, shared_groups({player: players[player] for player in seated}), named
    )


def titles_from_ranking(stage: Stage, draft: Revision | None) -> Titles:
    day = day_after_both_games(stage, draft)
    if day is None:
        raise Refused(
            _(
                "Results are missing: who plays the semifinals follows from the ranking after both "
                "games."
            ),
            rule="draft_facts.titles_from_ranking",
        )
    if day.played.proposed:
        raise Refused(
            _(
                "Too few players for the regulation: the referee decides first how many semifinals "
                "are played."
            ),
            rule="draft_facts.titles_from_ranking",
        )
    return [group.bands for group in day.field.groups]


def refuse_impossible(players: int) -> None:
    if not is_possible(players):
        nearest = " / ".join(map(str, nearest_possible(players)))
        raise Refused(
            _("No tables of four and five seat %(players)s players; they would seat %(nearest)s.")
            % {"players": players, "nearest": nearest},
            rule="draft_facts.refuse_impossible",
        )


def shared_groups(players: Mapping[int, str]) -> Groups:
    """Clubs, families and common groups of at least two of these players, numbered for one draw."""
    members: dict[int, list[str]] = defaultdict(list)
    rows = ClubMember.objects.filter(player__in=players).order_by("club", "player")
    for club, player in rows.values_list("club", "player"):
        members[club].append(players[player])
    shared = [own for own in members.values() if len(own) >= SHARED_BY]
    return {
        public_id: frozenset(number for number, own in enumerate(shared, 1) if public_id in own)
        for public_id in players.values()
    }


def read_first_game(draft: Revision | None) -> FirstGame:
    # Withdrawn players count, because others have met them.
    tables = next((one.tables for one in read_draft_rounds(draft) if one.number == 1), ())
    if not tables or any(map(is_table_open, tables)):
        raise Refused(
            _("Results of the first game are missing: the second draw keeps its winners apart."),
            rule="draft_facts.read_first_game",
        )
    named = public_ids_of(seat.player for table in tables for seat in table.seats)
    won = (arrival(table_sittings(table))[0].row for table in tables)
    return FirstGame(
        tuple(tuple(named[seat.player] for seat in table.seats) for table in tables),
        frozenset(named[winner.player] for winner in won),
    )
