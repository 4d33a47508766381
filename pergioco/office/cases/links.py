"""The signed link by which somebody without a login follows a case. It opens a page, and nothing else."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from pergioco.office.models import Case

# The key in the database alone is not enough, nor is the site's secret.
signer = Signer(sep=".", salt="pergioco.office.cases")


def token(case: Case) -> str:
    return signer.sign(case.key)


def link_of(case: Case) -> str:
    """Whole: it goes into a mail, whose language is active then."""
    return settings.PUBLIC_URL.geturl().rstrip("/") + reverse("case", args=[token(case)])


def case_behind(token: str) -> Case | None:
    """None also for one whose words are forgotten: nothing is left to show."""
    try:
        key = signer.unsign(token)
    except BadSignature:
        return None
    return Case.objects.select_related("revision__stage__game").exclude(email="").filter(key=key).first()
