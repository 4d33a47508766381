"""The calendar in the admin. Organizers see the stages that they run, and no other."""

from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from pergioco.players import afterwards, audit
from pergioco.players.admin_base import AuditedAdmin, ReadOnlyAdmin, TabularInline, staff_only
from pergioco.players.models import User
from pergioco.players.refusal import Refused
from pergioco.stages import admin_facts, scheduling
from pergioco.stages.admin_forms import SeasonForm, StageForm
from pergioco.stages.models import Game, OpeningRating, Season, Stage, TableStep, Variant
from pergioco.stages.season_settings import SETTINGS

__all__ = ["admin_facts"]  # its registrations
DECIDED_BY_STAFF = ("slug", "season", "circuit", "game", "race", "final", "capacity")


@admin.register(Season)
class SeasonAdmin(AuditedAdmin):
    form = SeasonForm
    list_display = ("year", "starts_on", "ends_on")
    list_filter = ("starts_on",)
    search_fields = ("year",)
    readonly_fields = ("known_settings",)
    fields = ("year", ("starts_on", "ends_on"), "settings", "known_settings")

    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        if change and {"year", "settings"}.intersection(form.changed_data):
            afterwards.tell("season.changed", season=obj.pk, cause="season_changed")

    @admin.display(description=_("settings there are"))
    def known_settings(self, _season: Season) -> str:
        return "\n".join(f"{s.name} ({s.reading}, {s.default}): {s.sentence}" for s in SETTINGS.values())


class VariantInline(TabularInline):
    model = Variant
    extra = 0


@admin.register(Game)
class GameAdmin(AuditedAdmin):
    list_display = ("slug", "name_it", "name_en", "name_es")
    list_filter = ("variants__platform",)
    search_fields = ("slug", "name_it", "name_en", "name_es", "variants__key")
    prepopulated_fields = {"slug": ("name_en",)}
    inlines = (VariantInline,)


@admin.register(OpeningRating)
class OpeningRatingAdmin(AuditedAdmin):
    """What came before the first stage on file. All that was computed from it follows."""

    list_display = ("player", "game", "pgr", "games", "last_played_on")
    list_filter = ("game",)
    search_fields = ("player__public_id", "player__person__search_key", "player__person__last_name")
    list_select_related = ("player", "game")
    autocomplete_fields = ("player", "game")
    deletable = True

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("player", "game") if obj else ()

    def save_model(self, request: HttpRequest, obj: OpeningRating, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        afterwards.tell("player.changed", player=obj.player_id, cause="mended")

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        afterwards.tell("player.changed", player=obj.player_id, cause="mended")


@admin.register(TableStep)
class TableStepAdmin(ReadOnlyAdmin):
    """What the tables sent, to look up."""

    list_display = ("stage", "round", "table", "number", "kind", "at", "by")
    list_filter = ("kind", "stage__circuit")
    search_fields = ("stage__slug",)
    date_hierarchy = "at"
    list_select_related = ("stage__game", "by")


@admin.register(Stage)
class StageAdmin(AuditedAdmin):
    form = StageForm
    list_display = ("slug", "season", "game", "platform", "system", "starts_on", "ends_on", "race", "status")
    list_filter = ("season", "circuit", "status", "race", "platform", "system", "pace", "game")
    search_fields = ("slug", "game__name_it", "game__name_en", "game__name_es")
    date_hierarchy = "starts_on"
    ordering = ("-starts_on", "-id")
    autocomplete_fields = ("season", "game", "organizers")
    view_on_site = True
    actions = ("duplicate_last", "cancel", "put_back")
    fields = (
        ("season", "slug"),
        ("circuit", "game", "platform"),
        ("system", "pace"),
        ("starts_on", "ends_on", "begins_at"),
        "reason",
        ("place", "city"),
        ("race", "capacity", "by_invitation", "final"),
        "link",
        "organizers",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stage]:
        return Stage.objects.managed_by(cast("User", request.user)).select_related("season", "game")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return staff_only(DECIDED_BY_STAFF, request)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        hidden = {*staff_only(("organizers",), request), *([] if obj else ["reason"])}
        return [field for field in self.fields if field not in hidden]

    def save_model(self, request: HttpRequest, obj: Stage, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        by, reason = cast("User", request.user), form.cleaned_data.get("reason", "")
        if form.before is None:
            return
        scheduling.note_move(obj, form.before, by=by, reason=reason)
        if form.before.is_closed and (names := scheduling.changed(obj, form.before)):
            values = {name: [str(getattr(form.before, name)), str(getattr(obj, name))] for name in names}
            audit.record("stage.changed_after_closing", obj, by=by, changes=values, reason=reason)
        if form.before.is_closed:
            afterwards.tell("stage.settled", stage=obj.pk, cause="moved")

    @admin.action(description=_("Duplicate the last stage of this game and platform"), permissions=["add"])
    def duplicate_last(self, request: HttpRequest, queryset: QuerySet[Stage]) -> HttpResponse | None:
        if len(queryset) != 1:
            messages.warning(request, _("Choose one stage: the last one of its game and platform is duplicated."))
            return None
        try:
            new = scheduling.duplicate_last(queryset[0], by=cast("User", request.user))
        except Refused as refused:
            messages.warning(request, str(refused.sentence))
            return None
        messages.success(request, _("A new stage, a month after the last one. Check its days, then save."))
        return HttpResponseRedirect(reverse("admin:stages_stage_change", args=[new.pk]))

    @admin.action(description=_("Cancel the selected stages"), permissions=["add"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Stage]) -> None:
        self.each(request, queryset, scheduling.cancel)

    @admin.action(description=_("Put the selected stages back on the calendar"), permissions=["add"])
    def put_back(self, request: HttpRequest, queryset: QuerySet[Stage]) -> None:
        self.each(request, queryset, scheduling.put_back)

    def each(self, request: HttpRequest, queryset: QuerySet[Stage], act: Any) -> None:
        for stage in queryset:
            try:
                act(stage, by=cast("User", request.user))
                messages.success(request, _("%(stage)s: done.") % {"stage": stage})
            except Refused as refused:
                messages.warning(request, str(refused.sentence))
