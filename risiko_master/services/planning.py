"""Planning a Master, and which ones a director runs."""

from datetime import date

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.core.refusal import Refused
from pergioco.stages.models import Game, Stage
from pergioco.stages.services.scheduling import add_stage


def all_masters() -> QuerySet[Stage]:
    return Stage.objects.filter(circuit=Stage.Circuit.RKM).select_related("game", "season")


def directed_masters(user: User) -> QuerySet[Stage]:
    rows = all_masters()
    if has_role(user, Role.STAFF):
        return rows
    return rows.filter(organizers=user) if has_role(user, Role.RISIKO_DIRECTOR) else rows.none()


GAME, NAME = "risiko", "RisiKo!"


@transaction.atomic
def plan_master(*, day: date, place: str, by: User) -> Stage:
    # `place` is a slug: it ends the address of the Master.
    if not has_role(by, Role.RISIKO_DIRECTOR, Role.STAFF):
        raise Refused(
            _("Only directors of RisiKo! Masters and staff put one on the calendar."),
            rule="planning.plan_master",
        )
    names = dict.fromkeys(("name_it", "name_en", "name_es"), NAME)
    stage = add_stage(
        f"{day.year}-master-{place}"[:60],
        day,
        field="day",
        game=Game.objects.get_or_create(slug=GAME, defaults=names)[0],
        circuit=Stage.Circuit.RKM,
        system=Stage.System.OTHER,
        pace=Stage.Pace.REAL_TIME,
    )
    stage.organizers.add(by)
    audit.record("stage.planned", stage, by=by, changes={"slug": ["", stage.slug]})
    return stage
