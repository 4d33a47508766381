"""What costs much for each who asks: so many times in a while, for one address of the net."""

from allauth.core.internal import ratelimit
from django.http import HttpRequest


def is_within(request: HttpRequest, action: str, rate: str, *, key: str | None = None) -> bool:
    """`rate` as in “20/m/ip”, or “5/h/key” for a target; to ask counts, whatever is answered."""
    usage = ratelimit.consume(request, app="pergioco", action=action, config={action: rate}, key=key, limit_get=True)
    return usage is not None
