"""The next round of a BIG tournament, from the database and back, in milliseconds: `python -m
bench.big_round`.

`proposed` reads the day so far and seats everybody by the standings; `opened` does it again under
the lock, compares and writes. `ratio` is both to `written`, the bare rows of the same round."""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from bench.federation import load, portal

PLAYERS, ROUNDS, TIMES = (200, 800, 3200), 3, 5
WANTED = 4


def milliseconds(act: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = act()
    return (time.perf_counter() - began) * 1000, found


def measured(stage: Any, by: Any) -> tuple[float, float, float]:
    """One round more each time would be another tournament: what was opened is removed again."""
    from big_league.day_facts import load_day
    from big_league.services import round_drawing
    from big_league.services.round_drawing import Wish

    wish = Wish(WANTED)
    proposed, proposal = milliseconds(lambda: round_drawing.propose_round(load_day(stage), wish))
    opened, _draft = milliseconds(
        lambda: round_drawing.open_drawn_round(stage, wish, by=by, sha256=proposal.sha256)
    )
    round_drawing.remove_played_round(stage, number=proposal.number, by=by)
    written, _none = milliseconds(lambda: bare(stage, proposal))
    return proposed, opened, written


def bare(stage: Any, proposal: Any) -> None:
    """The peer: the rows of the round, without a question, in a revision of their own."""
    from big_league.services.round_drawing import seat_facts
    from pergioco.stages import facts
    from pergioco.stages.models import Revision

    last = stage.revisions.order_by("-number").values_list("number", flat=True)[0]
    tables = tuple(
        facts.TableFacts(n, seat_facts(players)) for n, players in enumerate(proposal.tables, 1)
    )
    alone = Revision.objects.create(stage=stage, number=last + 1, state="dropped")
    facts.write_rounds(alone, [facts.RoundFacts(proposal.number, tables)])


def main() -> None:
    with portal():
        from tests import factories
        from tests.big_league.field import half_way

        by = factories.user_with_role("big_organizer")
        for count in PLAYERS:
            stage = half_way(count, ROUNDS)
            runs = zip(*(measured(stage, by) for _ in range(TIMES)), strict=True)
            proposed, opened, written = (round(statistics.median(run), 1) for run in runs)
            found = {"proposed": proposed, "opened": opened, "written": written}
            ratio = round((proposed + opened) / written, 1)
            print(
                json.dumps({"players": count, **found, "ratio": ratio, "load": load()}), flush=True
            )


if __name__ == "__main__":
    main()
