"""A brochure of the season that is on, in Italian and published; and an export of its rankings, ready to download."""

from typing import Any

from django.apps import apps
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from pergioco.ledger import published, relay
from pergioco.ledger.outbox import promise
from pergioco.players.models import User

LANGUAGE = "it"


def write(*, staff: User) -> None:
    """After everything else: what still waits is done first, so that the brochure tells of the last numbers."""
    finish_what_waits()
    version = published.latest()
    if version is None:  # a visit before the first stage of all
        return
    asked = {"season": version.season, "language": LANGUAGE, "by": staff}
    sections = [key for key, _name in import_string(settings.PIPELINE_PRINTED_CHOICES["sections"])()]
    brochure = made("Brochure", **asked, kind="season", sections=sections, published_at=timezone.now())
    promise("brochures.make", brochure=brochure.pk)
    promise("exports.write", export=made("Export", **asked, what="rankings").pk)
    finish_what_waits()


def made(model: str, **fields: Any) -> Any:
    return apps.get_model("brochures", model).objects.create(**fields)


def finish_what_waits() -> None:
    while relay.run_waiting():
        pass
