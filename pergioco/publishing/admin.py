"""Read-only admin of computations, publications, errata and freezes."""

from django.contrib import admin
from django.urls import reverse

from pergioco.core.admin_base import ReadOnlyAdmin
from pergioco.publishing.models import (
    Computation,
    Erratum,
    Freeze,
    Line,
    PgrChange,
    Publication,
    Shown,
    Statement,
)


@admin.register(Computation)
class ComputationAdmin(ReadOnlyAdmin):
    list_display = ("kind", "season", "stage", "edition", "cause", "sha256", "made_at")
    list_filter = ("season", "cause")
    search_fields = ("kind", "stage__slug", "sha256")
    list_select_related = ("season", "stage__game")


@admin.register(PgrChange)
class PgrChangeAdmin(ReadOnlyAdmin):
    list_display = ("stage", "player", "before", "expected", "half_points", "after", "is_current")
    list_filter = ("is_current", "game")
    search_fields = ("stage__slug", "player__public_id")
    list_select_related = ("stage__game", "player")


@admin.register(Line)
class LineAdmin(ReadOnlyAdmin):
    list_display = ("computation", "rank", "player", "value", "decided_by")
    list_filter = ("computation__season", "is_shared")
    search_fields = ("computation__kind", "player__public_id")
    list_select_related = ("computation", "player")


@admin.register(Publication)
class PublicationAdmin(ReadOnlyAdmin):
    list_display = (
        "season",
        "number",
        "as_of",
        "is_current",
        "cause",
        "published_at",
        "withdrawn_at",
    )
    list_filter = ("season", "is_current", "cause")
    search_fields = ("cause", "revision__stage__slug")
    list_select_related = ("season",)

    def view_on_site(self, obj: Publication) -> str:
        return reverse("rankings", args=[obj.season.year])


@admin.register(Erratum)
class ErratumAdmin(ReadOnlyAdmin):
    list_display = ("season", "cause", "is_against_final", "decided_by", "approved_by", "made_at")
    list_filter = ("season", "is_against_final", "cause")
    search_fields = ("reason", "revision__stage__slug")
    list_select_related = ("season", "decided_by", "approved_by")

    def view_on_site(self, obj: Erratum) -> str:
        return reverse("erratum", args=[obj.pk])


@admin.register(Freeze)
class FreezeAdmin(ReadOnlyAdmin):
    list_display = ("season", "sha256", "proposed_by", "frozen_by", "frozen_at")
    list_filter = (("frozen_at", admin.EmptyFieldListFilter),)
    search_fields = ("season__year", "sha256")
    list_select_related = ("season", "proposed_by", "frozen_by")

    def view_on_site(self, obj: Freeze) -> str:
        return reverse("season-archive", args=[obj.season.year])


@admin.register(Shown)
class ShownAdmin(ReadOnlyAdmin):
    list_display = ("publication", "kind", "computation")
    list_filter = ("publication__season", "publication__is_current")
    search_fields = ("kind", "computation__sha256")
    list_select_related = ("publication__season", "computation")


@admin.register(Statement)
class StatementAdmin(ReadOnlyAdmin):
    list_display = ("number", "at", "computations", "differences", "sha256")
    list_filter = ("at",)
    search_fields = ("sha256",)

    def view_on_site(self, obj: Statement) -> str:
        return reverse("statements")
