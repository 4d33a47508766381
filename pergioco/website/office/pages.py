"""The forms, and the page of the signed link. All of it works without a script."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.office.cases import asking, links
from pergioco.office.cases.subjects import subject_of
from pergioco.office.rules.due import ANSWERS_WITHIN
from pergioco.players.models import User
from pergioco.players.policy import everyone
from pergioco.players.refusal import Refused
from pergioco.website.limits import is_within
from pergioco.website.office.forms import ComplaintForm, ContactForm, LetterForm

PER_CONNECTION, PER_ADDRESS, PER_PAGE = "10/h/ip", "5/h/key", "50/h/key"


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def complaint(request: HttpRequest) -> HttpResponse:
    begun = {"about": request.GET.get("about", "")}
    return write(request, ComplaintForm, "website/office/complaint.html", begun)


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def contact(request: HttpRequest) -> HttpResponse:
    return write(request, ContactForm, "website/office/contact.html", {"office": request.GET.get("office", "")})


def write(request: HttpRequest, make: type[LetterForm], template: str, begun: dict[str, str]) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    form = make(request.POST if request.method == "POST" else None, initial=begun | own(user))
    status: int = HTTPStatus.OK
    if form.is_valid():
        status = refused_for_now(request, form)
        if form.is_valid() and (answer := accepted(request, form, by=user)):
            return answer
    return render(request, template, {"form": form, "days": ANSWERS_WITHIN.days}, status=status)


def own(user: User | None) -> dict[str, str]:
    """Whoever is signed in does not type name and address again."""
    if user is None:
        return {}
    person = getattr(user, "person", None)
    return {"name": str(person or ""), "email": user.email}


def refused_for_now(request: HttpRequest, form: LetterForm) -> int:
    """Nobody fills the desk, nor somebody else's mailbox, nor buries one number under complaints."""
    email, page = form.cleaned_data["email"].lower(), form.cleaned_data.get("about", "")
    if (
        is_within(request, "office", PER_CONNECTION)
        and is_within(request, "office-to", PER_ADDRESS, key=email)
        and (not page or is_within(request, "office-about", PER_PAGE, key=page))
    ):
        return HTTPStatus.OK
    form.add_error(
        None, _("Much was written from here in the last hour. Try again in an hour: what you typed is still here.")
    )
    return HTTPStatus.TOO_MANY_REQUESTS


def accepted(request: HttpRequest, form: LetterForm, *, by: User | None) -> HttpResponse | None:
    try:
        case = asking.send(form.sent(), by=by)
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal.sentence))
        return None
    sentence = _("It has arrived, under the number %(number)s. We wrote to you: keep that mail, its link leads here.")
    messages.success(request, sentence % {"number": case.number})
    return redirect("case", links.token(case))


@everyone
@never_cache
@require_safe
def case(request: HttpRequest, token: str) -> HttpResponse:
    """What became of it."""
    found = links.case_behind(token)
    if found is None:
        raise Http404
    errata = found.revision.errata.order_by("pk") if found.revision else []
    values = {"case": found, "subject": subject_of(found.page) if found.page else None, "errata": errata}
    answer = render(request, "website/office/case.html", values)
    answer["X-Robots-Tag"] = "noindex"
    return answer
