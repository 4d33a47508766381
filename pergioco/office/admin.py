"""The office's rows in the admin, read only: decisions are taken on the desk's pages."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pergioco.core.admin_base import ReadOnlyAdmin, confirm_bulk_action
from pergioco.core.models import OutgoingMail
from pergioco.core.policy import signed_in_user
from pergioco.office.models import (
    Bounce,
    Brochure,
    Campaign,
    Case,
    DataRequest,
    Delivery,
    Export,
    Happening,
    MailKey,
    Notice,
    Page,
    PrizeList,
    Subscription,
)
from pergioco.office.services import cases, prizes
from pergioco.players.admin import NAMED


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin):
    list_display = (
        "reference",
        "kind",
        "office",
        "name",
        "state",
        "sent_at",
        "due_on",
        "handled_by",
    )
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
        by, n = signed_in_user(request), len(queryset)
        sentence = ngettext("Close %(n)s letter", "Close %(n)s letters", n) % {"n": n}
        return confirm_bulk_action(
            self,
            request,
            queryset,
            sentence,
            lambda row: cases.close_case(row, by=by, version=row.version),
        )


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
        by, n = signed_in_user(request), len(queryset)
        sentence = ngettext(
            "Announce %(n)s list of prizes", "Announce %(n)s lists of prizes", n
        ) % {"n": n}
        return confirm_bulk_action(
            self,
            request,
            queryset,
            sentence,
            lambda row: prizes.announce_prizes(row, version=row.version, by=by),
        )


@admin.register(Brochure)
class BrochureAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__",
        "season",
        "kind",
        "language",
        "state",
        "made_at",
        "published_at",
        "left_out",
    )
    list_filter = (
        "kind",
        "job__state",
        "language",
        ("published_at", admin.EmptyFieldListFilter),
        "season",
    )
    list_select_related = ("season", "job")
    search_fields = ("file", "about")
    date_hierarchy = "asked_at"
    exclude = ("pdf", "named", "named_by_big")

    @admin.display(description=_("state"))
    def state(self, row: Brochure) -> str:
        return str(row.state.label)


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
    list_filter = ("what", "job__state", "language", "asked_at")
    list_select_related = ("season", "by", "job")
    search_fields = ("what",)
    date_hierarchy = "asked_at"
    exclude = ("content",)

    @admin.display(description=_("state"))
    def state(self, row: Export) -> str:
        return str(row.state.label)


@admin.register(OutgoingMail)
class OutgoingMailAdmin(ReadOnlyAdmin):
    list_display = ("message_id", "recipient", "made_at", "closed_at", "refused")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), "refused", "made_at")
    search_fields = ("recipient", "message_id")
    date_hierarchy = "made_at"
    fields = ("message_id", "recipient", "made_at", "closed_at", "refused")


@admin.register(Campaign)
class CampaignAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "state", "leaves_at", "begun_at", "ended_at", "released_by")
    list_filter = ("state", "begun_at")
    list_select_related = ("released_by",)
    search_fields = ("subject_it", "subject_en", "subject_es")
    exclude = ("submission",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ("message_id", "campaign", "player", "state", "at")
    list_filter = ("state", "campaign")
    list_select_related = ("campaign", "player")
    search_fields = ("message_id", "player__public_id")


@admin.register(Bounce)
class BounceAdmin(ReadOnlyAdmin):
    list_display = ("player", "address", "is_hard", "at", "noted_by")
    list_filter = ("is_hard", "at")
    list_select_related = ("player", "noted_by")
    search_fields = ("address", "player__public_id")


@admin.register(MailKey)
class MailKeyAdmin(ReadOnlyAdmin):
    list_display = ("player", "made_at")
    list_filter = ("made_at",)
    list_select_related = ("player",)
    search_fields = ("player__public_id",)
    exclude = ("key",)


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnlyAdmin):
    list_display = ("player", "kind", "game", "followed", "pace", "made_at")
    list_filter = ("kind", "pace", "game")
    list_select_related = ("player", "game", "followed")
    search_fields = ("player__public_id", "followed__public_id")


@admin.register(Happening)
class HappeningAdmin(ReadOnlyAdmin):
    list_display = ("key", "what", "stage", "publication", "found_at")
    list_filter = ("what", "found_at")
    list_select_related = ("stage__game", "publication__season")
    search_fields = ("key",)


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    list_display = ("subscription", "happening", "due_at", "mailed_at")
    list_filter = (("mailed_at", admin.EmptyFieldListFilter), "due_at")
    list_select_related = ("subscription__player", "happening")
    search_fields = ("happening__key", "subscription__player__public_id")
