"""What keeps the staff of the demo busy: clubs, a claim, decisions, a merge, a code for an evening in a hall."""

from datetime import date

from pergioco.demo.enrolment import morning
from pergioco.players import claims, disciplining, merging
from pergioco.players.consenting import record_consent
from pergioco.players.models import Club, ClubMember, Consent, Disqualification, EventCode, Player, User

Kind = Consent.Kind
CLUBS = (("Il Goblin Granata", "Torino"), ("Tana dei Draghi", "Bologna"), ("Club RisiKo! Milano", "Milano"))


def write_clubs(players: list[Player]) -> None:
    """Every seventh player belongs to a club; two pairs are families."""
    clubs = Club.objects.bulk_create(Club(name=name, city=city) for name, city in CLUBS)
    families = Club.objects.bulk_create(
        Club(name=name, kind=Club.Kind.FAMILY) for name in ("Famiglia Galli", "Famiglia Moretti")
    )
    in_clubs = [(clubs[at % len(clubs)], player) for at, player in enumerate(players[::7])]
    in_families = [(families[at // 2], player) for at, player in enumerate(players[22:26])]
    ClubMember.objects.bulk_create(ClubMember(club=club, player=player) for club, player in in_clubs + in_families)


def write_consent_histories(players: list[Player]) -> None:
    """One does not want to be named any more, one had enough of the newsletter, one wants it now."""
    for at, kind, given in ((30, Kind.PUBLICATION, False), (33, Kind.NEWSLETTER, False), (34, Kind.NEWSLETTER, True)):
        by = players[at].person.user
        record_consent(players[at], kind, given=given, language="it", way=Consent.Way.ACCOUNT, by=by)


def write_decisions(players: list[Player], *, by: User) -> None:
    """One sanction all year long, and one disqualification that waits for the second person."""
    disciplining.sanction(
        players[44],
        starts_on=date(2026, 1, 1),
        ends_on=date(2026, 12, 31),
        reason="Comportamento antisportivo a un RisiKo! Master.",
        by=by,
    )
    disciplining.propose(
        players[51],
        kind=Disqualification.Kind.RANKING,
        effective_on=date(2026, 3, 1),
        reason="Ha giocato una tappa con un secondo account.",
        by=by,
    )


def write_pasts(players: list[Player], unregistered: list[Player], *, staff: User) -> None:
    """One says “that was me” and waits; of another the staff know it already."""
    claims.make(players[10], unregistered[0], by=User.objects.get(person__player=players[10]))
    merging.merge(players[15], unregistered[1], by=staff, reason="Ci ha scritto dall’indirizzo di quell’account.")


def write_event_code(made_by: User) -> None:
    """Good all year, which no real one is, so that it can be tried on the day of the visit."""
    EventCode.objects.create(
        code="DEMO-2026",
        note="Registrazioni in sala",
        valid_from=morning(date(2026, 1, 2)),
        valid_to=morning(date(2026, 12, 31)),
        created_by=made_by,
    )
