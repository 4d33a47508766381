"""`{{ player|public_name:circuit }}`, `{{ player|linked_name:circuit }}` and `{{
player|name_for_staff }}`."""

from django import template
from django.utils.html import format_html

from pergioco.players import naming
from pergioco.players.models import Player

register = template.Library()
register.filter("is_named", naming.is_named)
register.filter("public_name", naming.public_name)
register.filter("name_for_staff", naming.name_for_staff)


@register.filter
def linked_name(player: Player, circuit: str) -> str:
    name = naming.public_name(player, circuit)
    if not player.has_public_page:
        return name
    return format_html('<a href="{}">{}</a>', player.get_absolute_url(), name)
