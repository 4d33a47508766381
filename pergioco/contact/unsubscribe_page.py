"""Where the link in a mail leads: a look changes nothing, a button or a mail program's one click ends the mail."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from pergioco.contact import unsubscribing
from pergioco.contact.notices.models import Subscription
from pergioco.players.policy import everyone

WORDS = {unsubscribing.NEWSLETTER: _("The newsletter")} | dict(Subscription.Kind.choices)


@everyone
@never_cache
@csrf_exempt  # a mail program has no form of ours (RFC 8058): the signature in the address stands for it
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    link = unsubscribing.behind(token)
    if link is None:
        raise Http404
    if request.method == "POST":
        unsubscribing.end(link)
    values = {"about": [WORDS[purpose] for purpose in link.purposes], "is_done": request.method == "POST"}
    return render(request, "newsletter/unsubscribe.html", values)
