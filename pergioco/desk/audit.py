"""Who changed what: the log as staff read it."""

from typing import Any, cast

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from pergioco.desk import latest
from pergioco.desk.forms import DayField
from pergioco.desk.search import matching
from pergioco.players.audit_words import action_words
from pergioco.players.models import AuditEntry, Player
from pergioco.players.policy import Role, allow

PER_PAGE = 50


class FilterForm(forms.Form):
    about = forms.CharField(label=_("Player"), required=False, max_length=200)
    action = forms.ChoiceField(label=_("What"), required=False)
    actor = forms.CharField(label=_("By (e-mail)"), required=False, max_length=200)
    since = DayField(label=_("From"), required=False)
    until = DayField(label=_("To"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = AuditEntry.objects.order_by().values_list("action", flat=True).distinct()
        named = sorted((action_words(action), action) for action in known)
        field = cast("forms.ChoiceField", self.fields["action"])
        field.choices = [("", _("everything")), *((action, words) for words, action in named)]


@allow(Role.STAFF)
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    form = FilterForm(request.GET)
    rows = filtered(**form.cleaned_data) if form.is_valid() else AuditEntry.objects.all()
    rows = rows.select_related("actor", "player__person").prefetch_related("player__accounts__nicknames")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/audit.html", {"form": form, "page": page, "changes": latest.changes(page)})


def filtered(*, about: str, action: str, actor: str, since: Any, until: Any) -> QuerySet[AuditEntry]:
    """Days are days in Rome, both included."""
    wanted = {"action": action, "actor__email__icontains": actor, "at__date__gte": since, "at__date__lte": until}
    rows = AuditEntry.objects.filter(**{name: value for name, value in wanted.items() if value})
    return rows.filter(player__in=Player.objects.filter(matching(about))) if about else rows
