"""What a draw starts from, read from the rows of its stage: public ids, and numbers instead of the names of groups."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from pergioco.players.models import ClubMember
from pergioco.players.refusal import Refused
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage
from pergioco.stages.pairing import field
from risiko_master import today
from risiko_master.rules import replay
from risiko_master.rules.draw_facts import FirstGame, Groups
from risiko_master.rules.points import arrival
from risiko_master.rules.tables import is_possible, nearest_possible

Titles = Sequence[Sequence[Sequence[int]]]  # of each title its four bands
SHARED_BY = 2


def document(stage: Stage, number: int, draft: Revision | None, titles: Titles) -> replay.Document:
    """Everything that the draw looks at, and nothing else."""
    players = field(stage, number)
    if number == replay.SEMIFINALS:
        return of_semifinals(stage, players, titles or titles_of(stage, draft))
    refuse_impossible(len(players))
    if number == replay.FIRST:
        return replay.first_inputs(stage.slug, groups_of(players))
    return replay.second_inputs(stage.slug, groups_of(players), first_game(draft))


def of_semifinals(stage: Stage, players: Mapping[int, str], titles: Titles) -> replay.Document:
    seated = [player for bands in titles for band in bands for player in band]
    if not seated or not players.keys() >= set(seated):
        raise Refused(_("Too few players have played both games and are still here: the referee decides who plays on."))
    named = [[[players[player] for player in band] for band in bands] for bands in titles]
    return replay.semifinal_inputs(stage.slug, groups_of({player: players[player] for player in seated}), named)


def titles_of(stage: Stage, draft: Revision | None) -> Titles:
    """As the ranking after both games says, without those who left before the semifinals."""
    day = today.after_both_games(stage, draft)
    if day is None:
        raise Refused(_("Results are missing: who plays the semifinals follows from the ranking after both games."))
    if day.played.proposed:
        raise Refused(
            _("Too few players for the regulation: the referee decides first how many semifinals are played.")
        )
    return [group.bands for group in day.field.groups]


def refuse_impossible(players: int) -> None:
    if not is_possible(players):
        nearest = " / ".join(map(str, nearest_possible(players)))
        raise Refused(
            _("No tables of four and five seat %(players)s players; they would seat %(nearest)s.")
            % {"players": players, "nearest": nearest}
        )


def groups_of(players: Mapping[int, str]) -> Groups:
    """Of clubs, families and common groups those that two of these players share; the numbers are good for one draw."""
    members: dict[int, list[str]] = defaultdict(list)
    rows = ClubMember.objects.filter(player__in=players).order_by("club", "player")
    for club, player in rows.values_list("club", "player"):
        members[club].append(players[player])
    shared = [own for own in members.values() if len(own) >= SHARED_BY]
    return {
        public_id: frozenset(number for number, own in enumerate(shared, 1) if public_id in own)
        for public_id in players.values()
    }


def first_game(draft: Revision | None) -> FirstGame:
    """Its tables and who won them; withdrawn players count, because the others have met them."""
    tables = [table for round_ in facts.read(draft) for table in round_.tables if round_.number == 1] if draft else []
    if not tables or any(today.is_open(table) for table in tables):
        raise Refused(_("Results of the first game are missing: the second draw keeps its winners apart."))
    named = public_ids(tables)
    won = (arrival(today.sittings(table))[0].row for table in tables)
    return FirstGame(
        tuple(tuple(named[seat.player] for seat in table.seats) for table in tables),
        frozenset(named[winner.player] for winner in won),
    )


def public_ids(tables: Sequence[facts.TableFacts]) -> dict[int, str]:
    return today.public_ids(seat.player for table in tables for seat in table.seats)
