"""Texts for the audit log. An unknown action is shown by its code."""

import re
from dataclasses import dataclass
from datetime import date, datetime

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from pergioco.core.audit import BY_LINK, SYSTEM
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.policy import ROLE_LABELS, Role

ACTIONS = {
    "account.added": _("account on a platform added"),
    "account.check_asked": _("check of an account asked for"),
    "account.proved": _("account proved"),
    "account.released": _("account given free"),
    "account.removed": _("account removed"),
    "account.renamed": _("nickname changed"),
    "big_event.box_changed": _("box for a BIG tournament promised, or not any more"),
    "big_event.checked_in": _("presence at a BIG tournament noted"),
    "big_event.signed_off": _("signed off from a BIG tournament"),
    "big_event.signed_up": _("signed up for a BIG tournament"),
    "big_event.asked": _("BIG tournament asked for"),
    "big_event.change_asked": _("change of a request for a BIG tournament asked for"),
    "big_event.changed": _("request for a BIG tournament changed"),
    "big_event.homologated": _("BIG tournament homologated"),
    "big_event.refused": _("BIG tournament refused"),
    "brochure.asked": _("brochure asked for"),
    "brochure.published": _("brochure published"),
    "brochure.taken_down": _("brochure taken off the public pages"),
    "brochure.thrown_away": _("brochure thrown away"),
    "big_final.announced": _("national final announced"),
    "big_final.answered": _("answer to a convocation"),
    "big_final.changed": _("national final changed"),
    "big_final.closed": _("list of a national final settled"),
    "big_final.first_mail": _("first convocation mail sent"),
    "big_final.second_mail": _("second convocation mail sent"),
    "big_online.entered": _("entry of an online tournament written down"),
    "big_online.offered": _("prizes for an online tournament"),
    "big_online.voucher": _("voucher of an online tournament given"),
    "bundle.changed": _("changed by a bundle"),
    "bundle.dumped": _("whole federation dumped"),
    "bundle.loaded": _("bundle loaded"),
    "bundle.results_replaced": _("results replaced by those of a bundle"),
    "account.seen_as": _("nickname seen in results"),
    "calendar_link.made": _("address of the own calendar made"),
    "calendar_link.taken_back": _("address of the own calendar taken back"),
    "case.answered": _("complaint or question answered"),
    "case.closed": _("complaint or question closed"),
    "case.correction_begun": _("correction begun after a complaint"),
    "case.sent": _("complaint or question received"),
    "case.taken": _("complaint or question being looked at"),
    "claim.approved": _("claim approved"),
    "claim.declined": _("past of another player turned down"),
    "claim.made": _("past of another player claimed"),
    "claim.refused": _("claim refused"),
    "clubs.changed": _("clubs and groups changed"),
    "consent.given": _("consent given"),
    "consent.withdrawn": _("consent withdrawn"),
    "data.exported": _("own data exported"),
    "data_request.noted": _("request about personal data noted"),
    "data_request.settled": _("request about personal data settled"),
    "demo.seeded": _("demo data made"),
    "disqualification.confirmed": _("disqualification confirmed"),
    "disqualification.proposed": _("disqualification proposed"),
    "disqualification.withdrawn": _("disqualification withdrawn"),
    "event_code.closed": _("event code closed"),
    "event_code.hall_opened": _("hall mode switched on"),
    "event_code.made": _("event code made"),
    "export.asked": _("export asked for"),
    "export.taken": _("export downloaded"),
    "export.thrown_away": _("export thrown away"),
    "membership.joined": _("BIG membership begun"),
    "mail.came_back": _("mail came back"),
    "newsletter.begun": _("newsletter begun"),
    "newsletter.changed": _("newsletter changed"),
    "newsletter.held": _("newsletter let go"),
    "newsletter.leaving": _("newsletter leaving"),
    "newsletter.reopened": _("stopped newsletter taken up again"),
    "newsletter.resumed": _("stopped newsletter let go again"),
    "newsletter.sent": _("newsletter sent"),
    "newsletter.stopped": _("newsletter stopped"),
    "notices.chosen": _("notices by e-mail chosen"),
    "notices.ended": _("notices by e-mail ended"),
    "job.tried_again": _("waiting step to be tried again"),
    "person.edited": _("personal data changed"),
    "person.erased": _("personal data erased"),
    "player.made_at_check_in": _("player made at the check-in of a BIG tournament"),
    "player.merged": _("two players merged"),
    "player.unmerged": _("merge taken back"),
    "prizes.announced": _("prizes announced"),
    "prizes.changed": _("prizes changed"),
    "prizes.taken_back": _("announcement of prizes taken back"),
    "prizes.written": _("prizes written"),
    "purge.confirmed": _("purge of ratings confirmed"),
    "purge.destroyed": _("purged ratings destroyed"),
    "purge.proposed": _("purge of ratings proposed"),
    "purge.taken_back": _("purge of ratings taken back"),
    "registration.answered": _("correction answered"),
    "registration.confirmed": _("e-mail address confirmed"),
    "registration.correction_asked": _("correction asked for"),
    "registration.refused": _("registration refused"),
    "registration.reopened": _("registration to be looked at again"),
    "registration.sent": _("registration sent"),
    "registration.verified": _("identity verified"),
    "registrations.expired": _("unconfirmed registrations removed"),
    "risiko.check_in_taken_back": _("presence at a Master taken back"),
    "risiko.checked_in": _("present at a Master"),
    "risiko.clock": _("clock of a game pressed"),
    "risiko.committed": _("seed of a draw promised"),
    "risiko.decided": _("decided by the referee of a Master"),
    "risiko.drawn": _("tables drawn"),
    "risiko.finals_seated": _("finals of a Master seated"),
    "risiko.walked_in": _("written down at the desk of a Master"),
    "role.granted": _("role given"),
    "role.withdrawn": _("role taken away"),
    "sanction.added": _("sanction added"),
    "sanction.shortened": _("sanction shortened"),
    "sanction.taken_back": _("sanction taken back"),
    "season.freeze_proposed": _("making a season final proposed"),
    "season.freeze_taken_back": _("proposal to make a season final taken back"),
    "season.frozen": _("season made final"),
    "stage.cancelled": _("stage cancelled"),
    "stage.changed_after_closing": _("closed stage changed"),
    "stage.close_proposed": _("correction of a stage proposed"),
    "stage.closed": _("results of a stage closed"),
    "stage.correction_approved": _("correction of a stage approved"),
    "stage.correction_begun": _("correction of a stage begun"),
    "stage.correction_dropped": _("correction of a stage given up"),
    "stage.correction_sent_back": _("correction of a stage sent back"),
    "stage.draft_replaced": _("draft of a stage replaced"),
    "stage.draft_taken_back": _("earlier draft of a stage restored"),
    "stage.duplicated": _("stage made like the last one"),
    "stage.entered": _("players entered in a stage"),
    "stage.homologated": _("stage made for a tournament of BIG"),
    "stage.imported": _("results of a stage imported"),
    "stage.planned": _("stage put on the calendar"),
    "stage.put_back": _("stage put back on the calendar"),
    "stage.reopened": _("closing or correction of a stage withdrawn"),
    "stage.round_added": _("round added to a stage"),
    "stage.seed_drawn": _("seed of a stage drawn"),
    "stage.swapped": _("two players of a round swapped"),
    "stage.taken_out": _("player taken out of a stage"),
    "stage.verified": _("results of a stage typed a second time"),
    "stage.withdrawn": _("player left a stage, or came back"),
    "table.settled": _("result of a table settled by the referee"),
    "user.language_changed": _("language of our mail changed"),
    "user.signed_out": _("signed out everywhere"),
}
ADMIN_ACTIONS = {
    "added": _("added in the admin"),
    "changed": _("changed in the admin"),
    "deleted": _("deleted in the admin"),
}
# What is changed without being a field of the row that the entry is about.
OTHER_FIELDS = {
    "accounts": _("accounts on platforms"),
    "clubs": _("clubs and groups"),
    "corrections": _("corrections still open"),
    "count": _("how many"),
    "identity_checked_on": _("identity document seen on"),
    "newsletter": _("newsletter"),
    "nickname": _("nickname"),
    "publication": _("publication"),
    "role": _("role"),
    "rules": _("rules"),
    "source": _("read from"),
    "stages": _("stages not closed"),
}
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MOMENT = re.compile(rf"{DAY.pattern}T\d\d:\d\d:\d\d\+\d\d:\d\d")
YES_AND_NO = {"True": _("yes"), "False": _("no")}


