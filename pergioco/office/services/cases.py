"""Complaints and questions: receipt, answer, signed link, subject and retention."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from big_league import labels as big_labels
from pergioco.core import audit
from pergioco.core.addresses import absolute_url
from pergioco.core.database import lock_row
from pergioco.core.declarations import get_blank_values
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.core.refusal import Outdated, Refused
from pergioco.core.signed_links import LinkSigner
from pergioco.office.models import Case, DataRequest
from pergioco.office.models.cases import CaseQuerySet
from pergioco.office.models.prizes import RANKINGS
from pergioco.office.rules import answer_due_on, may_be_written_in
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.services.letters import send_letter_for_stranger, send_letter_to_address
from pergioco.publishing.models import Erratum
from pergioco.stages.models import Game, Stage
from pergioco.stages.services import drafting


def send_case(case: Case, *, by: User | None) -> Case:
    """Saves what the form holds. One submission is one case."""
    try:
        with transaction.atomic():
            return write_case(case, by=by)
    except IntegrityError:  # twice at the same moment
        return Case.objects.get(submission=case.submission)


def write_case(case: Case, *, by: User | None) -> Case:
    there = Case.objects.filter(submission=case.submission).first()
    if there is not None:
        return there
    if case.kind == Case.Kind.COMPLAINT and not may_be_written_in(case.language):
        raise Refused(
            _("Complaints are written in Italian or in English (PGM 16)."),
            "language",
            rule="cases.write_case",
        )
    case.due_on, case.sent_by = answer_due_on(timezone.localdate()), by
    case.email = case.email.lower()
    case.save(force_insert=True)
    # The log only says that it came: writer and words are in the row, which is emptied in time.
    audit.record(
        "case.sent",
        case,
        by=by,
        role="" if by else audit.BY_LINK,
        changes={"state": ["", case.state]},
    )
    mail_case(case, "case_received", send=send_letter_for_stranger)
    return case


def mail_case(
    case: Case, letter: str, *, send: Callable[..., None] = send_letter_to_address
) -> None:
    # In the language in which it was written.
    send(case.email, case.language, letter, case=case, link=lambda: make_case_link(case))


State = Case.State
CHANGED_MEANWHILE = gettext_lazy(
    "Somebody else did something here in the meantime. Look at it as it is now."
)


def lock_case(case: Case, version: int) -> Case:
    """The locked row, if it is still what its reader saw."""
    row = lock_row(case)
    if row.version != version:
        raise Outdated(CHANGED_MEANWHILE, rule="cases.lock_case")
    return row


def move_case(
    case: Case, state: Case.State, action: str, *, by: User | None, **changed: object
) -> Case:
    before, case.state = case.state, state
    for name, value in changed.items():
        setattr(case, name, value)
    case.handled_by, case.version = by or case.handled_by, case.version + 1
    case.save()
    audit.record(action, case, by=by, changes={"state": [before, state]})
    return case


@transaction.atomic
def take_case(case: Case, *, by: User, version: int) -> Case:
    case = lock_case(case, version)
    if case.state != State.RECEIVED:
        raise Outdated(CHANGED_MEANWHILE, rule="cases.take_case")
    return move_case(case, State.LOOKED_AT, "case.taken", by=by)


@transaction.atomic
def answer_case(case: Case, *, by: User, version: int, answer: str, finding: str = "") -> Case:
    # An answer may be followed by a better one, until the case is closed.
    case = lock_case(case, version)
    if case.state == State.CLOSED:
        raise Outdated(CHANGED_MEANWHILE, rule="cases.answer_case")
    words = {"answer": answer.strip(), "finding": finding.strip()}
    case = move_case(
        case, State.ANSWERED, "case.answered", by=by, answered_at=timezone.now(), **words
    )
    mail_case(case, "case_answered")
    return case


@transaction.atomic
def close_case(case: Case, *, by: User | None, version: int) -> Case:
    case = lock_case(case, version)
    if case.state != State.ANSWERED:
        raise Refused(
            _("Answer it first: nobody is left without an answer."), rule="cases.close_case"
        )
    return move_case(case, State.CLOSED, "case.closed", by=by, closed_at=timezone.now())


@transaction.atomic
def begin_case_correction(case: Case, stage: Stage, *, by: User, version: int, reason: str) -> Case:
    # Once the correction is closed, its erratum names the complaint.
    case = lock_case(case, version)
    if case.revision_id is not None:
        raise Refused(
            _("A correction came of this complaint already."), rule="cases.begin_case_correction"
        )
    draft = drafting.begin_correction(stage, by=by, reason=reason)
    state = State.LOOKED_AT if case.is_waiting else State(case.state)
    return move_case(case, state, "case.correction_begun", by=by, revision=draft)


signer = LinkSigner("pergioco.office.cases")


def make_case_token(case: Case) -> str:
    return signer.sign(case.key)


def make_case_link(case: Case) -> str:
    """The whole address; it is written into a mail, in the language of that mail."""
    return absolute_url(reverse("case", args=[make_case_token(case)]))


def find_case_by_token(token: str) -> Case | None:
    """None also for an emptied case: there is nothing left to show."""
    return signer.find_row(
        token, Case.objects.select_related("revision__stage__game").exclude(email="")
    )


CLOSED_AFTER = timedelta(days=30)  # without another word from either side
WORDS_KEPT = timedelta(days=365)
REQUESTS_KEPT = timedelta(days=5 * 365)


def tidy_cases() -> None:
    now = timezone.now()
    for case in Case.objects.filter(state=Case.State.ANSWERED, answered_at__lt=now - CLOSED_AFTER):
        close_case(case, by=None, version=case.version)
    Case.objects.filter(closed_at__lt=now - WORDS_KEPT).exclude(email="").update(
        **get_blank_values(Case), sent_by=None
    )
    DataRequest.objects.filter(settled_at__lt=now - REQUESTS_KEPT).delete()


def forget_case_address(address: str) -> None:
    # After an erasure: also cases sent from that address without signing in. Findings stay.
    Case.objects.filter(email__iexact=address).update(**get_blank_values(Case))


READERS = (Role.STAFF, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR)


OFFICE_OF = {Role.BIG_ORGANIZER: Case.Office.BIG, Role.RISIKO_DIRECTOR: Case.Office.RKM}


def cases_readable_by(user: User) -> CaseQuerySet:
    # Staff read all cases, BIG and RisiKo! their own. Emptied cases are never shown.
    rows = Case.objects.exclude(email="")
    if has_role(user, Role.STAFF):
        return rows
    return rows.filter(
        office__in=[office for role, office in OFFICE_OF.items() if has_role(user, role)]
    )


LONGEST = 200
LANGUAGES = [code for code, _name in settings.LANGUAGES]
GENERAL = "big"


@dataclass(frozen=True)
class NamedPage:
    """What a page is about, and which office answers for its numbers."""

    title: str
    stage: Stage | None = None
    office: str = Case.Office.PGM


@dataclass(frozen=True)
class Subject:
    title: str
    address: str
    stage: Stage | None
    office: str


def find_page(text: str) -> str:
    """From a copied address, whole or a path; empty if the page shows no published number."""
    with suppress(ValueError):
        parts = urlsplit(text.strip())
        language, _slash, page = parts.path.lstrip("/").partition("/")
        is_ours = parts.hostname in {None, settings.PUBLIC_URL.hostname} and language in LANGUAGES
        if is_ours and len(page) <= LONGEST and find_subject(page):
            return page
    return ""


def find_subject(page: str) -> Subject | None:
    """In the reader's language; None if the page shows no number, or is gone."""
    address = f"/{get_language() or settings.LANGUAGE_CODE}/{page}"
    match = match_address(address)
    if match is None or match.url_name not in TITLES:
        return None
    with suppress(Http404):
        found = TITLES[match.url_name](**match.kwargs)
        return Subject(found.title, address, found.stage, found.office)
    return None


