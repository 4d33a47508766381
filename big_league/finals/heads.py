"""Who is kept apart in the first round of a final: whoever runs it asks here."""

from collections.abc import Collection, Sequence

from big_league.finals.models import Final
from big_league.rules.seating import CannotSeat, heads_of_series, sizes
from pergioco.players.models import Player

AT_A_TABLE = 4


def heads_of(final: Final, *, shape: Sequence[int], there: Collection[int] | None = None) -> list[Player]:
    """Of those who have a seat, or who have come: the reigning champion, then the first of the ranking. One for each
    table, or as many as the final says if they are fewer."""
    seated = set(final.taken.values_list("player", flat=True) if there is None else there)
    ranking = [player for player in final.called.values_list("player", flat=True) if player in seated]
    champion = final.champion_id if final.champion_id in seated else None
    wanted = heads_of_series(champion, ranking, shape=shape)[: final.heads]
    players = Player.objects.with_names().in_bulk(wanted)
    return [players[pk] for pk in wanted]


def first_shape(final: Final) -> tuple[int, ...]:
    """The tables of the first round if all came who have a seat now; none for too few."""
    sheet = getattr(final.stage.game, "big", None)
    wanted = (sheet.recommended if sheet else None) or AT_A_TABLE
    try:
        return sizes(final.taken.count(), wanted)
    except CannotSeat:
        return ()
