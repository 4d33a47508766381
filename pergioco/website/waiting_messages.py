"""Messages wait for the next page in a cookie that, in production, is bound to the host like all of ours."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class InCookie(CookieStorage):
    cookie_name = settings.MESSAGE_COOKIE_NAME


class Storage(FallbackStorage):
    storage_classes = (InCookie, SessionStorage)
