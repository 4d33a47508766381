"""What tells a signed-in reader's page from the one before, without drawing it; everybody else's is kept by mark."""

import hashlib

from django.http import HttpRequest
from django.utils import timezone

from pergioco.ledger import marks
from pergioco.website import theme


def etag(request: HttpRequest, *_args: object, **_kwargs: object) -> str | None:
    """The same address looks different to another reader, in other colours, on another day."""
    read = marks.current() if request.user.is_authenticated else marks.NOWHERE
    if read == marks.NOWHERE:
        return None
    said = (read, request.get_full_path(), request.user.pk, theme.of(request), timezone.localdate().isoformat())
    return f'"{hashlib.sha256(repr(said).encode()).hexdigest()[:32]}"'
