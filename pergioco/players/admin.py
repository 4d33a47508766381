"""Admin pages about people, for lookups and rare repairs. Decisions are made on the desk's
pages."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pergioco.core import events
from pergioco.core.admin_base import (
    AuditedAdmin,
    ReadOnlyAdmin,
    ReadOnlyInline,
    TabularInline,
    record_admin_change,
)
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.core.roles import end_sessions
from pergioco.players.models import (
    CalendarLink,
    Claim,
    Club,
    ClubMember,
    Consent,
    Disqualification,
    ErasureJournal,
    EventCode,
    Membership,
    Merge,
    Nickname,
    Person,
    PlatformAccount,
    Player,
    ProofCode,
    Registration,
    Sanction,
)
from pergioco.players.naming import name_for_staff

NAMED = ("player__public_id", "player__person__search_key", "player__person__last_name")


class WithNames(AuditedAdmin):
    """Rows about a player, searched by name. Each links to the player's page on the desk."""

    search_fields: ClassVar[tuple[str, ...]] = NAMED
    readonly_fields: ClassVar[tuple[str, ...]] = ("player",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # only a registration creates these rows

    @admin.display(description=_("name"))
    def name(self, row: Any) -> str:
        return name_for_staff(row.player)

    def view_on_site(self, obj: Any) -> str:
        return reverse("desk-person", args=[obj.player.public_id])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = (
            super().get_queryset(request).select_related("player__person", "player__registration")
        )
        return rows.prefetch_related("player__accounts__nicknames")


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "name", "registered_on", "merged_into", "erased_at")
    list_filter = (
        "registration__state",
        ("registration", admin.EmptyFieldListFilter),
        ("merged_into", admin.EmptyFieldListFilter),
        ("erased_at", admin.EmptyFieldListFilter),
    )
    search_fields = (
        "public_id",
        "person__search_key",
        "person__last_name",
        "accounts__nicknames__name",
    )
    ordering = ("-created_at", "-id")
    fields = ("public_id", "name", "created_at", "merged_into", "erased_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        rows: QuerySet[Player] = super().get_queryset(request)
        return rows.select_related("person", "registration", "merged_into").prefetch_related(
            "accounts__nicknames"
        )

    def view_on_site(self, obj: Player) -> str:
        return reverse("desk-person", args=[obj.public_id])

    @admin.display(description=_("name"))
    def name(self, player: Player) -> str:
        return name_for_staff(player)

    @admin.display(description=_("registered on"), ordering="registration__registered_on")
    def registered_on(self, player: Player) -> Any:
        registration = getattr(player, "registration", None)
        return registration and registration.registered_on


@admin.register(Person)
class PersonAdmin(WithNames):
    list_display = ("last_name", "first_name", "city", "country", "player")
    list_filter = (
        "country",
        ("identity_checked_on", admin.EmptyFieldListFilter),
        ("user", admin.EmptyFieldListFilter),
    )
    search_fields = (
        "search_key",
        "last_name",
        "first_name",
        "player__public_id",
        "user__email",
        "contact_email",
    )
    fields = (
        "player",
        "user",
        ("first_name", "last_name"),
        ("city", "country"),
        "birth_date",
        ("contact_email", "phone"),
        "identity_checked_on",
    )
    readonly_fields = ("player", "user", "identity_checked_on")


@admin.register(Registration)
class RegistrationAdmin(WithNames):
    list_display = ("player", "name", "registered_on", "state", "publication_allowed")
    list_filter = ("state", "publication_allowed", "registered_on")
    date_hierarchy = "registered_on"
    fields = (
        "player",
        "registered_on",
        "state",
        "publication_allowed",
        "created_at",
        "reviewed_at",
        "reviewed_by",
    )
    readonly_fields = (
        "player",
        "state",
        "publication_allowed",
        "created_at",
        "reviewed_at",
        "reviewed_by",
    )

    def save_model(self, request: HttpRequest, obj: Registration, form: Any, change: Any) -> None:
        obj.version += 1  # a decision made on the old day is refused
        super().save_model(request, obj, form, change)
        if "registered_on" in form.changed_data:
            events.emit("player.changed", player=obj.player_id, cause="mended")


@admin.register(Membership)
class MembershipAdmin(WithNames):
    list_display = ("player", "name", "member_on")
    list_filter = ("member_on",)
    date_hierarchy = "member_on"

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        events.emit("player.changed", player=obj.player_id, cause="mended")


class NicknameInline(ReadOnlyInline):
    model = Nickname
    fields = ("name", "valid_from", "valid_to")


@admin.register(PlatformAccount)
class PlatformAccountAdmin(WithNames, ReadOnlyAdmin):
    list_display = ("nickname", "platform", "platform_id", "proof", "player", "name")
    list_filter = ("platform", "proof")
    search_fields = ("nicknames__name", "platform_id", *NAMED)
    inlines = (NicknameInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlatformAccount]:
        rows: QuerySet[PlatformAccount] = super().get_queryset(request)
        return rows.prefetch_related("nicknames")


@admin.register(ProofCode)
class ProofCodeAdmin(ReadOnlyAdmin):
    """Shows that a code was made and whether it was used, never the code itself."""

    list_display = ("account", "made_at", "expires_at", "used_at", "for_person")
    list_filter = (
        "account__platform",
        "for_person",
        ("used_at", admin.EmptyFieldListFilter),
        "made_at",
    )
    search_fields = (
        "account__nicknames__name",
        "account__platform_id",
        "account__player__public_id",
    )
    date_hierarchy = "made_at"
    exclude = ("code",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProofCode]:
        rows: QuerySet[ProofCode] = super().get_queryset(request)
        return rows.select_related("account__player").prefetch_related("account__nicknames")

    def view_on_site(self, obj: ProofCode) -> str:
        return reverse("desk-account", args=[obj.account_id])


@admin.register(CalendarLink)
class CalendarLinkAdmin(WithNames, ReadOnlyAdmin):
    """Shows which players have a calendar address. The key is hidden: it gives access to the
    calendar."""

    list_display = ("player", "name", "made_at")
    list_filter = ("made_at",)
    exclude = ("key",)


class ClubMemberInline(TabularInline):
    model = ClubMember
    extra = 0
    autocomplete_fields = ("player",)


@admin.register(Club)
class ClubAdmin(AuditedAdmin):
    list_display = ("name", "kind", "city")
    list_filter = ("kind", "city")
    search_fields = ("name", "city")
    inlines = (ClubMemberInline,)
    deletable = True


@admin.register(Sanction)
class SanctionAdmin(WithNames, ReadOnlyAdmin):
    list_display = ("player", "name", "starts_on", "ends_on", "decided_by")
    list_filter = ("starts_on", "ends_on")


@admin.register(Disqualification)
class DisqualificationAdmin(WithNames, ReadOnlyAdmin):
    list_display = ("player", "name", "kind", "effective_on", "confirmed_at", "withdrawn_at")
    list_filter = (
        "kind",
        ("confirmed_at", admin.EmptyFieldListFilter),
        ("withdrawn_at", admin.EmptyFieldListFilter),
    )


@admin.register(Claim)
class ClaimAdmin(WithNames, ReadOnlyAdmin):
    list_display = ("player", "name", "target", "state", "made_at", "decided_at", "decided_by")
    list_filter = ("state", "made_at")
    search_fields = (*NAMED, "target__public_id")


@admin.register(Merge)
class MergeAdmin(ReadOnlyAdmin):
    list_display = ("kept", "absorbed", "done_at", "done_by", "undone_at")
    list_filter = ("done_at", ("undone_at", admin.EmptyFieldListFilter))
    search_fields = ("kept__public_id", "absorbed__public_id")


@admin.register(Consent)
class ConsentAdmin(WithNames, ReadOnlyAdmin):
    list_display = ("player", "name", "kind", "given", "text_version", "language", "at", "way")
    list_filter = ("kind", "given", "way", "language", "at")
    date_hierarchy = "at"


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "actor", "role", "action", "object_type", "object_id", "player")
    list_filter = ("role", "object_type", "at")
    search_fields = ("action", "object_id", "player__public_id", "actor__email", "request_id")
    date_hierarchy = "at"


