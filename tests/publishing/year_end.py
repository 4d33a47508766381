"""Somebody who makes 2025 final, in a process that may be killed: `python -m
tests.publishing.year_end FOLDER`.

It makes the file `ready`, begins when `go` is there too, and prints the hash of what is final.
"""

import os
import sys
import time
from pathlib import Path

import django


def over() -> None:
    """A year that is over, and who will confirm it."""
    from tests import factories
    from tests.publishing import year

    year.year_over(2025)
    factories.user_with_role("staff")


def end_the_year(folder: Path) -> None:
    from pergioco.core.models import User
    from pergioco.publishing.models import Freeze
    from pergioco.publishing.services import freezing
    from pergioco.stages.models import Season

    season, by = Season.objects.get(year=2025), User.objects.latest("pk")
    (folder / "ready").touch()
    while not (folder / "go").exists():
        time.sleep(0.001)
    if freezing.find_final_freeze(season) is None:
        freezing.confirm_freeze(
            Freeze.objects.filter(season=season).first()
            or freezing.propose_freeze(season, by=None),
            by=by,
        )
    print(freezing.find_final_freeze(season).sha256)  # noqa: T201 - this is what it is for


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    django.setup()
    end_the_year(Path(sys.argv[1]))
