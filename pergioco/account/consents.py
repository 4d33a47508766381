"""My consents: the words I agreed to, what happens if I take one back, and every act so far."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from pergioco.account.accounts import my_player, person_signed_in
from pergioco.players.consent_texts import as_agreed, in_force
from pergioco.players.consenting import Kind, Way, latest, record_consent
from pergioco.players.models import Consent
from pergioco.players.policy import Role, allow

PER_PAGE = 50
TITLES: dict[str, str | Promise] = {
    Kind.RULES: gettext_lazy("The rules of PerGioco Masters"),
    Kind.PUBLICATION: gettext_lazy("Publication of name, surname, city and country"),
    Kind.NEWSLETTER: gettext_lazy("Newsletter"),
}
IF_WITHDRAWN: dict[str, str | Promise] = {
    Kind.RULES: gettext_lazy(
        "If you take it back, your registration no longer counts: your name is not shown, and you are in no ranking "
        "from the next publication on. Your results stay, because the other players’ ratings stand on them. "
        "You can agree again at any time."
    ),
    Kind.PUBLICATION: gettext_lazy(
        "If you take it back, your name is no longer shown, and you are left out of the published rankings from the "
        "next publication on. Your results stay, without a name. You can agree again at any time."
    ),
    Kind.NEWSLETTER: gettext_lazy("If you take it back, you get no more newsletters. Nothing else changes."),
}


@dataclass(frozen=True)
class Box:
    """One kind of consent as it stands. `words` are the ones agreed to, in the language in which it was done."""

    kind: str
    title: str | Promise
    act: Consent | None
    words: str
    language: str
    consequence: str | Promise

    @property
    def is_given(self) -> bool:
        return self.act is not None and self.act.given


def box(kind: str, act: Consent | None) -> Box:
    language = act.language if act and act.given else get_language() or ""
    text = as_agreed(kind, act.text_version) if act and act.given else in_force(kind)
    return Box(kind, TITLES[kind], act, text.in_language(language), language, IF_WITHDRAWN[kind])


@allow(Role.PLAYER)
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    player = my_player(request)
    if player is None:
        return render(request, "me/no_person.html")
    acts = latest(player)
    history = Paginator(player.consents.all(), PER_PAGE).get_page(request.GET.get("page"))
    boxes = [box(kind, acts.get(kind)) for kind in Kind.values]
    return render(request, "me/consents.html", {"boxes": boxes, "page": history})


@allow(Role.PLAYER)
@require_POST
def change(request: HttpRequest, kind: str) -> HttpResponse:
    player = my_player(request)
    if player is None or kind not in Kind.values:
        raise Http404
    given = request.POST.get("given") == "yes"
    language = get_language() or "it"
    by = person_signed_in(request)
    if record_consent(player, kind, given=given, language=language, way=Way.ACCOUNT, by=by):
        messages.success(request, _("Thank you, it is noted.") if given else _("It is noted: you took it back."))
    return redirect("my-consents")
