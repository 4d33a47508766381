"""players.csv: players, persons, enrolments, clubs, and decisions taken before the portal."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any

from pergioco.imports.bundle.cells import NO_END
from pergioco.imports.bundle.checking_people import kind_of
from pergioco.imports.bundle.files import PLAYERS, PlayerRow
from pergioco.imports.bundle.settling import REASON, Work, by_key, known, settle
from pergioco.players.models import (
    Club,
    ClubMember,
    Disqualification,
    Membership,
    Person,
    Player,
    Registration,
    Sanction,
)

ERASED = "Personal data of erased players were left out."
MERGED = "Players who were found to be somebody else were left as they are."
NOT_MERGED = "Players whom the portal holds for two persons stay two."


def write_people(work: Work) -> None:
    known_here = set(work.here.players)
    players = {row.id: player_values(row, is_new=row.id not in known_here) for row in work.tables.of(PLAYERS)}
    settle(Player, players, work.here.players, work.report)
    write_merges(work, known_here)
    rows = {work.here.players[row.id].pk: row for row in living(work)}
    write_persons(work, rows)
    write_enrolments(work, rows)
    write_clubs(work, rows)
    write_sanctions(work, rows)
    write_disqualifications(work, rows)


def player_values(row: PlayerRow, *, is_new: bool) -> dict[str, Any]:
    """A bundle erases nobody whom the portal knows: that is a decision of theirs, with a journal."""
    if is_new and row.erased_on:
        return {"public_id": row.id, "erased_at": noon(row.erased_on)}
    return {"public_id": row.id}


def write_merges(work: Work, known_here: set[str]) -> None:
    """Of players who are new here. What was decided here stays: staff may have taken the merge back."""
    merged = {row.id: row.merged_into for row in work.tables.of(PLAYERS) if row.merged_into}
    fresh = {absorbed: kept for absorbed, kept in merged.items() if absorbed not in known_here}
    if any(work.here.players[absorbed].merged_into_id is None for absorbed in merged.keys() - fresh.keys()):
        work.report.note(NOT_MERGED)
    work.here.merge(fresh)
    Player.objects.bulk_update([work.here.players[absorbed] for absorbed in fresh], ["merged_into"])


def living(work: Work) -> Iterator[PlayerRow]:
    """Whom the portal may say something new about."""
    for row in work.tables.of(PLAYERS):
        if work.here.players[row.id].merged_into_id is not None:
            if not row.merged_into:
                work.report.note(MERGED)
        elif row.id in work.here.erased:
            if not row.erased_on:
                work.report.note(ERASED)
            yield row._replace(first_name="", last_name="", clubs=None)
        else:
            yield row


def write_persons(work: Work, rows: dict[int, PlayerRow]) -> None:
    there = by_key(Person.objects.select_related("user", "player"), lambda person: person.player_id)
    wanted = {}
    for pk, row in rows.items():
        if row.first_name or row.last_name:
            wanted[pk] = known(
                player_id=pk,
                first_name=row.first_name,
                last_name=row.last_name,
                city=row.city,
                country=row.country,
                birth_date=row.birth_date,
                contact_email=address(work, there.get(pk), row),
            )
    settle(Person, wanted, there, work.report)


def address(work: Work, person: Person | None, row: PlayerRow) -> str:
    """Who signs in has the address of the login, and changes it there."""
    if person is None or person.user is None:
        return row.email
    if row.email and row.email.casefold() != person.user.email.casefold():
        work.report.note("Players who sign in here keep the e-mail address with which they do.")
    return ""


def write_enrolments(work: Work, rows: dict[int, PlayerRow]) -> None:
    """A registration of the archive: on paper the rules and the publication of the name were agreed to with it.

    No consent is invented: the portal's history of consents begins with the first one that is given or taken back here.
    """
    there = by_key(Registration.objects.select_related("player"), lambda row: row.player_id)
    wanted = {
        pk: known(player_id=pk, registered_on=row.registered_on, publication_allowed=row.publication)
        | ({} if pk in there else {"state": Registration.State.NEW})
        for pk, row in rows.items()
        if row.registered_on
    }
    settle(Registration, wanted, there, work.report)
    members = by_key(Membership.objects.select_related("player"), lambda row: row.player_id)
    since = {pk: {"player_id": pk, "member_on": row.big_member_on} for pk, row in rows.items() if row.big_member_on}
    settle(Membership, since, members, work.report)


def write_clubs(work: Work, rows: dict[int, PlayerRow]) -> None:
    """A cell names all clubs of the player; an empty one says nothing."""
    clubs = by_key(Club.objects.order_by("-kind"), lambda club: club.name.casefold())  # a club before a family
    named = {name.casefold(): {"name": name} for row in rows.values() for name in row.clubs or ()}
    settle(Club, {key: values for key, values in named.items() if key not in clubs}, clubs, work.report)
    of = {pk: row.clubs for pk, row in rows.items() if row.clubs is not None}
    write_members(work, {pk: {clubs[name.casefold()].pk for name in names} for pk, names in of.items()})


def write_members(work: Work, of: dict[int, set[int]]) -> None:
    """Player -> all clubs: of those who are named here, nobody stays in another one."""
    there = by_key(ClubMember.objects.select_related("player"), lambda member: (member.player_id, member.club_id))
    pairs = {(pk, club): {"player_id": pk, "club_id": club} for pk, ids in of.items() for club in sorted(ids)}
    gone = [row.pk for (pk, club), row in there.items() if pk in of and club not in of[pk]]
    settle(ClubMember, pairs, there, work.report)
    ClubMember.objects.filter(pk__in=gone).delete()
    work.report.count(ClubMember.__name__, removed=len(gone))


def write_sanctions(work: Work, rows: dict[int, PlayerRow]) -> None:
    there = by_key(Sanction.objects.all(), lambda row: (row.player_id, row.starts_on, row.ends_on))
    wanted = {
        (pk, row.sanctioned_from, row.sanctioned_to or NO_END): {
            "player_id": pk,
            "starts_on": row.sanctioned_from,
            "ends_on": row.sanctioned_to or NO_END,
        }
        | ({} if (pk, row.sanctioned_from, row.sanctioned_to or NO_END) in there else {"reason": REASON})
        for pk, row in rows.items()
        if row.sanctioned_from
    }
    settle(Sanction, wanted, there, work.report)


def write_disqualifications(work: Work, rows: dict[int, PlayerRow]) -> None:
    """In force already when they came here: nobody of the portal proposed or confirmed them.

    One that was withdrawn here stays withdrawn.
    """
    decisions = list(Disqualification.objects.select_related("player").order_by("withdrawn_at"))
    there = by_key(reversed(decisions), lambda row: (row.player_id, row.effective_on, row.kind))
    open_here = {row.player_id: row for row in decisions if row.withdrawn_at is None}
    wanted = {}
    for pk, row in rows.items():
        if row.disqualified_on:
            key = (pk, row.disqualified_on, kind_of(row))
            if key not in there and pk in open_here:  # the archive mends its own word
                there[key] = open_here[pk]
            values = {"player_id": pk, "effective_on": row.disqualified_on, "kind": kind_of(row)}
            wanted[key] = (
                values if key in there else values | {"reason": REASON, "confirmed_at": noon(row.disqualified_on)}
            )
    settle(Disqualification, wanted, there, work.report)


def noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)
