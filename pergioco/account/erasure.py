"""Deleting my data: what goes and what stays is said first."""

from django import forms
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.account.accounts import my_player, person_signed_in
from pergioco.players.erasing import erase, preview
from pergioco.players.form_fields import TidyField
from pergioco.players.models import Player, User
from pergioco.players.policy import Role, allow, asks_again, everyone
from pergioco.players.refusal import Refused


class SureForm(forms.Form):
    email = TidyField(
        label=gettext_lazy("To be sure that you mean it, type your e-mail address"),
        widget=forms.TextInput(attrs={"type": "email", "autocomplete": "off"}),
    )

    def __init__(self, *args: object, user: User, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.user = user

    def clean_email(self) -> str:
        typed: str = self.cleaned_data["email"]
        if typed.lower() != self.user.email.lower():
            raise forms.ValidationError(_("This is not the address of your login. Nothing was deleted."))
        return typed


@allow(Role.PLAYER)
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    player = my_player(request)
    if player is None:
        return render(request, "me/no_person.html")
    form = SureForm(request.POST or None, user=person_signed_in(request))
    if form.is_valid() and erased(form, player, request):
        logout(request)
        return redirect("my-deletion-done")
    return render(request, "me/delete.html", {"form": form, "player": player, "preview": preview(player)})


def erased(form: SureForm, player: Player, request: HttpRequest) -> bool:
    try:
        return erase(player, by=person_signed_in(request))
    except Refused as refusal:
        form.add_error(None, str(refusal.sentence))
        return False


@everyone
@require_safe
def done(request: HttpRequest) -> HttpResponse:
    return render(request, "me/deleted.html")
