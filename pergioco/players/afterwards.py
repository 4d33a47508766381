"""What follows a change, by name: `pipeline.EVENTS` says who listens, in the transaction of the change."""

from django.conf import settings
from django.utils.module_loading import import_string


def tell(event: str, **ids: int | str) -> None:
    """Listeners promise work to the outbox: a change and what has to follow it are written together or not at all."""
    for dotted in settings.PIPELINE_EVENTS[event]:
        import_string(dotted)(**ids)