@dataclass(frozen=True)
class FieldChange:
    name: str
    before: str
    after: str


def action_label(action: str) -> str:
    name, _dot, act = action.partition(".")
    model = next((model for model in apps.get_models() if model._meta.model_name == name), None)
    if action in ACTIONS or model is None or act not in ADMIN_ACTIONS:
        return str(ACTIONS.get(action, action))
    return f"{model._meta.verbose_name}: {ADMIN_ACTIONS[act]}"


def role_label(role: str) -> str:
    words = {str(name): label for name, label in ROLE_LABELS.items()} | {
        SYSTEM: _("by itself"),
        BY_LINK: _("by a signed link"),
    }
    return str(words.get(role, role))


def describe_changes(entry: AuditEntry) -> list[FieldChange]:
    return [
        describe_change(entry.object_type, name, *map(str, pair))
        for name, pair in entry.changes.items()
    ]


def describe_change(object_type: str, name: str, before: str = "", after: str = "") -> FieldChange:
    field = find_field(object_type, name)
    label = field.verbose_name if field is not None else OTHER_FIELDS.get(name, name)
    words = (
        {role.value: ROLE_LABELS[role] for role in Role}
        if name == "role"
        else dict(getattr(field, "flatchoices", []))
    )
    words |= YES_AND_NO
    return FieldChange(
        str(label), *(str(words.get(value, format_stored_day(value))) for value in (before, after))
    )


def format_stored_day(value: str) -> str:
    # The log stores ISO dates and times
    if DAY.fullmatch(value):
        return date_format(date.fromisoformat(value), "SHORT_DATE_FORMAT")
    if MOMENT.fullmatch(value):
        return date_format(localtime(datetime.fromisoformat(value)), "SHORT_DATETIME_FORMAT")
    return value


def find_field(object_type: str, name: str) -> "Field[object, object] | None":
    try:
        field = apps.get_model(object_type)._meta.get_field(name)
    except (LookupError, ValueError, FieldDoesNotExist):
        return None
    return field if isinstance(field, Field) else None
