"""The job queue in the admin."""

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pergioco.core import jobs
from pergioco.core.admin_base import ReadOnlyAdmin, record_admin_change
from pergioco.core.models import Breaker, CacheVersion, Job, LastRun


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = (
        "kind",
        "arguments",
        "lane",
        "state",
        "made_at",
        "not_before",
        "attempts",
        "trouble",
        "done_at",
    )
    list_filter = (
        "kind",
        "lane",
        "state",
        ("done_at", admin.EmptyFieldListFilter),
        "attempts",
        "made_at",
    )
    search_fields = ("kind", "trouble")
    date_hierarchy = "made_at"
    actions = ["try_again"]

    @admin.action(description=_("Try the selected steps again"))
    @transaction.atomic
    def try_again(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        waiting = list(queryset.filter(state__in=[Job.State.QUEUED, Job.State.FAILED]))
        for job in waiting:
            record_admin_change(request, "tried_again", job, {"tries": [str(job.attempts), "0"]})
        jobs.requeue(Job.objects.filter(pk__in=[job.pk for job in waiting]))
        done = ngettext(
            "%(count)s step will be tried again.",
            "%(count)s steps will be tried again.",
            len(waiting),
        )
        messages.success(request, done % {"count": len(waiting)})


@admin.register(LastRun)
class LastRunAdmin(ReadOnlyAdmin):
    list_display = ("name", "at", "awaited_since")
    list_filter = ("at",)
    search_fields = ("name",)


@admin.register(Breaker)
class BreakerAdmin(ReadOnlyAdmin):
    list_display = ("name", "failures", "trouble", "opened_at", "open_until")
    list_filter = ("opened_at",)
    search_fields = ("name",)


@admin.register(CacheVersion)
class CacheVersionAdmin(ReadOnlyAdmin):
    list_display = ("id", "made_at", "people", "play", "rest")
    list_filter = ("made_at",)
    search_fields = ("id",)
