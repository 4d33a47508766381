"""People, their platform accounts, enrolments, consents and the decisions about them."""

from pergioco.players.models.accounts import Nickname, PlatformAccount, ProofCode
from pergioco.players.models.discipline import Disqualification, Sanction
from pergioco.players.models.enrolments import (
    Club,
    ClubMember,
    Consent,
    EventCode,
    Membership,
    Registration,
)
from pergioco.players.models.merging import Claim, Merge
from pergioco.players.models.people import CalendarLink, ErasureJournal, Person, Player

__all__ = [
    "CalendarLink",
    "Claim",
    "Club",
    "ClubMember",
    "Consent",
    "Disqualification",
    "ErasureJournal",
    "EventCode",
    "Membership",
    "Merge",
    "Nickname",
    "Person",
    "PlatformAccount",
    "Player",
    "ProofCode",
    "Registration",
    "Sanction",
]
