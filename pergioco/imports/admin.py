"""What platforms were asked for, to look it up."""

from django.contrib import admin

from pergioco.imports.models import Fetch
from pergioco.players.admin_base import ReadOnlyAdmin


@admin.register(Fetch)
class FetchAdmin(ReadOnlyAdmin):
    list_display = ("stage", "platform", "kind", "key", "state", "trouble", "made_at", "by")
    list_filter = ("platform", "state", "trouble")
    search_fields = ("stage__slug", "key")
    date_hierarchy = "made_at"
    list_select_related = ("stage__game", "stage__season", "by")
