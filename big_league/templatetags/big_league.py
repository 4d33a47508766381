from django import template
from django.utils.functional import Promise

from big_league import labels

register = template.Library()


@register.filter
def ends(kind: str) -> str | Promise:
    """When a ranking of BIG ends, which no year does; empty for the others."""
    return labels.ENDS.get(kind, "")
