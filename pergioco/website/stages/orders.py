"""The order of a stage, by the rules of its circuit: a Master and a tournament of BIG have one once they are closed."""

from big_league.day import words
from big_league.day.reading import Day
from pergioco.ledger.models import Line
from pergioco.rulekit.rounding import half_up
from pergioco.stages.models import Stage
from pergioco.website.stages.seen import Seen
from pergioco.website.stages.tables import Classified, People, classified
from risiko_master import standing_labels as labels
from risiko_master.compute import FINAL, kind

BIG_DECIMALS, MASTER_DECIMALS = 2, 3


def order_of(seen: Seen, people: People) -> list[Classified]:
    if seen.stage.circuit == Stage.Circuit.PGM:
        return classified(seen, people)
    if not seen.stage.is_closed:
        return []
    if seen.stage.circuit == Stage.Circuit.BIG:
        return of_big(Day(seen.stage, seen.revision), {pk: people[stays] for pk, stays in seen.same.items()})
    return of_master(seen.published(kind(seen.stage.slug, FINAL)), people)


def of_big(day: Day, people: People) -> list[Classified]:
    """`people` knows everybody who sat at a table."""
    return [
        Classified(
            people[one.row.player],
            one.rank,
            half_up(one.row.points, BIG_DECIMALS),
            BIG_DECIMALS,
            words.decided(one.decided_by),
        )
        for one in day.order
    ]


def of_master(final: list[Line], people: People) -> list[Classified]:
    """As published; who is no longer among the players stays out, as in the Race."""
    return [
        Classified(people[line.player_id], line.rank, line.value, MASTER_DECIMALS, str(labels.decided(line)))
        for line in final
        if line.player_id in people
    ]
