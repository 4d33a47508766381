"""Published brochures for public pages."""

from django import template
from django.db.models import QuerySet
from django.utils.translation import get_language

from pergioco.office.models import Brochure
from pergioco.stages.models import Season

register = template.Library()


@register.simple_tag
def published_brochures(season: Season) -> list[Brochure]:
    # The reader's language first, then by subject.
    rows: QuerySet[Brochure] = Brochure.objects.filter(
        season=season, published_at__isnull=False, pdf__isnull=False
    )
    found = rows.defer("pdf", "named", "named_by_big").order_by("about", "language")
    return sorted(found, key=lambda row: row.language != get_language())
