"""People who type results into one stage, as fast as possible: `python -m tests.stages.typist
FOLDER SECONDS MODE TYPISTS`. Each is a process, for which Django is started once; each makes a log
in the folder, MODE-0, MODE-1…, and begins when a file called `go` is there too.

What the use-case acknowledged is written to the log, one line each: the version that was seen, and
the one it became."""

import multiprocessing
import os
import random
import sys
import time
from pathlib import Path
from uuid import uuid4

LEAST = 50  # tries, on a machine that is too busy for them in the time
folder, seconds, mode, typists = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3], sys.argv[4]


def wait_for_the_others() -> None:
    while not (folder / "go").exists():
        time.sleep(0.01)


def busy(trouble: Exception) -> bool:
    return "locked" in str(trouble)


def type_results(seed: int) -> None:
    from django.db import OperationalError

    from pergioco.core.models import User
    from pergioco.core.refusal import Outdated
    from pergioco.stages.models import Table
    from pergioco.stages.services import entering
    from pergioco.stages.services.entering import TypedResult

    if mode == "unchecked":
        from tests.stages.careless import overwrite

        entering.advance_version = overwrite
    chance, log = random.Random(seed), folder / f"{mode}-{seed}"
    by = User.objects.get()
    tables = list(Table.objects.values_list("pk", flat=True))
    with log.open("a", encoding="ascii") as lines:
        wait_for_the_others()
        end, tries = time.monotonic() + seconds, 0
        while time.monotonic() < end or tries < LEAST:
            tries += 1
            table = chance.choice(tables)
            seen = Table.objects.get(pk=table).version
            time.sleep(0.002)  # somebody looks before typing
            try:
                saved = entering.set_result(
                    TypedResult(table, chance.choice("1X2+-"), seen, uuid4()), by=by
                )
            except Outdated:
                lines.write("outdated\n")
            except OperationalError as trouble:
                if not busy(trouble):
                    raise
                lines.write("busy\n")
            else:
                lines.write(f"{seen} {saved.version}\n")


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    import django

    django.setup()
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=type_results, args=(seed,)) for seed in range(int(typists))]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    sys.exit(any(process.exitcode for process in processes))
