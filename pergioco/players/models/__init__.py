"""People, their accounts on the platforms, their enrolments, and who may do what."""

from pergioco.players.models.access import EventCode, User
from pergioco.players.models.accounts import Nickname, PlatformAccount, ProofCode
from pergioco.players.models.audit import AuditEntry
from pergioco.players.models.calendar_links import CalendarLink
from pergioco.players.models.circuits import Club, ClubMember, Disqualification, Membership, Registration, Sanction
from pergioco.players.models.consents import Consent
from pergioco.players.models.merging import Claim, Merge
from pergioco.players.models.people import ErasureJournal, Person, Player

__all__ = [
    "AuditEntry",
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
    "User",
]
