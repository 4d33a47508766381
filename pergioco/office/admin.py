"""Letters, requests and prizes in the admin: to look things up. All of it is decided on the desk's pages."""

from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pergioco.office import prizes
from pergioco.office.cases import answering
from pergioco.office.models import Case, DataRequest, PrizeList
from pergioco.players.admin import NAMED
from pergioco.players.admin_base import ReadOnlyAdmin, counted
from pergioco.players.models import User


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin):
    list_display = ("reference", "kind", "office", "name", "state", "sent_at", "due_on", "handled_by")
    list_filter = ("state", "kind", "office", "language", "due_on")
    search_fields = ("id", "name", "email", "finding")
    date_hierarchy = "sent_at"
    list_select_related = ("handled_by",)
    exclude = ("key", "submission")
    actions = ("close",)

    def view_on_site(self, obj: Case) -> str:
        return reverse("desk-case", args=[obj.pk])

    @admin.display(description=_("number"), ordering="id")
    def reference(self, case: Case) -> str:
        return case.number

    @admin.action(description=_("Close the selected letters"), permissions=["view"])
    def close(self, request: HttpRequest, queryset: QuerySet[Case]) -> HttpResponse | None:
        """Those that were answered."""
        by, n = cast("User", request.user), len(queryset)
        sentence = ngettext("Close %(n)s letter", "Close %(n)s letters", n) % {"n": n}
        return counted(self, request, queryset, sentence, lambda row: answering.close(row, by=by, version=row.version))


@admin.register(DataRequest)
class DataRequestAdmin(ReadOnlyAdmin):
    list_display = ("player", "kind", "way", "asked_on", "due_on", "state", "settled_at")
    list_filter = ("state", "kind", "way", "due_on")
    search_fields = NAMED
    date_hierarchy = "asked_on"
    list_select_related = ("player",)

    def view_on_site(self, obj: DataRequest) -> str:
        return reverse("desk-privacy-one", args=[obj.pk])


@admin.register(PrizeList)
class PrizeListAdmin(ReadOnlyAdmin):
    list_display = ("ranking", "season", "state", "announced_at", "changed_by")
    list_filter = ("state", "season", "ranking")
    search_fields = ("ranking", "text_it", "text_en", "text_es")
    list_select_related = ("season", "changed_by")
    actions = ("announce",)

    def view_on_site(self, obj: Any) -> str:
        return reverse("ranking", args=[obj.season.year, obj.ranking])

    @admin.action(description=_("Announce the selected prizes"), permissions=["view"])
    def announce(self, request: HttpRequest, queryset: QuerySet[PrizeList]) -> HttpResponse | None:
        by, n = cast("User", request.user), len(queryset)
        sentence = ngettext("Announce %(n)s list of prizes", "Announce %(n)s lists of prizes", n) % {"n": n}
        return counted(self, request, queryset, sentence, lambda row: prizes.announce(row, version=row.version, by=by))