@admin.register(ErasureJournal)
class ErasureJournalAdmin(ReadOnlyAdmin):
    list_display = ("player", "asked_at", "done_at")
    list_filter = ("done_at",)
    search_fields = ("player__public_id",)
    date_hierarchy = "done_at"


@admin.register(EventCode)
class EventCodeAdmin(ReadOnlyAdmin):
    list_display = ("code", "note", "valid_from", "valid_to", "uses_left", "created_by")
    list_filter = ("valid_to",)
    search_fields = ("code", "note")


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """Roles are granted on the desk's page. Passwords cannot be set here."""

    list_display = ("email", "language", "is_active", "last_login")
    list_filter = ("groups", "is_active", "is_superuser", "language")
    search_fields = ("email", "person__search_key", "person__player__public_id")
    ordering = ("email",)
    fields = (
        "email",
        "language",
        "groups",
        "is_active",
        "is_superuser",
        "date_joined",
        "last_login",
    )
    actions = ["sign_out"]

    @admin.action(description=_("Sign the selected people out everywhere"))
    def sign_out(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            ended = end_sessions(user)
            record_admin_change(request, "signed_out", user, {"sessions": [str(ended), "0"]})
        count = len(queryset)
        done = ngettext(
            "%(count)s person signed out everywhere.",
            "%(count)s people signed out everywhere.",
            count,
        )
        messages.success(request, done % {"count": count})
