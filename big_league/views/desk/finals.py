"""National finals at the desk: announcing, convocation mails, answers and seats."""

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from big_league.models import Answer, CalledPlayer, Final
from big_league.rules.convocation import RESERVES, SEATS
from big_league.services import convocations, final_seats
from big_league.services.convocations import CallPreview, preview_call
from big_league.services.final_seats import (
    CallStatus,
    Reply,
    build_call_list,
    find_heads_of_series,
    first_round_shape,
)
from pergioco.core.addresses import absolute_url
from pergioco.core.forms import (
    DayPickerField,
    MomentField,
    ReasonField,
    UseCaseForm,
    carry_out,
    posted_version,
)
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.players.models import Player
from pergioco.players.queries.search import player_search_filter
from pergioco.rulekit.text import fold
from pergioco.stages.models import Game

MOST_SEATS, MOST_TEXT = 500, 2000


def final_text_field(label: Any, **kwargs: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 3})
    return forms.CharField(
        label=label, max_length=MOST_TEXT, required=False, widget=widget, **kwargs
    )


class FinalForm(UseCaseForm):
    """Field names match the model `Final`."""

    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120)
    address = forms.CharField(label=gettext_lazy("Address"), max_length=200)
    city = forms.CharField(label=gettext_lazy("City"), max_length=100)
    starts_at = MomentField(label=gettext_lazy("Day and time of the start"))
    answers_until = DayPickerField(label=gettext_lazy("Last day to answer"))
    seats = forms.IntegerField(label=gettext_lazy("Seats"), min_value=2, max_value=MOST_SEATS)
    reserves = forms.IntegerField(label=gettext_lazy("Reserves"), min_value=0, max_value=MOST_SEATS)
    heads = forms.IntegerField(
        label=gettext_lazy("Heads of series"),
        help_text=gettext_lazy("Empty: as many as there are tables in the first round."),
        required=False,
        min_value=1,
        max_value=MOST_SEATS,
    )
    early_order = forms.ChoiceField(
        label=gettext_lazy("Order of reserves who said yes early"), choices=Final.EarlyOrder.choices
    )
    asks_box = forms.BooleanField(
        label=gettext_lazy("Players are asked to bring the game"), required=False
    )
    how = final_text_field(
        gettext_lazy("Formula"),
        help_text=gettext_lazy("It stands in the mail and on the public page."),
    )
    letter_it = final_text_field(gettext_lazy("More for the mail, Italian"))
    letter_en = final_text_field(gettext_lazy("More for the mail, English"))
    letter_es = final_text_field(gettext_lazy("More for the mail, Spanish"))
    contact = forms.EmailField(label=gettext_lazy("Address for questions"))
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)


class AnnounceForm(FinalForm):
    game = forms.ModelChoiceField(
        Game.objects.filter(big__isnull=False), label=gettext_lazy("Game")
    )
    submission = forms.UUIDField(widget=forms.HiddenInput)
    field_order = ("game",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "submission": uuid4(),
            "seats": SEATS,
            "reserves": RESERVES,
        } | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)


