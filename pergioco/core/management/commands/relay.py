"""The former name of `run_worker`, kept for existing services."""

from pergioco.core.management.commands.run_worker import Command

__all__ = ("Command",)
