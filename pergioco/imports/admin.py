"""Requests to platforms in the admin, read only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from pergioco.core.admin_base import ReadOnlyAdmin
from pergioco.imports.models import Fetch


@admin.register(Fetch)
class FetchAdmin(ReadOnlyAdmin):
    list_display = ("stage", "platform", "kind", "key", "state", "trouble", "made_at", "by")
    list_filter = ("platform", "job__state", "trouble")
    search_fields = ("stage__slug", "key")
    date_hierarchy = "made_at"
    list_select_related = ("stage__game", "stage__season", "by", "job")

    @admin.display(description=_("state"))
    def state(self, row: Fetch) -> str:
        return str(row.state.label)
