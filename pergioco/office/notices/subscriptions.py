"""A player's subscriptions: chosen in the account, or by following a player or a game."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.office.models import Subscription
from pergioco.players.models import Player
from pergioco.players.naming import named_in_public
from pergioco.stages.models import Game

Kind = Subscription.Kind
NEVER = "never"


@transaction.atomic
def choose_paces(player: Player, paces: Mapping[str, str], *, by: User) -> None:
    """Kind -> pace, for all games; “never” ends the wish."""
    for kind, pace in paces.items():
        set_subscription(player, by=by, pace=pace, kind=kind, game=None, followed=None)


def set_subscription(
    player: Player, *, by: User, pace: str, **about: object
) -> Subscription | None:
    # An unchanged wish leaves no trace in the log.
    rows = Subscription.objects.select_for_update().filter(player=player, **about)
    row = rows.first()
    if row is None and pace != NEVER:
        row = Subscription.objects.create(player=player, pace=pace, **about)
        audit.record("notices.chosen", row, by=by, player=player, changes={"pace": ["", pace]})
    elif row is not None and pace == NEVER:
        audit.record("notices.ended", row, by=by, player=player)
        row.delete()
        return None
    elif row is not None and row.pace != pace:
        audit.record(
            "notices.chosen", row, by=by, player=player, changes={"pace": [row.pace, pace]}
        )
        rows.update(pace=pace)
    return row


@transaction.atomic
def subscribe_to_game(player: Player, kind: str, game: Game, pace: str, *, by: User) -> None:
    set_subscription(player, by=by, pace=pace, kind=kind, game=game, followed=None)


@transaction.atomic
def follow_game(player: Player, game: Game, pace: str, *, by: User) -> None:
    set_subscription(player, by=by, pace=pace, kind=Kind.GAME, game=game, followed=None)


@transaction.atomic
def follow_player(player: Player, other: Player, pace: str, *, by: User) -> None:
    # Only players named in public can be followed; ending is always possible.
    if other == player:
        raise Refused(_("This is you: choose “Results of stages that I played” instead."))
    if pace != NEVER and not named_in_public().filter(pk=other.pk).exists():
        raise Refused(_("This player is not named in public: nobody can follow them."))
    set_subscription(player, by=by, pace=pace, kind=Kind.PLAYER, game=None, followed=other)


@transaction.atomic
def end_subscription(player: Player, number: int, *, by: User) -> bool:
    """False if it is gone already, or another player's."""
    row = Subscription.objects.filter(player=player, pk=number).first()
    if row is None:
        return False
    audit.record("notices.ended", row, by=by, player=player)
    row.delete()
    return True
