"""The calendar in the admin. Organizers see only the stages they run."""

from copy import copy
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit, events
from pergioco.core.admin_base import AuditedAdmin, ReadOnlyAdmin, TabularInline, staff_only
from pergioco.core.policy import signed_in_user
from pergioco.core.refusal import Refused
from pergioco.stages import seasons
from pergioco.stages.models import (
    Change,
    DateChange,
    Entry,
    Game,
    OpeningRating,
    Revision,
    Round,
    Season,
    Seat,
    SourceFile,
    Stage,
    Table,
    TableStep,
    Variant,
)
from pergioco.stages.seasons import SETTINGS
from pergioco.stages.services import scheduling

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm

DECIDED_BY_STAFF = ("slug", "season", "circuit", "game", "race", "final", "capacity")
PLAYER_SEARCH = ("player__public_id", "player__person__search_key", "player__person__last_name")


class SeasonForm(ModelForm):
    class Meta:
        model = Season
        fields = ("year", "starts_on", "ends_on", "settings")
        help_texts = {
            "starts_on": _("PerGioco Masters runs from 2 January to 31 December."),
            "settings": _(
                "Only what differs from the defaults, such as {}. A setting with no value has its "
                "default."
            ),
        }

    def clean_settings(self) -> object:
        # An empty field means: no settings.
        found = self.cleaned_data.get("settings") or {}
        for sentence in seasons.setting_problems(found):
            self.add_error("settings", sentence)
        return found

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        first, last, year = values.get("starts_on"), values.get("ends_on"), values.get("year")
        if first and last and last <= first:
            self.add_error("ends_on", _("The last day comes before the first one."))
        elif first and last and year and {first.year, last.year} != {year}:
            self.add_error("starts_on", _("A season lies within its year."))
        return values


