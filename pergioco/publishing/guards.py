"""Final years: nothing they show is changed, added or deleted (PGM 31, 34, 37)."""

from pergioco.core.guards import Guard

FINAL_SENTENCE = "Final rankings are never changed."
SHOWN = (
    "EXISTS (SELECT 1 FROM publishing_freeze f JOIN publishing_shown s ON s.publication_id = "
    "f.publication_id "
    "WHERE f.frozen_at IS NOT NULL AND s.computation_id = {row}.%s)"
)
PUBLISHED = (
    "EXISTS (SELECT 1 FROM publishing_freeze f WHERE f.frozen_at IS NOT NULL AND "
    "f.publication_id = {row}.%s)"
)
ALL_EVENTS = "INSERT UPDATE DELETE TRUNCATE"
GUARDS = [
    Guard(
        "publishing_freeze",
        "{row}.frozen_at IS NOT NULL",
        may_be_emptied=("proposed_by_id", "frozen_by_id"),
        sentence=FINAL_SENTENCE,
    ),
    Guard(
        "publishing_publication",
        PUBLISHED % "id",
        may_be_emptied=("before_id", "published_by_id", "withdrawn_by_id"),
        sentence=FINAL_SENTENCE,
    ),
    Guard(
        "publishing_shown", PUBLISHED % "publication_id", events=ALL_EVENTS, sentence=FINAL_SENTENCE
    ),
    Guard("publishing_computation", SHOWN % "id", sentence=FINAL_SENTENCE),
    Guard("publishing_line", SHOWN % "computation_id", events=ALL_EVENTS, sentence=FINAL_SENTENCE),
]
