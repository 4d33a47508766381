"""`{{ player|public_name }}`, `{{ player|linked_name }}` and `{{ player|name_for_staff }}`."""

from django import template
from django.urls import reverse
from django.utils.html import format_html

from pergioco.players import naming
from pergioco.players.models import Player

SHORT = "short"
register = template.Library()
register.filter("public_name", naming.public_name)
register.filter("name_for_staff", naming.name_for_staff)


@register.filter
def linked_name(player: Player, form: str = "") -> str:
    """The public name, as a link to the page of whoever has one. “short”: by the id alone, where hundreds stand on a
    page; it leads to the whole address."""
    name = naming.public_name(player)
    if not player.has_public_page:
        return name
    address = reverse("player", args=[player.public_id]) if form == SHORT else player.get_absolute_url()
    return format_html('<a href="{}">{}</a>', address, name)
