"""What a control puts in place of the check of versions."""

from django.db.models import F


def overwrite(table, _version):
    """Takes no notice of what others did meanwhile."""
    return bool(type(table).objects.filter(pk=table.pk).update(version=F("version") + 1))
