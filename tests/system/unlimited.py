"""The portal with every limit off: what the control of the floods starts in place of
`pergioco.wsgi`."""

from contextlib import ExitStack

from pergioco.wsgi import application
from tests.no_limits import no_limits

__all__ = ["application"]
until_the_process_ends = ExitStack()  # with a name: one that is dropped switches them on again
until_the_process_ends.enter_context(no_limits())
