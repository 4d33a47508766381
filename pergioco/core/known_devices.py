"""Browsers in which somebody has signed in fully: guesses from elsewhere do not keep them out.

A cookie holds a random key, the database its hash, for each login apart.
"""

import re
import secrets
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from pergioco.core.models import KnownDevice, User

KEPT_FOR = timedelta(days=180)
MOST = 20  # of one login; the one that was not used for longest goes
KEY = re.compile(r"[\w-]{43}")


def hash_key(key: str) -> str:
    return salted_hmac("pergioco.known_devices", key, algorithm="sha256").hexdigest()


def key_of(request: HttpRequest) -> str:
    key = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    return key if KEY.fullmatch(key) else ""


def find_device(request: HttpRequest, email: str) -> KnownDevice | None:
    """The same query for an address that is nobody's."""
    key = key_of(request)
    if not key:
        return None
    rows = KnownDevice.objects.filter(key=hash_key(key), user__email__iexact=email)
    device = rows.select_related("user").first()
    return device if device and is_in_force(device) else None


def is_in_force(device: KnownDevice) -> bool:
    return constant_time_compare(device.bound_to, device.user.get_session_auth_hash()) and (
        device.seen_at > timezone.now() - KEPT_FOR
    )


def list_devices(user: User) -> QuerySet[KnownDevice]:
    rows = KnownDevice.objects.filter(user=user, bound_to=user.get_session_auth_hash())
    return rows.filter(seen_at__gt=timezone.now() - KEPT_FOR)


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """After a full sign-in."""
    key = key_of(request) or secrets.token_urlsafe(32)
    KnownDevice.objects.update_or_create(
        user=user,
        key=hash_key(key),
        defaults={
            "bound_to": user.get_session_auth_hash(),
            "browser": request.headers.get("User-Agent", "")[:200],
            "seen_at": timezone.now(),
        },
    )
    KnownDevice.objects.filter(
        pk__in=KnownDevice.objects.filter(user=user).values_list("pk", flat=True)[MOST:]
    ).delete()
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        key,
        max_age=KEPT_FOR,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
    )


def forget_unused() -> None:
    KnownDevice.objects.filter(seen_at__lt=timezone.now() - KEPT_FOR).delete()
