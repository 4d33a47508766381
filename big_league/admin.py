"""The catalogue, requests, finals and online tournaments of BIG in Django's admin."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from big_league.models import (
    Answer,
    CalledPlayer,
    Convocation,
    Event,
    Final,
    FinalSeat,
    GameSheet,
    HardcorePick,
    OnlineEntry,
    OnlineTournament,
    SheetNote,
    SignUp,
)
from big_league.rules.phases import Pick, resting_titles
from big_league.services import event_requests
from pergioco.core.admin_base import AuditedAdmin, ReadOnlyAdmin, TabularInline, confirm_bulk_action
from pergioco.core.models import User
from pergioco.core.policy import signed_in_user
from pergioco.core.refusal import Refused


class NoteInline(TabularInline):
    model = SheetNote
    extra = 0


@admin.register(GameSheet)
class GameSheetAdmin(AuditedAdmin):
    list_display = (
        "game",
        "chapter",
        "recommended",
        "most",
        "auction",
        "final_draw",
        "final_format",
    )
    list_filter = ("auction", "final_draw", "final_format", "two_only")
    search_fields = ("game__slug", "game__name_it", "game__name_en", "game__name_es")
    list_select_related = ("game",)
    autocomplete_fields = ("game",)
    view_on_site = True
    inlines = (NoteInline,)
    fields = (
        ("game", "chapter"),
        ("recommended", "most", "two_only", "extra_rounds"),
        ("minutes", "each", "draft"),
        ("auction", "step"),
        ("final_format", "final_draw"),
    )


@admin.register(SheetNote)
class SheetNoteAdmin(AuditedAdmin):
    list_display = ("__str__", "sheet", "kind", "position")
    list_filter = ("kind", ("sheet", admin.EmptyFieldListFilter))
    search_fields = ("text_it", "text_en", "text_es")
    list_select_related = ("sheet__game",)
    autocomplete_fields = ("sheet",)
    deletable = True


@admin.register(HardcorePick)
class HardcorePickAdmin(AuditedAdmin):
    list_display = ("year", "position", "title")
    list_filter = ("year",)
    search_fields = ("title",)
    deletable = True

    def save_model(self, request: HttpRequest, obj: HardcorePick, form: Any, change: Any) -> None:
        # The guideline only warns: a game that should rest is saved all the same (BIG-20).
        super().save_model(request, obj, form, change)
        history = HardcorePick.objects.exclude(pk=obj.pk).values_list("year", "title")
        chosen = resting_titles((Pick(year, title) for year, title in history), obj.year).get(
            obj.title
        )
        if chosen is not None:
            words = _("%(title)s was chosen for %(year)s: by the guideline it rests for two years.")
            messages.warning(request, words % {"title": obj.title, "year": chosen})


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("place", "city", "starts_at", "organizer_name", "state", "sent_at")
    list_filter = ("state", "games")
    search_fields = ("place", "city", "organizer_name", "organizer_email", "games__slug")
    date_hierarchy = "starts_at"
    list_select_related = ("stage__season",)
    exclude = ("key", "submission")
    actions = ("homologate",)

    def view_on_site(self, obj: Event) -> str | None:
        return obj.get_absolute_url() or None

    @admin.action(description=_("Homologate the selected tournaments"), permissions=["view"])
    def homologate(self, request: HttpRequest, queryset: QuerySet[Event]) -> HttpResponse | None:
        # A request with several games is decided at the desk, which asks for the championship.
        by, n = signed_in_user(request), len(queryset)
        sentence = ngettext("Homologate %(n)s tournament", "Homologate %(n)s tournaments", n) % {
            "n": n
        }
        rows = queryset.order_by("starts_at", "pk").prefetch_related("games")
        return confirm_bulk_action(
            self, request, rows, sentence, lambda row: homologate_its_one_game(row, by=by)
        )


def homologate_its_one_game(event: Event, *, by: User) -> Event:
    games = event.games.all()
    if len(games) != 1:
        raise Refused(
            _("It has several games, or one that is not on the list: decide at the desk."),
            rule="admin.homologate_its_one_game",
        )
    return event_requests.homologate_request(event, by=by, version=event.version, game=games[0])


@admin.register(Final)
class FinalAdmin(ReadOnlyAdmin):
    list_display = (
        "stage",
        "starts_at",
        "city",
        "seats",
        "first_mail_at",
        "second_mail_at",
        "closed_at",
    )
    list_filter = ("stage__season", "stage__game")
    search_fields = ("stage__slug", "city", "place")
    date_hierarchy = "starts_at"
    list_select_related = ("stage__game",)
    exclude = ("key", "submission")


@admin.register(CalledPlayer, FinalSeat)
class PlaceInAFinalAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "player")
    list_filter = ("final",)
    search_fields = ("player__public_id",)
    list_select_related = ("final__stage__game", "player")


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "player", "said", "brings_box", "at", "by")
    list_filter = ("final", "said")
    search_fields = ("player__public_id",)
    list_select_related = ("final__stage__game", "player", "by")


@admin.register(Convocation)
class ConvocationAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "player", "is_sent", "at")
    list_filter = ("final", "mail", "is_sent")
    search_fields = ("player__public_id",)
    list_select_related = ("final__stage__game", "player")


@admin.register(OnlineTournament)
class OnlineTournamentAdmin(ReadOnlyAdmin):
    list_display = ("stage", "fee", "voucher_player")
    list_filter = ("stage__season", "stage__game")
    search_fields = ("stage__slug",)
    list_select_related = ("stage__game", "voucher_player")


@admin.register(OnlineEntry)
class OnlineEntryAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "player", "paid", "at", "by")
    list_filter = ("tournament",)
    search_fields = ("player__public_id",)
    list_select_related = ("tournament__stage__game", "player", "by")


@admin.register(SignUp)
class SignUpAdmin(ReadOnlyAdmin):
    list_display = ("event", "player", "brings_box", "presence", "signed_up_at", "left_at")
    list_filter = ("presence", "brings_box", "at_the_door")
    search_fields = ("player__public_id", "last_name", "email", "event__place", "event__city")
    list_select_related = ("event", "player")
    exclude = ("key", "submission")