def match_address(address: str) -> ResolverMatch | None:
    with suppress(Resolver404):
        return resolve(address)
    return None


def name_ranking_page(kind: str, year: int) -> NamedPage:
    if kind == GENERAL:
        return NamedPage(f"{big_labels.NAMES[kind]} {year}", office=Case.Office.BIG)
    if kind not in RANKINGS:
        raise Http404
    return NamedPage(f"{RANKINGS[kind]} {year}")


def name_game_page(slug: str, year: int) -> NamedPage:
    return NamedPage(f"{get_object_or_404(Game, slug=slug)} {year}")


def name_championship_page(kind: str, slug: str, year: int) -> NamedPage:
    """A game of BIG, by points or by Elo."""
    title = f"{big_labels.NAMES[kind]}: {get_object_or_404(Game, slug=slug)} {year}"
    return NamedPage(title, office=Case.Office.BIG)


def name_why_page(public_id: str, **ranking: Any) -> NamedPage:
    find = (
        name_ranking_page
        if "slug" not in ranking
        else name_championship_page
        if "kind" in ranking
        else name_game_page
    )
    found = find(**ranking)
    return replace(found, title=f"{found.title}: {name_player(public_id, found.office)}")


def name_stage_page(slug: str, **_more: Any) -> NamedPage:
    stage = get_object_or_404(Stage.objects.select_related("game", "season"), slug=slug)
    return NamedPage(
        f"{stage.game}, {date_format(stage.ends_on, 'SHORT_DATE_FORMAT')}", stage, stage.circuit
    )


def name_result_page(slug: str, public_id: str) -> NamedPage:
    found = name_stage_page(slug)
    return replace(found, title=f"{found.title}: {name_player(public_id, found.office)}")


def name_erratum_page(number: int) -> NamedPage:
    erratum = get_object_or_404(Erratum.objects.select_related("revision__stage__game"), pk=number)
    title = _("Correction of %(day)s") % {"day": date_format(erratum.made_at, "SHORT_DATE_FORMAT")}
    stage = erratum.revision.stage if erratum.revision else None
    return NamedPage(title, stage, stage.circuit if stage else Case.Office.PGM)


def name_player(public_id: str, circuit: str) -> str:
    return public_name(get_object_or_404(Player.objects.with_names(), public_id=public_id), circuit)


TITLES: dict[str, Callable[..., NamedPage]] = {
    "ranking": name_ranking_page,
    "game-ranking": name_game_page,
    "big-game-ranking": name_championship_page,
    "big-elo-ranking": name_championship_page,
    "why": name_why_page,
    "why-game": name_why_page,
    "why-big-game": name_why_page,
    "why-big-elo": name_why_page,
    "why-change": name_result_page,
    "why-big-event": name_result_page,
    "stage": name_stage_page,
    "big-event": name_stage_page,
    "risiko-master": name_stage_page,
    "erratum": name_erratum_page,
}
