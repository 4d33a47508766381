"""The facts of stages in the admin, to look things up. They are typed in the grid or read from files, never here."""

from typing import Any

from django.contrib import admin

from pergioco.players.admin_base import ReadOnlyAdmin
from pergioco.stages.models import Change, DateChange, Entry, Revision, Round, Seat, SourceFile, Stage, Table

BY_PLAYER = ("player__public_id", "player__person__search_key", "player__person__last_name")


class OfAStage(ReadOnlyAdmin):
    """Leads to the public page of the stage."""

    def stage_of(self, row: Any) -> Stage:
        stage: Stage = row.stage
        return stage

    def view_on_site(self, obj: Any) -> str:
        return self.stage_of(obj).get_absolute_url()


class OfARevision(OfAStage):
    def stage_of(self, row: Any) -> Stage:
        stage: Stage = row.revision.stage
        return stage


@admin.register(Entry)
class EntryAdmin(OfAStage):
    list_display = ("stage", "player", "entered_at", "withdrew_after_round")
    list_filter = ("stage__season", "stage__circuit", ("withdrew_after_round", admin.EmptyFieldListFilter))
    search_fields = ("stage__slug", *BY_PLAYER)
    list_select_related = ("stage__game", "stage__season", "player")


@admin.register(SourceFile)
class SourceFileAdmin(OfAStage):
    list_display = ("name", "stage", "reader", "reader_version", "read_at", "used_at")
    list_filter = ("reader", "stage__season", ("used_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "stage__slug", "sha256")
    date_hierarchy = "read_at"
    list_select_related = ("stage__game", "stage__season")
    exclude = ("raw",)


@admin.register(Revision)
class RevisionAdmin(OfAStage):
    list_display = ("stage", "number", "state", "made_at", "closed_at", "approved_at")
    list_filter = ("state", "stage__season", "stage__circuit")
    search_fields = ("stage__slug", "reason", "sha256")
    date_hierarchy = "made_at"
    list_select_related = ("stage__game", "stage__season")


@admin.register(Round)
class RoundAdmin(OfARevision):
    list_display = ("revision", "number", "phase")
    list_filter = ("revision__state", "revision__stage__season")
    search_fields = ("revision__stage__slug", "phase")
    list_select_related = ("revision__stage__game", "revision__stage__season")


@admin.register(Table)
class TableAdmin(OfAStage):
    list_display = ("round", "number", "version", "source_line", "platform_key")
    list_filter = ("round__revision__state", "round__revision__stage__season")
    search_fields = ("round__revision__stage__slug", "platform_key")
    list_select_related = ("round__revision__stage__game", "round__revision__stage__season")

    def stage_of(self, row: Any) -> Stage:
        stage: Stage = row.round.revision.stage
        return stage


@admin.register(Seat)
class SeatAdmin(OfAStage):
    list_display = ("table", "position", "player", "outcome", "kind", "played_on")
    list_filter = ("kind", "outcome", "table__round__revision__state")
    search_fields = ("table__round__revision__stage__slug", *BY_PLAYER)
    list_select_related = ("table__round__revision__stage__game", "table__round__revision__stage__season", "player")

    def stage_of(self, row: Any) -> Stage:
        stage: Stage = row.table.round.revision.stage
        return stage


@admin.register(Change)
class ChangeAdmin(OfARevision):
    list_display = ("revision", "what", "at", "by", "undone")
    list_filter = ("what", "undone", "revision__stage__season")
    search_fields = ("revision__stage__slug", "by__email")
    date_hierarchy = "at"
    list_select_related = ("revision__stage__game", "revision__stage__season", "by")


@admin.register(DateChange)
class DateChangeAdmin(OfAStage):
    list_display = ("stage", "old_starts_on", "new_starts_on", "at", "by")
    list_filter = ("stage__season",)
    search_fields = ("stage__slug", "reason")
    date_hierarchy = "at"
    list_select_related = ("stage__game", "stage__season", "by")
