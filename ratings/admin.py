"""Purges in the admin, read only."""

from django.contrib import admin

from pergioco.core.admin_base import ReadOnlyAdmin
from ratings.models import Purge, Purged


@admin.register(Purge)
class PurgeAdmin(ReadOnlyAdmin):
    list_display = (
        "year",
        "proposed_by",
        "proposed_at",
        "confirmed_by",
        "confirmed_at",
        "destroyed_at",
    )
    list_filter = (
        ("confirmed_at", admin.EmptyFieldListFilter),
        ("destroyed_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("year",)
    list_select_related = ("proposed_by", "confirmed_by")


@admin.register(Purged)
class PurgedAdmin(ReadOnlyAdmin):
    list_display = ("purge", "stage", "player", "before")
    list_filter = ("purge",)
    search_fields = ("stage__slug", "player__public_id")
    list_select_related = ("purge", "stage__game", "player")
