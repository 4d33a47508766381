"""Destroys the personal data of a player. The player stays, as a number: others' ratings stand on the results."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.players import afterwards, audit, emptying, erasure_journal, mentions
from pergioco.players.holdings import HELD, Owner, owner_of, rows
from pergioco.players.letters import write_to
from pergioco.players.models import Player, User
from pergioco.players.policy import needs_two_factors
from pergioco.players.refusal import Refused

# For the preview, in words: what goes, what stays, and of that what is there afterwards in any case.
GOES: dict[str, str | Promise] = {
    "players.Person": gettext_lazy("your name, birth date, city, country and phone"),
    "account.EmailAddress": gettext_lazy("your e-mail addresses"),
    "players.PlatformAccount": gettext_lazy("your accounts on the platforms"),
    "players.Nickname": gettext_lazy("your nicknames, those of the past too"),
    "players.ProofCode": gettext_lazy("the codes by which you proved an account"),
    "players.CalendarLink": gettext_lazy("the address of your own calendar"),
    "players.ClubMember": gettext_lazy("your clubs and groups"),
    "big_league.SignUp": gettext_lazy("your sign-ups for tournaments of BIG"),
    "contact.Subscription": gettext_lazy("the notices by e-mail that you chose, and whom you follow"),
    "contact.Notice": gettext_lazy("the notices by e-mail of the last weeks"),
    "contact.Delivery": gettext_lazy("which newsletters you got"),
    "contact.Bounce": gettext_lazy("mail to you that came back"),
    "contact.MailKey": gettext_lazy("the key in the links of our mail to you"),
    "mfa.Authenticator": gettext_lazy("your second factors"),
    "usersessions.UserSession": gettext_lazy("the devices on which you are signed in"),
}
STAYS: dict[str, str | Promise] = {
    "players.Player": gettext_lazy("your results, under a number: the other players’ ratings stand on them"),
    "stages.Entry": gettext_lazy("the stages that you entered, under the same number"),
    "stages.Seat": gettext_lazy(
        "the games that you played, under the same number; the files of platforms that they were read from "
        "are kept as read for staff, and hold nicknames as played"
    ),
    "stages.OpeningRating": gettext_lazy("the PGRs from before the first stage on file, under the same number"),
    "ledger.PgrChange": gettext_lazy("your ratings, stage by stage, under the same number"),
    "ledger.Line": gettext_lazy("your places in the rankings that were published, under the same number"),
    "ratings.Purged": gettext_lazy("what the ratings of your opponents were computed from, under the same number"),
    "big_league.Event": gettext_lazy("the tournaments of BIG that you asked for: where and when, without your words"),
    "office.Case": gettext_lazy("that you wrote to the office and what was found, without your words and your address"),
    "office.DataRequest": gettext_lazy("that you asked about your data and when it was done"),
    "risiko_master.Presence": gettext_lazy("that you were there on the day of a Master, under the same number"),
    "big_league.CalledPlayer": gettext_lazy("that you were called to a national final, under the same number"),
    "big_league.Answer": gettext_lazy("what you answered to a convocation and when, without anybody's words"),
    "big_league.FinalSeat": gettext_lazy("your seat in a national final, under the same number"),
    "big_league.Convocation": gettext_lazy("that a convocation was sent, and when"),
    "big_league.OnlineEntry": gettext_lazy("what you paid for online tournaments, under the same number"),
    "big_league.OnlineTournament": gettext_lazy(
        "the online tournaments whose voucher was yours, under the same number"
    ),
    "players.User": gettext_lazy("an empty login, without address, password or rights"),
    "players.Registration": gettext_lazy("the day of your registration and its state"),
    "players.Membership": gettext_lazy("the day you became a member of BIG"),
    "players.Consent": gettext_lazy("what you agreed to and when, without your name: it proves what we were allowed"),
    "players.Sanction": gettext_lazy("the dates of a sanction, without its reason"),
    "players.Disqualification": gettext_lazy("the dates of a disqualification, without its reason"),
    "players.Claim": gettext_lazy("that a past was claimed, as two numbers"),
    "players.Merge": gettext_lazy("that two players were found to be one, as two numbers"),
    "players.AuditEntry": gettext_lazy("that something was changed and when; the values are destroyed"),
    "players.ErasureJournal": gettext_lazy("the day of this deletion, to repeat it if a backup is ever restored"),
}
IN_WORDS_OF_OTHERS = gettext_lazy(
    "your name where others wrote it, in newsletters, answers and notes: your number takes its place"
)
WRITTEN_BY_THE_ERASURE = ("players.AuditEntry", "players.ErasureJournal")


@dataclass(frozen=True)
class Preview:
    goes: list[str | Promise]
    stays: list[str | Promise]
    mentions: list[mentions.Mention]


def preview(player: Player) -> Preview:
    """What would go and what would stay; kinds of which there is nothing are left out."""
    owner = owner_of(player)
    there = {label for label in HELD if label in WRITTEN_BY_THE_ERASURE or rows(label, owner).exists()}
    goes = [words for label, words in GOES.items() if label in there]
    named = mentions.of(owner)
    goes += [IN_WORDS_OF_OTHERS] if named else []
    return Preview(goes, [words for label, words in STAYS.items() if label in there], named)


@transaction.atomic
def erase(
    player: Player,
    *,
    by: User | None,
    asked_at: datetime | None = None,
    is_replay: bool = False,
    also: Collection[str] | None = None,
) -> bool:
    """False if there was nothing left to erase. A replay asks nothing, writes no mail and no journal line.

    `also`: the mentions that somebody took for this person; None where nobody looked.
    """
    player = Player.objects.select_for_update().get(pk=player.pk)
    if player.erased_at is not None:
        return False
    owner, asked_at = owner_of(player), asked_at or timezone.now()
    if not is_replay:
        refuse_if_it_cannot_be(player, owner)
    emptying.forget_addresses(emptying.addresses_of(owner))
    if not is_replay:
        write_to(player, "person_erased")
    family = list(Player.objects.filter(pk__in=owner.players))
    mentions.take_out(mentions.names_of(owner), also)
    destroy(owner)
    emptying.mark_erased(family, asked_at)
    audit.record("person.erased", player, by=by, player=player)
    afterwards.tell("player.changed", player=player.pk, cause="erased")
    if not is_replay:
        # Last, and inside the transaction: if the line cannot be written, nothing is erased and nothing is promised.
        erasure_journal.append(family, asked_at)
    return True


def destroy(owner: Owner) -> None:
    emptying.empty_logs(owner)
    emptying.empty_logins(owner)
    emptying.delete_rows(owner)
    emptying.blank_free_texts(owner)


def refuse_if_it_cannot_be(player: Player, owner: Owner) -> None:
    if player.merged_into is not None:
        raise Refused(
            _("This player is the same as %(number)s: that one is to be erased.")
            % {"number": player.merged_into.public_id}
        )
    if any(needs_two_factors(user) for user in User.objects.filter(pk__in=owner.users)):
        raise Refused(
            _("This login has a role in the federation. Ask the staff to take it away first, then come back here.")
        )


def replay(entries: list[tuple[str, datetime]]) -> int:
    """After a backup was restored: those who were erased since are erased again. Returns how many were."""
    players = Player.objects.filter(public_id__in=[public_id for public_id, _at in entries])
    by_id = {player.public_id: player for player in players.filter(erased_at=None)}
    return sum(
        erase(by_id[public_id], by=None, asked_at=asked_at, is_replay=True)
        for public_id, asked_at in entries
        if public_id in by_id
    )