class PlayerField(forms.CharField):
    """A public id, or a name that only one player has."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Player"),
            help_text=gettext_lazy("Name and surname, or the public id."),
            max_length=200,
        )

    def clean(self, value: Any) -> Player:
        text = super().clean(value)
        found = list(
            Player.objects.current()
            .filter(player_search_filter(text), erased_at=None)
            .with_names()[:20]
        )
        exact = [
            p
            for p in found
            if p.public_id == text.strip() or fold(str(getattr(p, "person", ""))) == fold(text)
        ]
        if len(exact or found) != 1:
            raise forms.ValidationError(
                gettext_lazy(
                    "Nobody, or more than one, is called like that. Take the public id from the "
                    "page of people."
                )
            )
        return (exact or found)[0]


class AnswerForm(UseCaseForm):
    player = PlayerField()
    said = forms.ChoiceField(
        label=gettext_lazy("Answer"),
        choices=[(one.value, one.label) for one in (Answer.Said.YES, Answer.Said.NO)],
    )
    brings_box = forms.NullBooleanField(label=gettext_lazy("Brings the game"), required=False)
    reason = ReasonField(label=gettext_lazy("How we know"))


class GrantForm(UseCaseForm):
    player = PlayerField()
    reason = ReasonField()


FORM_METHODS = ["GET", "HEAD", "POST"]


@allow(Role.STAFF)
@require_safe
def list_finals(request: HttpRequest) -> HttpResponse:
    return render(request, "big_league/desk/finals.html", {"finals": Final.objects.listed()})


@allow(Role.STAFF)
@require_http_methods(FORM_METHODS)
def announce_final_page(request: UserRequest) -> HttpResponse:
    form = AnnounceForm(request.POST if request.method == "POST" else None)

    def announce(game: Game, submission: UUID, **values: Any) -> Final:
        return convocations.announce_final(values, game, submission=submission, by=request.user)

    if form.carries_out(announce):
        messages.success(request, _("The final is announced and stands on the calendar."))
        return redirect("desk-final", form.result.pk)
    return render(request, "big_league/desk/final_form.html", {"form": form})


def get_final(number: int) -> Final:
    return get_object_or_404(Final.objects.listed(), pk=number)


@allow(Role.STAFF)
@require_http_methods(FORM_METHODS)
def edit_final(request: UserRequest, number: int) -> HttpResponse:
    final = get_final(number)
    initial = {name: getattr(final, name) for name in (*convocations.FINAL_FIELDS, "version")}
    form = FinalForm(request.POST if request.method == "POST" else None, initial=initial)

    def change(version: int | None, **values: Any) -> Final:
        return convocations.change_final(final, values, version=version or 0, by=request.user)

    if form.carries_out(change):
        messages.success(request, _("Saved."))
        return redirect("desk-final", number)
    values = {"form": form, "final": final, "outdated": form.is_outdated}
    status = HTTPStatus.CONFLICT if form.is_outdated else HTTPStatus.OK
    return render(request, "big_league/desk/final_form.html", values, status=status)


@allow(Role.STAFF)
@require_safe
def final_desk(request: HttpRequest, number: int) -> HttpResponse:
    return render_final(request, get_final(number))


def render_final(request: HttpRequest, final: Final, **typed: UseCaseForm) -> HttpResponse:
    # Before the first mail the list shows the ranking of today, afterwards the frozen one.
    values: dict[str, Any] = {
        "final": final,
        "stage": final.stage,
        "answer_form": typed.get("answer") or AnswerForm(prefix="answer"),
        "grant_form": typed.get("grant") or GrantForm(prefix="grant"),
    }
    if final.first_mail_at is None:
        values["coming"] = preview_rows(final, preview_call(final))
    else:
        values |= {
            "desk": build_call_list(final),
            "heads": find_heads_of_series(final, shape=first_round_shape(final)),
            "unreached": final.mails.filter(is_sent=False).select_related("player__person"),
        }
    return render(request, "big_league/desk/final.html", values)


def preview_rows(final: Final, found: CallPreview) -> list[tuple[CalledPlayer, Player]]:
    players = Player.objects.with_names().in_bulk([one.player for one in found.called])
    return [
        (
            convocations.build_called_player(final, one, found.ranked[one.player]),
            players[one.player],
        )
        for one in found.called
    ]


@allow(Role.STAFF)
@require_POST
def write_down_answer(request: HttpRequest, number: int) -> HttpResponse:
    final, form = get_final(number), AnswerForm(request.POST, prefix="answer")
    if form.carries_out(partial(record_answer, final), by=request.user):
        messages.success(request, _("The answer is written down."))
        return redirect("desk-final", number)
    return render_final(request, final, answer=form)


def record_answer(final: Final, player: Player, **typed: Any) -> Final:
    # The call may be stored under a player who was merged into this one.
    if typed["said"] != final_seats.Said.YES:
        typed["brings_box"] = None
    called = final.called.filter(
        player__in=[player.pk, *player.absorbed.values_list("pk", flat=True)]
    ).first()
    return final_seats.record_reply(final, called.player if called else player, Reply(**typed))


@allow(Role.STAFF)
@require_POST
def grant_final_seat(request: HttpRequest, number: int) -> HttpResponse:
    final, form = get_final(number), GrantForm(request.POST, prefix="grant")
    if form.carries_out(partial(final_seats.grant_seat, final), by=request.user):
        messages.success(request, _("The seat is given, and a mail says so."))
        return redirect("desk-final", number)
    return render_final(request, final, grant=form)


@allow(Role.STAFF)
@require_POST
def close_final(request: UserRequest, number: int) -> HttpResponse:
    final = get_final(number)
    version, by = posted_version(request), request.user
    if carry_out(request, partial(convocations.close_final_list, final, version=version, by=by)):
        messages.success(request, _("The list is settled."))
    return redirect("desk-final", number)


@dataclass(frozen=True)
class MailPreview:
    language: str
    subject: str
    body: str


class SampleReader:
    first_name = "…"


@allow(Role.STAFF)
@require_http_methods(FORM_METHODS)
def final_mail_page(request: UserRequest, number: int) -> HttpResponse:
    final = get_final(number)
    which = convocations.next_mail_due(final)
    if request.method == "POST":
        return send_final_mail(request, final)
    values = {
        "final": final,
        "stage": final.stage,
        "mail": which,
        "recipients": convocations.count_recipients(final, which),
        "previews": [
            (label, mail_previews(final, which, standing, position))
            for label, standing, position in mail_samples(final, which)
        ],
    }
    return render(request, "big_league/desk/final_mail.html", values)


def send_final_mail(request: UserRequest, final: Final) -> HttpResponse:
    which = {str(mail): mail for mail in convocations.MAIL_SENDERS}.get(
        request.POST.get("mail", "")
    )
    version, by = posted_version(request), request.user
    if which is not None and carry_out(
        request, partial(convocations.send_mail_due, final, which, version=version, by=by)
    ):
        messages.success(request, _("The mails are on their way."))
    return redirect("desk-final", final.pk)


def mail_samples(final: Final, which: int) -> list[tuple[str, CallStatus, int]]:
    """Label, status and position of a first player and of a reserve."""
    first, reserve = _("One of the first"), _("A reserve")
    if which == final_seats.FIRST_MAIL:
        return [(first, CallStatus.INVITED, 1), (reserve, CallStatus.RESERVE, final.seats + 1)]
    return [(first, CallStatus.OPEN, 1), (reserve, CallStatus.OPEN, final.seats + 1)]


def mail_previews(
    final: Final, which: int, standing: CallStatus, position: int
) -> list[MailPreview]:
    found = []
    for code, name in settings.LANGUAGES:
        with translation.override(code):
            values = {
                "final": final,
                "mail": which,
                "standing": standing,
                "position": position,
                "reserve": max(0, position - final.seats),
                "link": absolute_url(f"/{code}/f/…/"),
                "person": SampleReader,
            }
            text = render_to_string("mail/big_convocation.txt", values).strip()
        subject, _line, body = text.partition("\n")
        found.append(MailPreview(str(name), subject, body.strip()))
    return found
