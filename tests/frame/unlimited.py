"""The portal with every limit off: what the control of the floods starts in place of `pergioco.wsgi`."""

from allauth.core.internal import ratelimit

from pergioco.wsgi import application

__all__ = ["application"]
ratelimit.apply_rate = lambda history, now, rate, *, dry_run=False: (True, history)
