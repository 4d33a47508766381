"""Where the portal holds something about a person: the one list that export and erasure go by."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Q

from pergioco.players.models import Person, Player, User


@dataclass(frozen=True)
class Owner:
    """One human being: the player with those found to be the same, and the logins."""

    players: tuple[int, ...]
    users: tuple[int, ...]


def owner_of(player: Player) -> Owner:
    players = (player.pk, *absorbed_by([player.pk]))
    users = Person.objects.filter(player__in=players).exclude(user=None).values_list("user_id", flat=True)
    return Owner(players, tuple(pk for pk in users if pk is not None))


def owner_behind(user: User) -> Owner:
    """Staff may have a login and no person."""
    person = getattr(user, "person", None)
    return Owner((), (user.pk,)) if person is None else owner_of(person.player)


def absorbed_by(players: list[int]) -> list[int]:
    found = list(Player.objects.filter(merged_into__in=players).values_list("pk", flat=True))
    return [*found, *absorbed_by(found)] if found else []


def by_player(owner: Owner) -> Q:
    return Q(player__in=owner.players)


def by_account(owner: Owner) -> Q:
    return Q(account__player__in=owner.players)


def by_user(owner: Owner) -> Q:
    return Q(user__in=owner.users)


def written_by(owner: Owner) -> Q:
    """Signed in, or from an address of theirs."""
    people = Person.objects.filter(player__in=owner.players).select_related("user")
    return Q(sent_by__in=owner.users) | Q(email__in={person.email.lower() for person in people if person.email})


def the_login_itself(owner: Owner) -> Q:
    return Q(object_type="players.user", object_id__in=[str(pk) for pk in owner.users])


HELD: dict[str, Callable[[Owner], Q]] = {
    "players.Person": by_player,
    "players.User": lambda owner: Q(pk__in=owner.users),
    "account.EmailAddress": by_user,
    "players.Player": lambda owner: Q(pk__in=owner.players),
    "players.Registration": by_player,
    "players.Membership": by_player,
    "players.Consent": by_player,
    "players.PlatformAccount": by_player,
    "players.Nickname": by_account,
    "players.ProofCode": by_account,
    "players.CalendarLink": by_player,
    "players.ClubMember": by_player,
    "players.Sanction": by_player,
    "players.Disqualification": by_player,
    "players.Claim": lambda owner: by_player(owner) | Q(target__in=owner.players),
    "players.Merge": lambda owner: Q(kept__in=owner.players) | Q(absorbed__in=owner.players),
    "players.AuditEntry": lambda owner: by_player(owner) | the_login_itself(owner),
    "players.ErasureJournal": by_player,
    "stages.Entry": by_player,
    "stages.Seat": by_player,
    "risiko_master.Presence": lambda owner: Q(entry__player__in=owner.players),
    "stages.OpeningRating": by_player,
    "ledger.PgrChange": by_player,
    "ledger.Line": by_player,
    "ratings.Purged": by_player,
    "big_league.CalledPlayer": by_player,
    "big_league.Answer": by_player,
    "big_league.FinalSeat": by_player,
    "big_league.Convocation": by_player,
    "big_league.OnlineEntry": by_player,
    "big_league.OnlineTournament": lambda owner: Q(voucher_player__in=owner.players),
    "big_league.Event": lambda owner: Q(sent_by__in=owner.users),
    "big_league.SignUp": by_player,
    "office.Case": written_by,
    "office.DataRequest": by_player,
    "contact.Notice": lambda owner: Q(subscription__player__in=owner.players),
    "contact.Subscription": by_player,
    "contact.Delivery": by_player,
    "contact.Bounce": by_player,
    "contact.MailKey": by_player,
    "usersessions.UserSession": by_user,
    "mfa.Authenticator": by_user,
}
# They point to a player or a login all the same; each says why it is nobody's personal data.
NOT_PERSONAL = {
    "players.EventCode": "made for a hall full of people; who made it was on duty",
    "stages.Stage": "the calendar; running a stage is a task that the federation gives",
    "stages.DateChange": "the calendar again",
    "stages.Revision": "versions of a stage; a player's part in it is the seat",
    "stages.Round": "holds tables only",
    "stages.Table": "holds seats only",
    "stages.Change": "an organizer's work on a draft",
    "stages.TableStep": "what a table sent, under numbers; a player's part in it is the seat",
    "ledger.Computation": "what was computed from a stage or for a season; a player's part in it is a change or a line",
    "ledger.Publication": "a version of all rankings; a player's part in it is a line",
    "ledger.Shown": "which rankings a publication holds",
    "ledger.Erratum": "what a correction changed, under numbers; who decided it was on duty",
    "ledger.Freeze": "the final rankings of a year, under numbers; who made them final was on duty",
    "ratings.Purge": "a list of numbers; who proposed and confirmed it was on duty",
    "office.PrizeList": "what winners get; who wrote it was on duty",
    "risiko_master.Commitment": "the promise of a draw, under numbers; who made it was on duty",
    "risiko_master.Draw": "tables under numbers; a player's part in them is the seat",
    "risiko_master.ClockPress": "the clock of a game; who pressed it was on duty",
    "risiko_master.RefereeDecision": "how many semifinals are played; who decided was on duty",
    "contact.Happening": "what was told of a stage or a publication; a player's part in it is the notice",
    "contact.Campaign": "a newsletter; who wrote it and let it go was on duty",
    "big_league.Final": "a tournament; a player's part in it is the row of who was called",
    "imports.Fetch": "which tournament an organizer asked a platform for",
    "brochures.Page": "a page of a brochure as a picture; it goes with its brochure",
    "brochures.Brochure": "what is public anyway; destroyed and made again as soon as somebody in it may not be named",
    "brochures.Export": "what staff took away on duty; destroyed after seven days, and with every erasure",
    "stages.SourceFile": "what a platform shows of a whole stage; kept as read, for staff only",
    "admin.LogEntry": "what staff did on duty; what concerns a person stands in the audit log too",
    "account.EmailConfirmation": "a key on its way by mail; the address is exported",
}


def rows(label: str, owner: Owner) -> models.QuerySet[models.Model]:
    """The rows of one table that are about this person."""
    model: Any = apps.get_model(label)
    found: models.QuerySet[models.Model] = model.objects.filter(HELD[label](owner))
    return found
