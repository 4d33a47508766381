"""Which tests make up which proof. Each runs alone too: `make prove ARGS=T3`."""

from typing import NamedTuple


class Proof(NamedTuple):
    code: str
    claim: str
    files: tuple[str, ...]  # of which those tests that are marked `proof` are run
    on_server: bool = (
        False  # in a database of PostgreSQL; the others start themselves what they need
    )
    # one process that only computes: on the second processor, while the others take their turns
    is_calm: bool = False


PROOFS = (
    Proof(
        "T1",
        "Two people never overwrite each other",
        ("tests/stages/test_race.py", "tests/stages/desk/test_rivals.py"),
    ),
    Proof(
        "T2",
        "A result sent twice is written once",
        ("tests/stages/desk/test_double_submit.py",),
        on_server=True,
    ),
    Proof(
        "T3",
        "Killed workers change no ranking",
        ("tests/publishing/test_faults.py", "tests/core/test_race.py"),
    ),
    Proof("T4", "A broker that forgets loses no work", ("tests/core/test_broker.py",)),
    Proof(
        "T5",
        "A database that restarts loses nothing acknowledged",
        ("tests/stages/desk/test_restarts.py",),
    ),
    Proof("T6", "Every number is the oracle's", ("tests/oracle",), is_calm=True),
    Proof("T10", "Nobody learns whom the portal knows", ("tests/system/test_enumeration.py",)),
    Proof("T11", "Nonsense breaks no form", ("tests/system/test_random_posts.py",), on_server=True),
    Proof("api", "The API answers as its schema says", ("tests/api/test_truth.py",)),
    Proof(
        "T12", "No file breaks an importer", ("tests/imports/test_hostile_files.py",), is_calm=True
    ),
    Proof("T14", "No word comes alive on a page", ("tests/system/test_markup.py",)),
    Proof(
        "T17",
        "Mail arrives once, whatever is killed",
        ("tests/office/contact/test_kills.py", "tests/office/contact/test_newsletter_kills.py"),
        on_server=True,
    ),
    Proof(
        "T18",
        "A flood gets no further than the limit, and a hall full of players does",
        ("tests/system/test_floods.py", "tests/stages/desk/test_hall.py"),
    ),
    Proof(
        "T19",
        "The year ends once",
        ("tests/publishing/test_year_end_race.py", "tests/publishing/test_year_end_kills.py"),
        on_server=True,
    ),
    Proof("T20", "A full stage stays full", ("tests/stages/test_capacity.py",), on_server=True),
    Proof(
        "T21",
        "A restored backup has the same numbers, and erased stays erased",
        ("tests/system/test_restore.py",),
    ),
    Proof(
        "T24",
        "Erased means erased, everywhere",
        ("tests/players/test_erasure_drill.py",),
        on_server=True,
    ),
    Proof("T29", "A silent mail server delays no ranking", ("tests/core/test_lanes.py",)),
    Proof(
        "upgrade",
        "The release before comes back, with all that it had",
        ("tests/system/test_upgrade.py",),
    ),
    Proof(
        "slow",
        "Slow and fat requests stop nobody",
        ("tests/system/test_siege.py",),
    ),
    Proof(
        "image",
        "The image is built, runs read-only, and publishes a stage closed through its page",
        ("tests/system/test_image.py",),
    ),
)
