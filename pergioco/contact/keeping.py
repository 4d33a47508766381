"""What is forgotten of newsletters and notices once nobody needs it."""

from datetime import timedelta

from django.utils import timezone

from pergioco.contact.models import Bounce, Campaign, Delivery, Happening

DELIVERIES_KEPT = timedelta(days=365)
NOTICES_KEPT = timedelta(days=30)  # longer than what is looked back at for news


def forget_old() -> None:
    """Who got which newsletter, what came back, and what was told to whom. The newsletter itself stays."""
    now = timezone.now()
    over = Campaign.objects.filter(begun_at__lt=now - DELIVERIES_KEPT).exclude(state=Campaign.State.SENDING)
    Delivery.objects.filter(campaign__in=over).delete()
    Bounce.objects.filter(at__lt=now - DELIVERIES_KEPT).delete()
    Happening.objects.filter(found_at__lt=now - NOTICES_KEPT).delete()
