"""My notices, and the pages behind the buttons “follow”."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from pergioco.core.models import User
from pergioco.core.pages import page_or_form
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.office.forms import KindsForm, OneGameForm, PaceForm
from pergioco.office.models import Subscription
from pergioco.office.newsletter.recipients import reachable_players
from pergioco.office.notices import subscriptions
from pergioco.players.models import Player
from pergioco.players.naming import is_named, public_name
from pergioco.players.rules.people import PGM
from pergioco.stages.models import Game

RELATED = ("game", "followed__person", "followed__registration")


def own_player(request: UserRequest) -> Player | None:
    return Player.objects.filter(person__user=request.user).first()


@allow(Role.PLAYER)
@page_or_form
def my_notices(request: UserRequest) -> HttpResponse:
    # Two forms: paces for all games, and one more wish for a single game.
    player = own_player(request)
    if player is None:
        return render(request, "players/account/no_person.html")
    is_single = request.POST.get("form") == "game"
    kinds = KindsForm(
        request.POST if request.method == "POST" and not is_single else None, player=player
    )
    single = OneGameForm(request.POST if is_single else None)
    if save_notices(kinds, single, player, request.user):
        messages.success(request, _("Saved."))
        return redirect("my-notices")
    rows = Subscription.objects.filter(player=player).select_related(*RELATED)
    values = {
        "kinds": kinds,
        "single": single,
        "of_games": [row for row in rows if row.kind in Subscription.OF_GAMES and row.game_id],
        "followed": [(row, followed_name(row)) for row in rows if row.kind in {"game", "player"}],
        "is_reachable": reachable_players().filter(pk=player.pk).exists(),
    }
    return render(request, "office/notices/mine.html", values)


def followed_name(row: Subscription) -> str:
    return str(row.game) if row.followed is None else public_name(row.followed, PGM)


def save_notices(kinds: KindsForm, single: OneGameForm, player: Player, by: User) -> bool:
    if single.is_bound and single.is_valid():
        subscriptions.subscribe_to_game(player, **single.cleaned_data, by=by)
        return True
    if kinds.is_bound and kinds.is_valid():
        subscriptions.choose_paces(player, kinds.cleaned_data, by=by)
        return True
    return False


@allow(Role.PLAYER)
@require_POST
def end_notice(request: UserRequest, number: int) -> HttpResponse:
    player = own_player(request)
    if player is None or not subscriptions.end_subscription(player, number, by=request.user):
        raise Http404
    messages.success(request, _("Ended: nothing more is sent about it."))
    return redirect("my-notices")


@allow(Role.PLAYER)
@page_or_form
def follow_player(request: UserRequest, public_id: str) -> HttpResponse:
    players = Player.objects.current().select_related("person", "registration")
    other = get_object_or_404(players, public_id=public_id)
    if not is_named(other, PGM):
        raise Http404
    return follow_page(
        request,
        public_name(other, PGM),
        partial(subscriptions.follow_player, other=other),
        followed=other,
    )


@allow(Role.PLAYER)
@page_or_form
def follow_game(request: UserRequest, slug: str) -> HttpResponse:
    game = get_object_or_404(Game, slug=slug)
    return follow_page(
        request, game.name, partial(subscriptions.follow_game, game=game), game=game, kind="game"
    )


def follow_page(
    request: UserRequest, name: str, use_case: Callable[..., None], **about: object
) -> HttpResponse:
    player = own_player(request)
    if player is None:
        return render(request, "players/account/no_person.html")
    row = Subscription.objects.filter(player=player, **about).first()
    form = PaceForm(
        request.POST if request.method == "POST" else None,
        initial={"pace": row.pace if row else "now"},
    )
    if form.carries_out(partial(use_case, player), by=request.user):
        messages.success(request, _("Saved."))
        return redirect("my-notices")
    return render(
        request,
        "office/notices/follow.html",
        {"form": form, "name": name, "row": row, "about": about},
    )
