"""What gunicorn serves where only its worker is on trial."""

import json
from collections.abc import Callable, Iterable
from typing import Any

LARGE = b"x" * 5_000_000


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """How much it was sent; or, at /large, more than the system takes for a client at once."""
    if environ["PATH_INFO"] == "/large":
        body = LARGE
    elif "HTTP_TRANSFER_ENCODING" in environ:
        body = b"in pieces"  # the portal refuses it: `website.middleware.refuse_body`
    else:
        received = environ["wsgi.input"].read()
        body = json.dumps([environ["REQUEST_METHOD"], len(received)]).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
