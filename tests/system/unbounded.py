"""The portal without its limits of bodies, and with files on the disk as Django takes them: what
the control starts in place of `pergioco.wsgi`."""

import os

import django
from django.conf import global_settings, settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pergioco.settings")
django.setup()
settings.MIDDLEWARE.remove("pergioco.website.middleware.limit_body")
settings.FILE_UPLOAD_HANDLERS = global_settings.FILE_UPLOAD_HANDLERS

from pergioco.wsgi import application  # noqa: E402 - Django reads the settings once

__all__ = ["application"]
