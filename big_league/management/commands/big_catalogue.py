"""Installs the game catalogue of BIG: `manage.py big_catalogue`."""

from typing import Any

from django.core.management.base import BaseCommand

from big_league import catalogue


class Command(BaseCommand):
    help = (
        "Adds the games, sheets and notes of BIG that are missing. What staff changed stays as "
        "it is."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{catalogue.write_catalogue()} sheets added.")
