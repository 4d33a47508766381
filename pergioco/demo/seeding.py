"""Fills an empty database with the demo data, all or nothing."""

from datetime import date

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from big_league import catalogue
from pergioco.core import audit
from pergioco.core.database import analyze_tables
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.demo import big_days, big_league, logins, masters, office, people, results, seasons
from pergioco.demo import players as demo_players
from pergioco.players.models import Player
from pergioco.stages.models import Game, Season

PLAYER, ORGANIZER, STAFF = "player@example.org", "organizer@example.org", "staff@example.org"
SECOND_OF_STAFF, DIRECTOR = "staff2@example.org", "risiko@example.org"
BIG_ORGANIZER = "big@example.org"


def is_seeded() -> bool:
    emails = [login.email for login in logins.LOGINS]
    return User.objects.filter(email__in=emails).count() == len(emails)


def seed(*, force: bool = False) -> bool:
    """True if the data was created now; False if it existed, and then nothing changes."""
    refuse_on_a_real_site(force=force)
    if is_seeded():
        return False
    refuse_among_real_people()
    with transaction.atomic():
        write_federation()
    return True


def refuse_on_a_real_site(*, force: bool) -> None:
    if settings.PRODUCTION:
        raise Refused(
            "This is a production site. The demo's password is public: it must not be used here.",
            rule="seeding.refuse_on_a_real_site",
        )
    if not settings.DEMO and not force:
        raise Refused(
            "PORTAL_DEMO is off, so this may be a real site. Set PORTAL_DEMO=1, "
            "or add --force if the database is empty and not reachable by others.",
            rule="seeding.refuse_on_a_real_site",
        )


def refuse_among_real_people() -> None:
    there = {
        "players": Player.objects.exists(),
        "logins": User.objects.exists(),
        "seasons": Season.objects.exists(),
        "games": Game.objects.exists(),
    }
    if any(there.values()):
        kinds = ", ".join(what for what, found in there.items() if found)
        raise Refused(
            f"There are {kinds} in this database. "
            "Invented people are never mixed with real ones: use an empty database.",
            rule="seeding.refuse_among_real_people",
        )


def write_federation() -> None:
    users = logins.write_logins()
    registered, others = people.registered_people(), people.other_people()
    invented = [*registered, *others]
    players = people.write_players(invented, [users[PLAYER], users[ORGANIZER]])
    demo_players.write_accounts(invented, players, checked_by=users[STAFF])
    unregistered = demo_players.write_unregistered(demo_players.UNREGISTERED, date(2025, 1, 11))
    demo_players.write_clubs(players)
    demo_players.write_consent_histories(players)
    demo_players.write_decisions(players, by=users[STAFF])
    demo_players.write_claims(players, unregistered, staff=users[STAFF])
    demo_players.write_event_code(users[STAFF])
    demo_players.open_hall(users[ORGANIZER])
    titles = seasons.write_games()
    catalogue.write_catalogue()
    seasons.write_calendar(titles, organizers=[users[ORGANIZER], users[STAFF]])
    today = timezone.localdate()
    closed = results.write_results(today, organizer=users[ORGANIZER])
    analyze_tables()
    seasons.write_past_stage(titles["othello"], players[2:5], organizer=users[STAFF])
    seasons.write_opening(titles["international-draughts"], players[0])
    masters.write_masters(players, today, director=users[DIRECTOR])
    big_league.write_big_requests(today, by=users[STAFF])
    big_days.write_current_tables(players, today, organizer=users[BIG_ORGANIZER])
    big_league.write_championships(players, today, by=users[STAFF])
    big_days.write_big_days(players, today, organizer=users[BIG_ORGANIZER], staff=users[STAFF])
    results.publish_seasons(today, staff=users[STAFF], second=users[SECOND_OF_STAFF])
    analyze_tables()
    big_league.convene_final(today, by=users[STAFF])
    results.write_corrections(closed, by=users[STAFF])
    office.write_letters(closed, players[21], by=users[STAFF])
    office.write_prizes(today.year, by=users[STAFF])
    office.write_requests(players[20], players[21], by=users[SECOND_OF_STAFF])
    results.write_calendar_changes(today, by=users[STAFF])
    office.write_printed(staff=users[STAFF])
    office.write_newsletters(users[PLAYER], staff=users[STAFF], second=users[SECOND_OF_STAFF])
    audit.record("demo.seeded", users[STAFF], by=None)
