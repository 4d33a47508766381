"""What the stages did to one player's ratings. Only who is named in public has a feed."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from pergioco.ledger.models import PgrChange
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.policy import everyone
from pergioco.website.feeds import atom
from pergioco.website.people.finding import answer_instead, player_at
from pergioco.website.templatetags.portal import thousandths


@everyone
@require_safe
@conditional_page
def of_player(request: HttpRequest, public_id: str) -> HttpResponse:
    player = player_at(public_id)
    if player.merged_into is not None:
        return redirect("feed-player", player.merged_into.public_id, permanent=True)
    if (instead := answer_instead(request, player)) is not None:
        return instead
    title = _("PerGioco Masters: %(player)s") % {"player": public_name(player)}
    paths = player.get_absolute_url(), request.path
    return atom.answer(f"players/{public_id}", title, paths, entries(player))


def entries(player: Player) -> Iterator[atom.Entry]:
    changes = PgrChange.objects.current().filter(player=player, computation__made_at__lte=atom.told_before())
    rows = changes.select_related("computation", "stage", "game").order_by("-computation__made_at", "-pk")
    for change in rows[: atom.SHOWN]:
        yield entry(player, change)


def entry(player: Player, change: PgrChange) -> atom.Entry:
    words = {
        "game": change.game.name,
        "day": date_format(change.ended_on),
        "before": thousandths(change.before),
        "after": thousandths(change.after),
    }
    return atom.Entry(
        key=f"players/{player.public_id}/stages/{change.stage_id}",
        title=_("%(game)s, %(day)s: PGR %(before)s → %(after)s") % words,
        path=reverse("why-change", args=[change.stage.slug, player.public_id]),
        updated=change.computation.made_at,
        summary=ngettext("%(n)s game", "%(n)s games", change.valid_games) % {"n": change.valid_games},
    )
