"""What is thrown away by the clock."""

from django.utils import timezone

from pergioco.players import expiring, proofs


def tidy() -> None:
    """One round; what is too much for one is left to the next."""
    now = timezone.now()
    expiring.expire_registrations(now)
    proofs.forget_codes(now)
    expiring.expire_event_codes(now)
