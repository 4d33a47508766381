from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AuditLogConfig(AppConfig):
    """A separate app because its rows point to users (core) and players, and players point to
    users."""

    name = "pergioco.core.audit_log"
    verbose_name = _("Audit log")
