"""The day of a national final is run like any other one: those who have a seat are the ones who are expected."""

from django.db import transaction
from django.utils import timezone

from big_league.events.models import Event, SignUp
from big_league.finals import seating
from big_league.finals.models import Final
from pergioco.players import audit
from pergioco.players.models import User

SAME = ("place", "address", "city", "starts_at", "how")


@transaction.atomic
def open_day(final: Final, *, by: User) -> Event:
    """Once more, it expects those who got a seat since."""
    final = seating.locked(final)
    event = Event.objects.filter(stage=final.stage).first() or made(final, by=by)
    there = set(event.signups.coming().values_list("player", flat=True))
    boxes = dict(final.answers.order_by("number").values_list("player", "brings_box"))
    SignUp.objects.bulk_create(
        SignUp(event=event, player_id=player, brings_box=bool(boxes.get(player)))
        for player in final.taken.order_by("number").values_list("player", flat=True)
        if player not in there
    )
    return event


def made(final: Final, *, by: User) -> Event:
    same = {name: getattr(final, name) for name in SAME}
    event = Event.objects.create(
        **same,
        organizer_email=final.contact,
        bring_box=final.asks_box,
        state=Event.State.HOMOLOGATED,
        stage=final.stage,
        decided_by=by,
        decided_at=timezone.now(),
    )
    event.games.add(final.stage.game)
    audit.record("big_event.homologated", event, by=by, changes={"state": ["", event.state]})
    return event
