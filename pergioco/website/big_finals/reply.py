"""The personal page of somebody who is called. Programs that open every link of a mail change nothing by it."""

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from big_league.finals import answering, links
from big_league.finals.answering import Reply
from big_league.finals.models import Answer, Final
from big_league.finals.standing import row_of
from pergioco.players.models import Player
from pergioco.players.policy import everyone
from pergioco.players.refusal import Refused
from pergioco.website.limits import is_within

PER_CONNECTION = "120/h/ip"
BOXES = (("yes", gettext_lazy("I bring the game")), ("no", gettext_lazy("I do not bring it")))


class ReplyForm(forms.Form):
    said = forms.ChoiceField(choices=[("yes", ""), ("no", "")])
    box = forms.ChoiceField(choices=BOXES, required=False, widget=forms.RadioSelect, label=gettext_lazy("Your box"))

    def reply(self) -> Reply:
        """Only who comes brings something."""
        said, box = self.cleaned_data["said"], self.cleaned_data["box"]
        return Reply(said, brings_box=box == "yes" if box and said == Answer.Said.YES else None)


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def convocation(request: HttpRequest, token: str) -> HttpResponse:
    found = links.behind(token)
    if found is None:
        raise Http404
    final, player = found
    if request.method != "POST":
        return page(request, final, player)
    form = ReplyForm(request.POST)
    if not form.is_valid():
        return page(request, final, player, trouble=_("Press one of the two buttons."))
    return take(request, token, final, player, form.reply())


def take(request: HttpRequest, token: str, final: Final, player: Player, reply: Reply) -> HttpResponse:
    if is_of_another(request, player):
        words = _("You are signed in as somebody else. Sign out first if you answer for this person.")
        return page(request, final, player, trouble=words, status=HTTPStatus.FORBIDDEN)
    if not is_within(request, "convocation", PER_CONNECTION):
        words = _("Many answers came from here in the last hour. Wait a little, then press the button again.")
        return page(request, final, player, trouble=words, status=HTTPStatus.TOO_MANY_REQUESTS)
    try:
        answering.reply(final, player, reply)
    except Refused as refusal:
        final.refresh_from_db()
        return page(request, final, player, trouble=str(refusal.sentence), status=HTTPStatus.GONE)
    messages.success(request, _("Your answer is written down."))
    return redirect("convocation", token)


def is_of_another(request: HttpRequest, player: Player) -> bool:
    """Signed in as a player who is not the one that was called, nor the one that he turned out to be."""
    if not request.user.is_authenticated:
        return False
    own = Player.objects.filter(person__user=request.user).values_list("pk", flat=True).first()
    return own is not None and own not in {player.pk, player.merged_into_id}


def page(
    request: HttpRequest, final: Final, player: Player, *, trouble: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    """After the last day the page says so, and changes nothing any more."""
    values = {
        "final": final,
        "stage": final.stage,
        "player": player,
        "person": getattr(player.merged_into or player, "person", None),
        "row": row_of(final, player),
        "trouble": trouble,
        "is_of_another": is_of_another(request, player),
        "is_over": not final.takes_answers,
        "boxes": BOXES,
    }
    answer = render(request, "website/big_finals/reply.html", values, status=status)
    answer["X-Robots-Tag"] = "noindex"
    return answer
