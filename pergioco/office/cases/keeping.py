"""What is closed by itself, and what is forgotten."""

from datetime import timedelta

from django.utils import timezone

from pergioco.office.cases import answering
from pergioco.office.models import Case, DataRequest

CLOSED_AFTER = timedelta(days=30)  # without another word from either side
WORDS_KEPT = timedelta(days=365)
REQUESTS_KEPT = timedelta(days=5 * 365)
WORDS = dict.fromkeys(("page", "name", "email", "text", "answer"), "")


def tidy() -> None:
    now = timezone.now()
    for case in Case.objects.filter(state=Case.State.ANSWERED, answered_at__lt=now - CLOSED_AFTER):
        answering.close(case, by=None, version=case.version)
    Case.objects.filter(closed_at__lt=now - WORDS_KEPT).exclude(email="").update(**WORDS, sent_by=None)
    DataRequest.objects.filter(settled_at__lt=now - REQUESTS_KEPT).delete()


def forget_address(address: str) -> None:
    """Somebody was erased: also what was written from that address without signing in. What was found stays."""
    Case.objects.filter(email__iexact=address).update(**WORDS)
