"""What can be asked of a brochure, for the forms: keys and their words."""

from pergioco.ledger.models import Shown
from pergioco.stages.models import Game
from pergioco.website.printed.papers import is_printed, name_of
from pergioco.website.printed.sections import SECTIONS


def sections() -> list[tuple[str, str]]:
    return [(key, str(one.name)) for key, one in SECTIONS.items()]


def rankings() -> list[tuple[str, str]]:
    """Every ranking that was ever published and is printed."""
    kinds = Shown.objects.order_by("kind").values_list("kind", flat=True).distinct()
    games = Game.objects.in_bulk(field_name="slug")
    found = [(kind, name_of(kind, games)) for kind in kinds if is_printed(kind)]
    return sorted(found, key=lambda pair: (":" in pair[0], pair[1].casefold()))
