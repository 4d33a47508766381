"""What follows what, by name, in one screen. `checks.py` proves at start-up that each one exists."""

# Listeners run in the transaction of the change; all they do is to promise steps.
EVENTS: dict[str, tuple[str, ...]] = {
    # A stage's results or its place in the calendar changed: closed, corrected, withdrawn, moved
    "stage.settled": (
        "ratings.following.stage_settled",
        "risiko_master.following.stage_settled",
        "big_league.following.stage_settled",
    ),
    # Who a player is for the rankings changed: registered, a member, merged, disqualified, or one of these taken back
    "player.changed": (
        "ratings.following.player_changed",
        "risiko_master.following.player_changed",
        "big_league.following.player_changed",
        "pergioco.brochures.making.player_changed",
        "pergioco.brochures.saving.player_changed",
    ),
    # The readings of the rules by which a season is computed
    "season.changed": ("ratings.following.season_changed",),
}
STEPS: dict[str, str] = {
    "mail.send": "pergioco.contact.mail.send",
    "mail.forget": "pergioco.contact.mail.forget",
    "office.forget": "pergioco.office.cases.keeping.forget_address",
    "imports.fetch": "pergioco.imports.fetching.fetch",
    "pgr.stage": "ratings.following.follow_stage",
    "pgr.player": "ratings.following.follow_player",
    "pgr.game": "ratings.following.follow_game",
    "publish": "pergioco.ledger.publishing.follow",
    "errata.tell": "pergioco.ledger.errata.tell",
    "brochures.make": "pergioco.brochures.making.make",
    "brochures.look": "pergioco.brochures.making.look_at_all",
    "exports.write": "pergioco.brochures.saving.write",
}
# What a publication is made of, in this order: (day, season) -> computed rankings.
RANKINGS = (
    "rankings.compute.rankings",
    "race.compute.rankings",
    "risiko_master.compute.rankings",
    "big_league.compute.rankings",
)
# What can be printed, and who says what stands in it: (year, what it is about, sections) -> Printed, or None.
PRINTED: dict[str, str] = {
    "season": "pergioco.website.printed.papers.season",
    "ranking": "pergioco.website.printed.papers.ranking",
    "certificate": "pergioco.website.printed.certificate.certificate",
    "poster": "pergioco.website.printed.poster.poster",
}
# What the forms of the printing room offer: () -> pairs of a key and its words
PRINTED_CHOICES: dict[str, str] = {
    "sections": "pergioco.website.printed.choices.sections",
    "rankings": "pergioco.website.printed.choices.rankings",
}
# Tables to take away as one zip, and who writes them: (where to, year, tell) -> table and its rows
EXPORTS: dict[str, str] = {
    "rankings": "pergioco.website.exporting.rankings",
    "stages": "pergioco.website.exporting.stages",
    "year": "pergioco.website.exporting.year",
    "tables": "pergioco.website.exporting.tables",
    "federation": "pergioco.imports.bundle.dumping.dump_into",
}
# These reach out of the house, which no rollback takes back, or take long: they run without a transaction, and mark
# their own row.
OUTSIDE = frozenset({"mail.send", "imports.fetch", "brochures.make", "exports.write"})
# What comes round by the clock: (step, seconds between two runs). Celery beat and `manage.py relay --forever` read it.
ROUNDS: dict[str, tuple[str, float]] = {
    "relay": ("pergioco.ledger.relay.run_waiting", 5.0),
    "newsletter": ("pergioco.contact.newsletter.sending.send_due", 15.0),
    "notices": ("pergioco.contact.notices.telling.tell_due", 60.0),
    "day": ("ratings.following.follow_the_day", 3600.0),
    "publish": ("pergioco.ledger.publishing.follow_the_clock", 3600.0),
    "check": ("ratings.checking.every_night", 24 * 3600.0),
    "tidy": ("pergioco.account.tidying.tidy", 3600.0),
    "tidy.imports": ("pergioco.imports.keeping.forget_unused", 3600.0),
    "tidy.outbox": ("pergioco.ledger.relay.forget_done", 3600.0),
    "tidy.marks": ("pergioco.ledger.marks.count_together", 60.0),
    "tidy.mail": ("pergioco.contact.mail.forget_sent", 3600.0),
    "tidy.letters": ("pergioco.contact.keeping.forget_old", 24 * 3600.0),
    "tidy.events": ("big_league.events.keeping.tidy", 24 * 3600.0),
    "tidy.office": ("pergioco.office.cases.keeping.tidy", 24 * 3600.0),
    "look.brochures": ("pergioco.brochures.making.look_at_all", 3600.0),
    "tidy.exports": ("pergioco.brochures.saving.destroy_old", 3600.0),
    "purge": ("ratings.purging.destroy_due", 24 * 3600.0),
    "tidy.publications": ("pergioco.ledger.thinning.thin", 24 * 3600.0),
}