class StageForm(ModelForm):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        required=False,
        help_text=_(
            "When dates move, and when a closed stage changes. The calendar shows why a date moved."
        ),
    )

    class Meta:
        model = Stage
        fields = ()  # the admin chooses them by role
        help_texts = {"capacity": _("64 at most in a Race stage (PGM 40). Empty: as many as come.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = copy(self.instance) if self.instance.pk else None

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors:
            proposed = copy(self.instance)
            for name in values.keys() - {"reason", "organizers"}:
                setattr(proposed, name, values[name])
            for refused in scheduling.stage_refusals(
                proposed, self.before, reason=values.get("reason", "")
            ):
                self.add_error(
                    refused.field if refused.field in self.fields else None, str(refused.sentence)
                )
            self.check_organizers(proposed.circuit)
        return values

    def check_organizers(self, circuit: str) -> None:
        for user in scheduling.wrong_organizers(circuit, self.cleaned_data.get("organizers", ())):
            sentence = _(
                "%(user)s is no organizer of this circuit. Staff give that role on the page of "
                "roles."
            )
            self.add_error("organizers", sentence % {"user": user})


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
            events.emit("season.changed", season=obj.pk, cause="season_changed")

    @admin.display(description=_("settings there are"))
    def known_settings(self, _season: Season) -> str:
        return "\n".join(
            f"{s.name} ({s.reading}, {s.default}): {s.sentence}" for s in SETTINGS.values()
        )


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
    # Every number computed from an opening rating is computed again after a change.
    list_display = ("player", "game", "pgr", "games", "last_played_on")
    list_filter = ("game",)
    search_fields = PLAYER_SEARCH
    list_select_related = ("player", "game")
    autocomplete_fields = ("player", "game")
    deletable = True

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("player", "game") if obj else ()

    def save_model(self, request: HttpRequest, obj: OpeningRating, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        events.emit("player.changed", player=obj.player_id, cause="mended")

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        events.emit("player.changed", player=obj.player_id, cause="mended")


@admin.register(TableStep)
class TableStepAdmin(ReadOnlyAdmin):
    list_display = ("stage", "round", "table", "number", "kind", "at", "by")
    list_filter = ("kind", "stage__circuit")
    search_fields = ("stage__slug",)
    date_hierarchy = "at"
    list_select_related = ("stage__game", "by")


@admin.register(Stage)
class StageAdmin(AuditedAdmin):
    form = StageForm
    list_display = (
        "slug",
        "season",
        "game",
        "platform",
        "system",
        "starts_on",
        "ends_on",
        "race",
        "status",
    )
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
        return Stage.objects.managed_by(signed_in_user(request)).select_related("season", "game")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return staff_only(DECIDED_BY_STAFF, request)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        hidden = {*staff_only(("organizers",), request), *([] if obj else ["reason"])}
        return [field for field in self.fields if field not in hidden]

    def save_model(self, request: HttpRequest, obj: Stage, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        by, reason = signed_in_user(request), form.cleaned_data.get("reason", "")
        if form.before is None:
            return
        scheduling.record_move(obj, form.before, by=by, reason=reason)
        if form.before.is_closed and (names := scheduling.changed_after_closing(obj, form.before)):
            values = {
                name: [str(getattr(form.before, name)), str(getattr(obj, name))] for name in names
            }
            audit.record("stage.changed_after_closing", obj, by=by, changes=values, reason=reason)
        if form.before.is_closed:
            events.emit("stage.settled", stage=obj.pk, cause="moved")

    @admin.action(
        description=_("Duplicate the last stage of this game and platform"), permissions=["add"]
    )
    def duplicate_last(
        self, request: HttpRequest, queryset: QuerySet[Stage]
    ) -> HttpResponse | None:
        if len(queryset) != 1:
            messages.warning(
                request, _("Choose one stage: the last one of its game and platform is duplicated.")
            )
            return None
        try:
            new = scheduling.duplicate_last(queryset[0], by=signed_in_user(request))
        except Refused as refused:
            messages.warning(request, str(refused.sentence))
            return None
        messages.success(
            request, _("A new stage, a month after the last one. Check its days, then save.")
        )
        return HttpResponseRedirect(reverse("admin:stages_stage_change", args=[new.pk]))

    @admin.action(description=_("Cancel the selected stages"), permissions=["add"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Stage]) -> None:
        self.each(request, queryset, scheduling.cancel_stage)

    @admin.action(
        description=_("Put the selected stages back on the calendar"), permissions=["add"]
    )
    def put_back(self, request: HttpRequest, queryset: QuerySet[Stage]) -> None:
        self.each(request, queryset, scheduling.restore_stage)

    def each(self, request: HttpRequest, queryset: QuerySet[Stage], act: Any) -> None:
        for stage in queryset:
            try:
                act(stage, by=signed_in_user(request))
                messages.success(request, _("%(stage)s: done.") % {"stage": stage})
            except Refused as refused:
                messages.warning(request, str(refused.sentence))


class StageFactAdmin(ReadOnlyAdmin):
    stage_path = "stage"  # from a row to its stage

    def view_on_site(self, obj: Any) -> str:
        stage: Stage = attrgetter(self.stage_path)(obj)
        return stage.get_absolute_url()


@admin.register(Entry)
class EntryAdmin(StageFactAdmin):
    list_display = ("stage", "player", "entered_at", "withdrew_after_round")
    list_filter = (
        "stage__season",
        "stage__circuit",
        ("withdrew_after_round", admin.EmptyFieldListFilter),
    )
    search_fields = ("stage__slug", *PLAYER_SEARCH)
    list_select_related = ("stage__game", "stage__season", "player")


@admin.register(SourceFile)
class SourceFileAdmin(StageFactAdmin):
    list_display = ("name", "stage", "reader", "reader_version", "read_at", "used_at")
    list_filter = ("reader", "stage__season", ("used_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "stage__slug", "sha256")
    date_hierarchy = "read_at"
    list_select_related = ("stage__game", "stage__season")
    exclude = ("raw",)


@admin.register(Revision)
class RevisionAdmin(StageFactAdmin):
    list_display = ("stage", "number", "state", "made_at", "closed_at", "approved_at")
    list_filter = ("state", "stage__season", "stage__circuit")
    search_fields = ("stage__slug", "reason", "sha256")
    date_hierarchy = "made_at"
    list_select_related = ("stage__game", "stage__season")


@admin.register(Round)
class RoundAdmin(StageFactAdmin):
    stage_path = "revision.stage"
    list_display = ("revision", "number", "phase")
    list_filter = ("revision__state", "revision__stage__season")
    search_fields = ("revision__stage__slug", "phase")
    list_select_related = ("revision__stage__game", "revision__stage__season")


@admin.register(Table)
class TableAdmin(StageFactAdmin):
    stage_path = "round.revision.stage"
    list_display = ("round", "number", "version", "source_line", "platform_key")
    list_filter = ("round__revision__state", "round__revision__stage__season")
    search_fields = ("round__revision__stage__slug", "platform_key")
    list_select_related = ("round__revision__stage__game", "round__revision__stage__season")


@admin.register(Seat)
class SeatAdmin(StageFactAdmin):
    stage_path = "table.round.revision.stage"
    list_display = ("table", "position", "player", "outcome", "kind", "played_on")
    list_filter = ("kind", "outcome", "table__round__revision__state")
    search_fields = ("table__round__revision__stage__slug", *PLAYER_SEARCH)
    list_select_related = (
        "table__round__revision__stage__game",
        "table__round__revision__stage__season",
        "player",
    )


@admin.register(Change)
class ChangeAdmin(StageFactAdmin):
    stage_path = "revision.stage"
    list_display = ("revision", "what", "at", "by", "undone")
    list_filter = ("what", "undone", "revision__stage__season")
    search_fields = ("revision__stage__slug", "by__email")
    date_hierarchy = "at"
    list_select_related = ("revision__stage__game", "revision__stage__season", "by")


@admin.register(DateChange)
class DateChangeAdmin(StageFactAdmin):
    list_display = ("stage", "old_starts_on", "new_starts_on", "at", "by")
    list_filter = ("stage__season",)
    search_fields = ("stage__slug", "reason")
    date_hierarchy = "at"
    list_select_related = ("stage__game", "stage__season", "by")
