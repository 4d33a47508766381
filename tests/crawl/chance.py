"""Seeded randomness and signatures without salts, so that two crawls write the same files.

`install()` runs before Django is imported: modules bind `uuid4` and `secrets` when they are loaded.
"""

import os
import random
import secrets
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Streams:
    """One stream a function and label: a new draw elsewhere does not shift the others."""

    def __init__(self) -> None:
        self.scope, self.label = "", ""
        self.open: dict[tuple[str, str], random.Random] = {}

    def restart(self, scope: str) -> None:
        self.scope, self.open = scope, {}
        random.seed(scope)

    def stream(self, function: str) -> random.Random:
        key = (self.label, function)
        if key not in self.open:
            self.open[key] = random.Random(":".join((self.scope, *key)))
        return self.open[key]

    @contextmanager
    def labelled(self, label: str) -> Iterator[None]:
        before, self.label = self.label, label
        try:
            yield
        finally:
            self.label = before


STREAMS = Streams()


def seeded_bytes(function: str) -> Callable[[int | None], bytes]:
    return lambda count=None: STREAMS.stream(function).randbytes(32 if count is None else count)


def install() -> None:
    token_bytes = seeded_bytes("token_bytes")
    os.urandom = random._urandom = seeded_bytes("urandom")  # type: ignore[attr-defined,assignment]
    secrets.token_bytes = token_bytes
    token_hex = seeded_bytes("token_hex")
    secrets.token_hex = lambda count=None: token_hex(count).hex()
    secrets.token_urlsafe = lambda count=None: (
        urlsafe_b64encode(token_bytes(count)).rstrip(b"=").decode()
    )
    secrets.choice = lambda items: STREAMS.stream("choice").choice(items)
    secrets.randbelow = lambda below: STREAMS.stream("randbelow").randrange(below)
    uuid.uuid4 = lambda: uuid.UUID(int=STREAMS.stream("uuid4").getrandbits(128), version=4)


def label_defaults() -> None:
    """A random id depends on its model and field, and on how many of them were made before."""
    from django.apps import apps

    for model in apps.get_models():
        for field in model._meta.local_concrete_fields:
            if field.has_default() and callable(field.default):
                field.default = labelled_default(
                    f"{model._meta.model_name}.{field.name}", field.default
                )
                field.__dict__.pop("_get_default", None)


def labelled_default(label: str, default: Callable[[], Any]) -> Callable[[], Any]:
    def make() -> Any:
        with STREAMS.labelled(label):
            return default()

    return make


def sign_without_salts() -> None:
    """A salt often names a module; a signed link must stay the same when that moves."""
    from django.core import signing

    base64_hmac = signing.base64_hmac

    def unsalted(_salt: str, value: str, key: str, algorithm: str = "sha1") -> str:
        return base64_hmac("crawl", value, key, algorithm)

    signing.base64_hmac = unsalted
