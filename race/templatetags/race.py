from django import template

from pergioco.stages.models import Season
from race import rules

register = template.Library()


@register.filter
def has_race(season: Season) -> bool:
    """Pages of earlier seasons say that there was none."""
    return rules.is_race_held(season.year)
