"""A Master's draws, presences, clock and decisions in the admin. Seeds of pending draws are
hidden."""

from django.contrib import admin

from pergioco.core.admin_base import ReadOnlyAdmin
from risiko_master.models import ClockPress, Commitment, Draw, Presence, RefereeDecision


@admin.register(Commitment)
class CommitmentAdmin(ReadOnlyAdmin):
    list_display = ("stage", "number", "attempt", "seed_sha256", "at", "by")
    list_filter = ("number",)
    search_fields = ("stage__slug", "seed_sha256")
    list_select_related = ("stage__game", "by")
    exclude = ("seed",)


@admin.register(Draw)
class DrawAdmin(ReadOnlyAdmin):
    list_display = ("commitment", "inputs_sha256", "result_sha256", "at", "by")
    list_filter = ("commitment__stage__season",)
    search_fields = ("commitment__stage__slug", "seed")
    list_select_related = ("commitment__stage__game", "by")


@admin.register(Presence)
class PresenceAdmin(ReadOnlyAdmin):
    list_display = ("entry", "at", "by")
    list_filter = ("entry__stage__season",)
    search_fields = ("entry__stage__slug", "entry__player__public_id")
    list_select_related = ("entry__stage__game", "entry__player", "by")


@admin.register(ClockPress)
class ClockPressAdmin(ReadOnlyAdmin):
    list_display = ("stage", "game", "what", "at", "reason", "by")
    list_filter = ("what", "game")
    search_fields = ("stage__slug",)
    list_select_related = ("stage__game", "by")


@admin.register(RefereeDecision)
class RefereeDecisionAdmin(ReadOnlyAdmin):
    list_display = ("stage", "direct", "semifinals", "reason", "at", "by")
    list_filter = ("stage__season",)
    search_fields = ("stage__slug",)
    list_select_related = ("stage__game", "by")
