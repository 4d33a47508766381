"""The daily statement: all numbers were computed once more from the facts, and what that found.

Signed with Ed25519, so that anybody can check it with the public key alone; a hash keyed with a
secret (HMAC) could be checked only by those who could also forge it.
"""

import hashlib
import json
from collections.abc import Collection
from datetime import UTC, timedelta

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from pergioco.core import last_runs
from pergioco.publishing.models import Statement

PURPOSE = b"pergioco.publishing.statements"
CHECK = "numbers"  # its name among what runs by the clock
LONGEST_SILENCE = timedelta(hours=26)


@transaction.atomic
def sign_statement(computations: Collection[str], *, differences: int) -> Statement:
    """`computations`: one line for each, with the hash of what came out of it."""
    last, at, key = latest_statement(), timezone.now(), signing_key()
    fields = {
        "number": last.number + 1 if last else 1,
        "computations": len(computations),
        "differences": differences,
        "sha256": hash_text("".join(f"{line}\n" for line in sorted(computations))),
    }
    more = {
        "portal": settings.PUBLIC_URL.geturl(),
        "at": f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "previous": hash_text(last.document) if last else "",
    }
    document = json.dumps(fields | more, sort_keys=True, indent=1) + "\n"
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    made = Statement.objects.create(
        **fields,
        at=at,
        document=document,
        signature=key.sign(document.encode()),
        public_key=public.decode(),
    )
    last_runs.note(CHECK)
    return made


def latest_statement() -> Statement | None:
    return Statement.objects.order_by("-number").first()


def signing_key() -> Ed25519PrivateKey:
    # From the secret key, so that there is no second secret to keep. With a new secret key the
    # statements bear a new public key; each keeps its own.
    derived = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=PURPOSE)
    return Ed25519PrivateKey.from_private_bytes(derived.derive(settings.SECRET_KEY.encode()))


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
