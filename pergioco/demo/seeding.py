"""Fills an empty database with the invented federation, all or nothing, and never another one."""

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from big_league import catalogue
from pergioco.demo import (
    accounts,
    big_day,
    big_league,
    calendar,
    cases,
    corrections,
    enrolment,
    events,
    games,
    letters,
    logins,
    masters,
    office,
    past,
    people,
    printing,
    publishing,
    results,
    tables,
)
from pergioco.ledger.bulk import count_rows
from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.refusal import Refused
from pergioco.stages.models import Game, Season

PLAYER, ORGANIZER, STAFF = "player@example.org", "organizer@example.org", "staff@example.org"
SECOND_OF_STAFF, DIRECTOR, BIG_ORGANIZER = "staff2@example.org", "risiko@example.org", "big@example.org"


def is_seeded() -> bool:
    return User.objects.filter(email__in=[login.email for login in logins.LOGINS]).count() == len(logins.LOGINS)


def seed(*, force: bool = False) -> bool:
    """True if the federation was made now; False if it was there already, and then nothing is touched."""
    refuse_on_a_real_site(force=force)
    if is_seeded():
        return False
    refuse_among_real_people()
    with transaction.atomic():
        write()
    return True


def refuse_on_a_real_site(*, force: bool) -> None:
    if settings.PRODUCTION:
        raise Refused("This is a production site. The demo's password is known to everybody: it never goes here.")
    if not settings.DEMO and not force:
        raise Refused(
            "PORTAL_DEMO is off, so this may be a real site. Set PORTAL_DEMO=1, "
            "or add --force if the database is empty and nobody else can reach it."
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
            "Invented people are never mixed with real ones: use an empty database."
        )


def write() -> None:
    users = logins.write()
    registered, others = people.registered(), people.others()
    everybody = [*registered, *others]
    players = enrolment.write(everybody, [users[PLAYER], users[ORGANIZER]])
    accounts.write(everybody, players, checked_by=users[STAFF])
    unregistered = accounts.write_unregistered()
    cases.write_clubs(players)
    cases.write_consent_histories(players)
    cases.write_decisions(players, by=users[STAFF])
    cases.write_pasts(players, unregistered, staff=users[STAFF])
    cases.write_event_code(users[STAFF])
    titles = games.write()
    catalogue.write()
    calendar.write(titles, organizers=[users[ORGANIZER], users[STAFF]])
    today = timezone.localdate()
    closed = results.write(today, organizer=users[ORGANIZER])
    count_rows()
    past.write(titles["othello"], players[2:5], organizer=users[STAFF])
    past.write_opening(titles["international-draughts"], players[0])
    masters.write(players, today, director=users[DIRECTOR])
    events.write(today, by=users[STAFF])
    tables.write(players, today, organizer=users[BIG_ORGANIZER])
    big_league.write(players, today, by=users[STAFF])
    big_day.write(players, today, organizer=users[BIG_ORGANIZER], staff=users[STAFF])
    publishing.write(today, staff=users[STAFF], second=users[SECOND_OF_STAFF])
    count_rows()
    big_league.convene(today, by=users[STAFF])
    corrections.write_corrections(closed, by=users[STAFF])
    office.write_letters(closed, players[21], by=users[STAFF])
    office.write_prizes(today.year, by=users[STAFF])
    office.write_requests(players[20], players[21], by=users[SECOND_OF_STAFF])
    corrections.write_changes_of_the_calendar(today, by=users[STAFF])
    printing.write(staff=users[STAFF])
    letters.write(users[PLAYER], staff=users[STAFF], second=users[SECOND_OF_STAFF])
    audit.record("demo.seeded", users[STAFF], by=None)
