"""Mail in the admin: whether it left, and who asked for what. Nobody reads anybody's letters."""

from django.contrib import admin

from pergioco.contact.models import (
    Bounce,
    Campaign,
    Delivery,
    Happening,
    MailKey,
    Notice,
    OutgoingMail,
    Subscription,
)
from pergioco.players.admin_base import ReadOnlyAdmin


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
    list_display = ("message_id", "campaign", "player", "state", "tries", "at")
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
