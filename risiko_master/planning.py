"""A Master put on the calendar by whoever will run it."""

from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.policy import Role, has_role
from pergioco.players.refusal import Refused
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.scheduling import free_slug, refusals

GAME, NAME = "risiko", "RisiKo!"


@transaction.atomic
def plan(*, day: date, place: str, by: User) -> Stage:
    """`place` is a slug: it is how the address of the Master ends."""
    if not has_role(by, Role.RISIKO_DIRECTOR, Role.STAFF):
        raise Refused(_("Only directors of RisiKo! Masters and staff put one on the calendar."))
    season = Season.objects.filter(year=day.year).first()
    if season is None:
        raise Refused(_("There is no season %(year)s yet: make it first.") % {"year": day.year}, "day")
    names = dict.fromkeys(("name_it", "name_en", "name_es"), NAME)
    game, _made = Game.objects.get_or_create(slug=GAME, defaults=names)
    slug = free_slug(f"{day.year}-master-{place}"[:60])
    kind = {"circuit": Stage.Circuit.RKM, "system": Stage.System.OTHER, "pace": Stage.Pace.REAL_TIME}
    stage = Stage(slug=slug, season=season, game=game, starts_on=day, ends_on=day, **kind)
    for refused in refusals(stage, None, reason=""):
        raise refused
    stage.save()
    stage.organizers.add(by)
    audit.record("stage.planned", stage, by=by, changes={"slug": ["", slug]})
    return stage
