"""My notices, and the pages behind the buttons “follow”."""

from collections.abc import Callable
from functools import partial
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pergioco.contact.notices import choosing
from pergioco.contact.notices.forms import KindsForm, OneGameForm, PaceForm
from pergioco.contact.notices.models import Subscription
from pergioco.contact.reaching import reachable
from pergioco.players.models import Player, User
from pergioco.players.naming import public_name
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Refused
from pergioco.stages.models import Game

PAGE_OR_FORM = require_http_methods(["GET", "HEAD", "POST"])
RELATED = ("game", "followed__person", "followed__registration")


def signed_in(request: HttpRequest) -> User:
    return cast("User", request.user)


def own_player(request: HttpRequest) -> Player | None:
    return Player.objects.filter(person__user=signed_in(request)).first()


@allow(Role.PLAYER)
@PAGE_OR_FORM
def mine(request: HttpRequest) -> HttpResponse:
    """Two forms: what holds for all games, and one wish more for one of them."""
    player = own_player(request)
    if player is None:
        return render(request, "me/no_person.html")
    is_single = request.POST.get("form") == "game"
    kinds = KindsForm(request.POST if request.method == "POST" and not is_single else None, player=player)
    single = OneGameForm(request.POST if is_single else None)
    if saved(kinds, single, player, signed_in(request)):
        messages.success(request, _("Saved."))
        return redirect("my-notices")
    rows = Subscription.objects.filter(player=player).select_related(*RELATED)
    values = {
        "kinds": kinds,
        "single": single,
        "of_games": [row for row in rows if row.kind in Subscription.OF_GAMES and row.game_id],
        "followed": [(row, followed_name(row)) for row in rows if row.kind in {"game", "player"}],
        "is_reachable": reachable().filter(pk=player.pk).exists(),
    }
    return render(request, "notices/mine.html", values)


def followed_name(row: Subscription) -> str:
    return str(row.game) if row.followed is None else public_name(row.followed)


def saved(kinds: KindsForm, single: OneGameForm, player: Player, by: User) -> bool:
    if single.is_bound and single.is_valid():
        choosing.of_one_game(player, **single.cleaned_data, by=by)
        return True
    if kinds.is_bound and kinds.is_valid():
        choosing.choose(player, kinds.cleaned_data, by=by)
        return True
    return False


@allow(Role.PLAYER)
@require_POST
def end(request: HttpRequest, number: int) -> HttpResponse:
    player = own_player(request)
    if player is None or not choosing.end(player, number, by=signed_in(request)):
        raise Http404
    messages.success(request, _("Ended: nothing more is sent about it."))
    return redirect("my-notices")


@allow(Role.PLAYER)
@PAGE_OR_FORM
def follow_player(request: HttpRequest, public_id: str) -> HttpResponse:
    players = Player.objects.current().select_related("person", "registration")
    other = get_object_or_404(players, public_id=public_id)
    if not other.is_named_in_public:
        raise Http404
    return follow(request, public_name(other), partial(choosing.follow_player, other=other), followed=other)


@allow(Role.PLAYER)
@PAGE_OR_FORM
def follow_game(request: HttpRequest, slug: str) -> HttpResponse:
    game = get_object_or_404(Game, slug=slug)
    return follow(request, game.name, partial(choosing.follow_game, game=game), game=game, kind="game")


def follow(request: HttpRequest, name: str, use_case: Callable[..., None], **about: object) -> HttpResponse:
    player = own_player(request)
    if player is None:
        return render(request, "me/no_person.html")
    row = Subscription.objects.filter(player=player, **about).first()
    form = PaceForm(request.POST if request.method == "POST" else None, initial={"pace": row.pace if row else "now"})
    if form.is_valid():
        try:
            use_case(player, pace=form.cleaned_data["pace"], by=signed_in(request))
        except Refused as refusal:
            form.add_error(None, str(refusal.sentence))
        else:
            messages.success(request, _("Saved."))
            return redirect("my-notices")
    return render(request, "notices/follow.html", {"form": form, "name": name, "row": row, "about": about})
