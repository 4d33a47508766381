"""What the form of a preview proposes: what a person decided before, where the stage still shows it."""

from typing import Any

from pergioco.imports.lineup import Placed
from pergioco.imports.people import players_of
from pergioco.imports.planning import ABSENT_SIGN
from pergioco.imports.preview import Preview
from pergioco.stages.rules.results import BOTH_ABSENT, BYE, HALF_BYE, sign_of

ABSENCES = {sign for result, sign in ABSENT_SIGN.items() if sign not in {"X", ""}} | {BOTH_ABSENT}
Signs = dict[tuple[int, frozenset[int]], str]


def first_answers(preview: Preview) -> dict[str, Any]:
    signs = signs_of(preview)
    players = players_of(preview.people, {})
    lineup = preview.lineup
    answers: dict[str, Any] = {"made_against": preview.stands.token}
    answers |= {who.field: who.likely for who in preview.people if who.settled is None}
    answers["divisions"] = [str(number) for number in lineup.result.divisions]
    answers["byes"] = [
        idle.key
        for idle in lineup.idle
        if (had_a_bye(signs, idle.round, players[idle.player]) if signs else idle.is_bye)
    ]
    answers["absent"] = [p.key for p in lineup.suspects if sign_at(signs, p, players) in ABSENCES]
    for place in (*lineup.shown, *lineup.arbitrated):
        sign = sign_at(signs, place, players)
        answers[f"shown_{place.key}"] = "" if not sign else "absent" if sign in ABSENCES else "played"
    return answers


def signs_of(preview: Preview) -> Signs:
    return {
        (round_.number, frozenset(seat.player for seat in table.seats)): sign_of(
            tuple((seat.outcome, seat.kind) for seat in table.seats)
        )
        for round_ in preview.stands.rounds
        for table in round_.tables
    }


def sign_at(signs: Signs, place: Placed, players: dict[str, int]) -> str:
    return signs.get((place.round, frozenset(players[name] for name in place.game.players)), "")


def had_a_bye(signs: Signs, round_: int, player: int) -> bool:
    return signs.get((round_, frozenset({player}))) in {BYE, HALF_BYE}
