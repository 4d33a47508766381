"""What tells a signed-in reader's page from the one before, without drawing it; everybody else's is kept by mark."""

import hashlib

from django.http import HttpRequest
from django.utils import timezone

from pergioco.ledger import marks
from pergioco.website import theme


def etag(request: HttpRequest, *_args: object, **_kwargs: object) -> str | None:
    """The same address looks different to another reader, in other colours, on another day."""
    mark = marks.current().all if request.user.is_authenticated else ""
    if not mark:
        return None
    said = (mark, request.get_full_path(), request.user.pk, theme.of(request), timezone.localdate().isoformat())
    return f'"{hashlib.sha256(repr(said).encode()).hexdigest()[:32]}"'
