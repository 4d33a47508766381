"""What is forgotten of an event once nobody needs it."""

from datetime import timedelta

from django.utils import timezone

from big_league.events.models import Event, SignUp

CONTACTS_KEPT = timedelta(days=365)
SIGNUPS_KEPT = timedelta(days=30)


def tidy() -> None:
    forget_contacts()
    forget_signups()


def forget_contacts() -> None:
    """A year after the day. What was played, where and when, stays."""
    over = Event.objects.filter(starts_at__lt=timezone.now() - CONTACTS_KEPT).exclude(organizer_email="")
    over.update(organizer_name="", organizer_phone="", organizer_email="", notes="", answer="")


def forget_signups() -> None:
    """A month after the day. Who played stands in the stage, members in their own list."""
    SignUp.objects.filter(event__starts_at__lt=timezone.now() - SIGNUPS_KEPT).delete()
