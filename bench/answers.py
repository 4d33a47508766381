"""What an answer costs, without the network: `python -m bench.answers`, on the database of `make
run`."""

import os
import statistics
import sys
import time

import django

ROUNDS = 300
PATHS = ("/healthz", "/readyz", "/it/")


def measure(path: str) -> list[float]:
    """Milliseconds of each answer, the first ones (templates, connections) left out."""
    from django.test import Client

    client, taken = Client(), []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        response = client.get(path)
        taken.append((time.perf_counter() - began) * 1000)
        if response.status_code != 200:  # noqa: PLR2004 - the one good answer
            sys.exit(f"{path} answered {response.status_code}. Start `make run` once before.")
    return sorted(taken[ROUNDS // 10 :])


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    os.environ["PORTAL_DEMO"] = "1"
    django.setup()
    for path in PATHS:
        taken = measure(path)
        p99 = taken[int(len(taken) * 0.99)]
        print(f"{path:<10} median {statistics.median(taken):6.2f} ms   p99 {p99:6.2f} ms")


if __name__ == "__main__":
    main()
