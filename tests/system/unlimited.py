"""The portal with every limit off: what the control of the floods starts in place of
`pergioco.wsgi`."""

from contextlib import ExitStack

from pergioco.wsgi import application
from tests.no_limits import no_limits

__all__ = ["application"]
ExitStack().enter_context(no_limits())  # until the process ends
