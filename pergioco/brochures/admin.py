"""Brochures and exports in the admin: what was made, by whom. They are made and thrown away on their own pages."""

from django.contrib import admin

from pergioco.brochures.models import Brochure, Export, Page
from pergioco.players.admin_base import ReadOnlyAdmin


@admin.register(Brochure)
class BrochureAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "season", "kind", "language", "state", "made_at", "published_at", "left_out")
    list_filter = ("kind", "state", "language", ("published_at", admin.EmptyFieldListFilter), "season")
    list_select_related = ("season",)
    search_fields = ("file", "about")
    date_hierarchy = "asked_at"
    exclude = ("pdf", "named", "named_by_big")


@admin.register(Page)
class PageAdmin(ReadOnlyAdmin):
    list_display = ("brochure", "number")
    list_filter = ("brochure__season", "brochure__language")
    list_select_related = ("brochure",)
    search_fields = ("brochure__file",)
    exclude = ("png",)


@admin.register(Export)
class ExportAdmin(ReadOnlyAdmin):
    list_display = ("what", "season", "language", "state", "asked_at", "made_at", "by")
    list_filter = ("what", "state", "language", "asked_at")
    list_select_related = ("season", "by")
    search_fields = ("what",)
    date_hierarchy = "asked_at"
    exclude = ("content",)
