"""The portal without the check of versions: what the control of the rivals starts in place of
`pergioco.wsgi`."""

from pergioco.wsgi import application

# isort: split
# Only now: models want the portal set up.
from pergioco.stages.services import entering
from tests.stages.careless import overwrite

__all__ = ["application"]
entering.advance_version = overwrite
