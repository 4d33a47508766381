"""The book in the admin, to look things up; and waiting work: what failed, and one more try."""

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pergioco.ledger.models import (
    Computation,
    Erratum,
    Freeze,
    LastRun,
    Line,
    Mark,
    Outbox,
    PgrChange,
    Publication,
    Shown,
)
from pergioco.players.admin_base import ReadOnlyAdmin, record


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
    list_display = ("season", "number", "as_of", "is_current", "cause", "published_at", "withdrawn_at")
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


@admin.register(Outbox)
class OutboxAdmin(ReadOnlyAdmin):
    list_display = ("step", "arguments", "made_at", "not_before", "tries", "trouble", "done_at")
    list_filter = ("step", ("done_at", admin.EmptyFieldListFilter), "tries", "made_at")
    search_fields = ("step", "trouble")
    date_hierarchy = "made_at"
    actions = ["try_again"]

    @admin.action(description=_("Try the selected steps again"))
    @transaction.atomic
    def try_again(self, request: HttpRequest, queryset: QuerySet[Outbox]) -> None:
        """The relay takes them up with its next round. What is done stays done."""
        waiting = list(queryset.filter(done_at=None))
        for row in waiting:
            record(request, "tried_again", row, {"tries": [str(row.tries), "0"]})
        queryset.filter(done_at=None).update(tries=0, not_before=timezone.now())
        done = ngettext("%(count)s step will be tried again.", "%(count)s steps will be tried again.", len(waiting))
        messages.success(request, done % {"count": len(waiting)})


@admin.register(LastRun)
class LastRunAdmin(ReadOnlyAdmin):
    list_display = ("name", "at")
    list_filter = ("at",)
    search_fields = ("name",)


@admin.register(Shown)
class ShownAdmin(ReadOnlyAdmin):
    list_display = ("publication", "kind", "computation")
    list_filter = ("publication__season", "publication__is_current")
    search_fields = ("kind", "computation__sha256")
    list_select_related = ("publication__season", "computation")


@admin.register(Mark)
class MarkAdmin(ReadOnlyAdmin):
    """Written by the database: the changes of anything public, as numbers."""

    list_display = ("id", "made_at", "people", "play", "rest")
    list_filter = ("made_at",)
    search_fields = ("id",)
