"""“What must I do?”: the first thing on my page. Each line says it in a sentence and leads to where it is done."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from pergioco.players import duplicates
from pergioco.players.models import AuditEntry, Claim, Player, Registration, User
from pergioco.players.policy import has_two_factors, needs_two_factors
from pergioco.players.reviewing import CORRECTABLE, label_of

State = Registration.State


@dataclass(frozen=True)
class Task:
    sentence: str
    button: str
    url: str
    is_urgent: bool = False


@dataclass(frozen=True)
class News:
    """What there is to know, but nothing to do about."""

    head: str
    sentence: str
    is_trouble: bool = False


def tasks(user: User, player: Player | None) -> list[Task]:
    found = [*of_the_login(user)]
    if player is not None:
        found += [*of_the_registration(player), *of_accounts_and_claims(player)]
    return found


def of_the_login(user: User) -> Iterator[Task]:
    if not EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists():
        sentence = _("Your e-mail address is not confirmed yet. Open the link that we sent you, or ask for a new one.")
        yield Task(sentence, _("Confirm the address"), reverse("account_email"), is_urgent=True)
    if needs_two_factors(user) and not has_two_factors(user):
        sentence = _("Your role needs a second factor, because it opens other people's data and results.")
        yield Task(sentence, _("Set it up"), reverse("two-factors-needed"), is_urgent=True)


def of_the_registration(player: Player) -> Iterator[Task]:
    registration: Registration | None = getattr(player, "registration", None)
    if registration is None:
        yield Task(_("You are not registered in PerGioco Masters."), _("Register"), reverse("register"))
        return
    if registration.state == State.NEEDS_CORRECTION:
        yield from corrections(registration)
    if not registration.rules_accepted:
        sentence = _("You took back your consent to the rules: your registration does not count.")
        yield Task(sentence, _("Look at my consents"), reverse("my-consents"), is_urgent=True)
    elif not registration.publication_allowed:
        sentence = _("You took back your consent to publication: your name is not shown, nor ranked.")
        yield Task(sentence, _("Look at my consents"), reverse("my-consents"))
    if not player.accounts.all():
        sentence = _("You have no account on any platform: the stages are played there (PGM 3).")
        yield Task(sentence, _("Add an account"), reverse("my-accounts"))


def corrections(registration: Registration) -> Iterator[Task]:
    """One line for each field, in the words of whoever asked."""
    for _name, label, message in asked_for(registration):
        yield Task(f"{label}: {message}", _("Correct it"), reverse("my-data"), is_urgent=True)


def asked_for(registration: Registration) -> list[tuple[str, str, str]]:
    """(name, label, message), in the order of the form: a database keeps none."""
    wanted = [name for name in CORRECTABLE if name in registration.messages]
    return [(name, capfirst(str(label_of(name))), registration.messages[name]) for name in wanted]


def of_accounts_and_claims(player: Player) -> Iterator[Task]:
    for account in player.accounts.all():
        if not account.is_proved:
            sentence = _("Nobody knows yet that %(account)s is yours.") % {"account": account}
            yield Task(sentence, _("Prove it"), reverse("my-account-proof", args=[account.pk]))
    if duplicates.to_ask(player).exists():
        sentence = _("Somebody played here before under a name like yours, or with your account.")
        yield Task(sentence, _("Say whether it was you"), reverse("is-this-you"))


def news(player: Player, today: date) -> list[News]:
    return [*of_discipline(player, today), *of_review(player), *of_claims(player)]


def of_discipline(player: Player, today: date) -> Iterator[News]:
    for row in player.disqualifications.all():
        if row.confirmed_at is not None and row.withdrawn_at is None:
            sentence = _("From %(day)s: %(kind)s. The reason: %(reason)s")
            values = {"day": date_format(row.effective_on), "kind": row.get_kind_display(), "reason": row.reason}
            yield News(_("You are disqualified."), sentence % values, is_trouble=True)
    for ban in player.sanctions.all():
        if ban.ends_on >= today:
            sentence = _("From %(start)s to %(end)s. The reason: %(reason)s")
            values = {"start": date_format(ban.starts_on), "end": date_format(ban.ends_on), "reason": ban.reason}
            yield News(_("You may not play in RisiKo! Masters."), sentence % values, is_trouble=True)


def of_review(player: Player) -> Iterator[News]:
    registration: Registration | None = getattr(player, "registration", None)
    if registration is not None and registration.state == State.REFUSED:
        decision = AuditEntry.objects.about(player).filter(action="registration.refused").first()
        yield News(_("Your registration was refused."), decision.reason if decision else "", is_trouble=True)


def of_claims(player: Player) -> Iterator[News]:
    heads = {
        Claim.State.OPEN: _("The staff look into the past that you said was yours."),
        Claim.State.APPROVED: _("The past that you claimed is yours now."),
        Claim.State.REFUSED: _("The past that you claimed is not yours, as far as the staff can see."),
    }
    for claim in player.claims.all():
        if claim.state in heads:
            yield News(heads[Claim.State(claim.state)], claim.answer)
