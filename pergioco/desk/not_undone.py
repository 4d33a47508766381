"""Why some of what was done cannot be taken back, in a few words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.players.audit import BY_LINK
from pergioco.players.audit_words import IN_THE_ADMIN
from pergioco.players.models import AuditEntry
from pergioco.players.policy import Role

THEIRS = _("Theirs alone to change.")
MAIL = _("Mail about it has left.")
GONE = _("What was destroyed does not come back.")
NOTHING = _("It changed nothing that could be set back.")
FINAL = _("A final year is never changed: corrections speak as errata.")
BACK = _("It took something back itself: do that anew if need be.")
DRAWN = _("A draw stays on file; another one takes its place, with a reason.")
HALL = _("What happened in the hall stays on file: the next entry counts.")
ANEW = _("Nothing goes back by itself: set it right on its page.")
FORWARD = _("It only moves forward: a further letter, request or decision takes it up.")
CAME_OF_IT = _("Take back what came of it: that has a line of its own.")
ONE_MORE = _("If it is somebody who was on file already, merge the two.")
SERVER = _("Done on the server, from a file.")
BY_HAND = _("Set it back in the admin: the history there shows what it was.")
TOO_LATE = _("Taken back or overtaken already, or too late by now.")
REASONS: dict[Promise | str, str] = {
    THEIRS: (
        "account.check_asked big_event.box_changed big_event.signed_off big_event.signed_up big_event.asked "
        "big_event.changed calendar_link.made calendar_link.taken_back case.sent claim.declined claim.made "
        "consent.given consent.withdrawn notices.chosen notices.ended registration.answered registration.confirmed "
        "registration.sent user.language_changed"
    ),
    MAIL: (
        "big_event.change_asked big_event.homologated big_event.refused big_final.first_mail big_final.second_mail "
        "case.answered claim.refused newsletter.leaving newsletter.sent"
    ),
    GONE: "brochure.thrown_away export.thrown_away person.erased purge.destroyed registrations.expired",
    NOTHING: (
        "brochure.asked data.exported export.asked export.taken mail.came_back newsletter.begun outbox.tried_again "
        "stage.verified user.signed_out"
    ),
    FINAL: "season.frozen",
    BACK: (
        "disqualification.withdrawn event_code.closed player.unmerged purge.taken_back sanction.shortened "
        "sanction.taken_back season.freeze_taken_back stage.correction_dropped stage.correction_sent_back "
        "stage.draft_taken_back stage.reopened"
    ),
    DRAWN: "risiko.committed risiko.drawn stage.seed_drawn",
    HALL: "big_event.checked_in risiko.clock risiko.decided table.settled",
    ANEW: (
        "account.proved account.released account.removed account.seen_as big_final.announced big_final.answered "
        "big_final.changed big_final.closed big_online.entered big_online.offered big_online.voucher "
        "newsletter.changed newsletter.reopened prizes.written registration.reopened risiko.finals_seated "
        "stage.duplicated stage.entered stage.homologated stage.planned stage.swapped stage.taken_out"
    ),
    FORWARD: "case.closed case.taken data_request.noted data_request.settled",
    CAME_OF_IT: "case.correction_begun claim.approved",
    ONE_MORE: "player.made_at_check_in risiko.walked_in",
    SERVER: "bundle.changed bundle.dumped bundle.loaded bundle.results_replaced demo.seeded",
    BY_HAND: "membership.joined stage.changed_after_closing",
}
WHY_NOT = {action: words for words, actions in REASONS.items() for action in actions.split()}


def is_theirs(entry: AuditEntry) -> bool:
    """Done by the player, or by whoever had the link of a mail, and not by the office."""
    return entry.role in {Role.PLAYER, BY_LINK}


def why_not(entry: AuditEntry) -> str:
    if is_theirs(entry):
        return str(THEIRS)
    other = BY_HAND if entry.action.partition(".")[2] in IN_THE_ADMIN else TOO_LATE
    return str(WHY_NOT.get(entry.action, other))
