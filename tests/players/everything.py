"""Somebody of whom the portal holds something in every table, with a canary in every text that a
person can write."""

from datetime import date, timedelta
from itertools import count

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.db import models
from django.utils import timezone

from big_league.models import Answer, Convocation, FinalSeat, OnlineEntry, OnlineTournament, SignUp
from pergioco.core import audit
from pergioco.core.declarations import list_personal_models
from pergioco.core.models import KnownDevice, User
from pergioco.office.models import (
    Bounce,
    Campaign,
    DataRequest,
    Delivery,
    Happening,
    MailKey,
    Notice,
    Subscription,
)
from pergioco.players.models import (
    CalendarLink,
    Claim,
    Club,
    ClubMember,
    Disqualification,
    ErasureJournal,
    Membership,
    Merge,
    Player,
    ProofCode,
    Sanction,
)
from pergioco.players.services.personal_data import owner_of, rows_about
from pergioco.publishing.models import Computation, Line, PgrChange
from pergioco.stages.models import Entry, OpeningRating, Revision, Round, Seat, Stage, Table
from ratings.models import Purge, Purged
from risiko_master.models import Presence
from tests import factories
from tests.big_league.finals.hall import convened
from tests.emptying import unguarded

CANARY = "canary"
BORN = date(1961, 7, 23)
DOCUMENT_SEEN = date(2021, 10, 19)
# Keys and words of the portal's own: nobody types them.
NOT_TYPED = {
    "public_id",
    "text_version",
    "role",
    "action",
    "object_type",
    "object_id",
    "request_id",
    "session_key",
}
NOT_TYPED |= {
    "password",
    "search_key",
    "key",
    "country",
    "changes",
    "moved",
    "games",
    "decided_by",
    "detail",
}
NOT_TYPED |= {"results", "shop"}


def somebody_with_everything(staff: User) -> Player:
    player = factories.registered(birth_date=BORN, identity_checked_on=DOCUMENT_SEEN)
    past, user, now = factories.player(), player.person.user, timezone.now()
    for owner in (player, past):
        account = factories.account(owner)
        ProofCode.objects.create(
            account=account, code=account.nickname, made_at=now, expires_at=now
        )
    Membership.objects.create(player=player, member_on=date(2026, 1, 11))
    CalendarLink.objects.create(player=player)
    ClubMember.objects.create(player=player, club=Club.objects.get_or_create(name="Circolo")[0])
    Sanction.objects.create(
        player=player, starts_on=BORN.replace(year=2025), ends_on=date(2025, 12, 31), reason="-"
    )
    Disqualification.objects.create(
        player=player, kind="ranking", effective_on=date(2026, 2, 1), proposed_by=staff
    )
    Claim.objects.create(player=player, target=past)
    play(player)
    be_ranked(player)
    event = factories.big_event(sent_by=user)
    SignUp.objects.create(event=event, player=player)
    be_written_to(player)
    factories.case(sent_by=user)
    asked = {
        "kind": "access",
        "way": "mail",
        "asked_on": date(2026, 2, 1),
        "due_on": date(2026, 3, 1),
    }
    DataRequest.objects.create(player=player, noted_by=staff, **asked)
    be_called(player)
    Merge.objects.create(kept=player, absorbed=past, done_by=staff, moved={"players.nickname": [1]})
    Player.objects.filter(pk=past.pk).update(merged_into=player)
    city = {
        "changes": {"city": ["canary old", "canary"]},
        "before": {"city": "canary old"},
        "after": {"city": "canary"},
    }
    audit.record("person.edited", player.person, by=user, player=player, **city)
    audit.record("role.granted", user, by=staff, changes={"email": ["", "canary"]})
    audit.record(
        "nickname.changed",
        player.accounts.get().nicknames.get(),
        by=staff,
        changes={"name": ["", "canary"]},
    )
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "canary"}
    )
    sign_in(user)
    fill_with_canaries(player)
    EmailAddress.objects.filter(user=user).update(email=User.objects.get(pk=user.pk).email)
    note_in_the_admin(player, staff)
    return Player.objects.get(pk=player.pk)


def play(player: Player) -> None:
    stage = factories.stage()
    Presence.objects.create(entry=Entry.objects.create(stage=stage, player=player))
    revision = Revision.objects.create(stage=stage, number=1)
    table = Table.objects.create(round=Round.objects.create(revision=revision, number=1), number=1)
    Seat.objects.create(table=table, position=1, player=player)
    OpeningRating.objects.create(player=player, game=stage.game, pgr=1010)


def be_ranked(player: Player) -> None:
    stage = Stage.objects.latest("pk")
    made = Computation.objects.create(
        kind="pgr", season=stage.season, stage=stage, edition=2021, cause="closed"
    )
    PgrChange.objects.create(
        computation=made,
        stage=stage,
        game=stage.game,
        player=player,
        ended_on=stage.ends_on,
        before=1_000_000,
        half_points=2,
        expected="0.500000",
        rated_games=1,
        valid_games=1,
        k=20,
        after=1_010_000,
        games="1.1.7.1000000.2.played",
    )
    red = Computation.objects.create(kind="red", season=stage.season, edition=2021, cause="closed")
    Line.objects.create(computation=red, position=1, player=player, rank=1, value=1010)
    Purged.objects.create(
        purge=Purge.objects.get_or_create(year=2026)[0],
        stage=stage,
        player=player,
        before=1_000_000,
    )


def be_written_to(player: Player) -> None:
    now, stage = timezone.now(), Stage.objects.latest("pk")
    campaign = Campaign.objects.create()
    Delivery.objects.create(campaign=campaign, player=player, message_id="<1@example.org>")
    Bounce.objects.create(player=player, address="canary@example.org")
    MailKey.objects.create(player=player)
    wish = Subscription.objects.create(player=player, kind="results")
    happening = Happening.objects.create(key=f"results of {stage.pk}", what="results", stage=stage)
    Notice.objects.create(subscription=wish, happening=happening, due_at=now)


def be_called(player: Player) -> None:
    """To a national final, with a seat; and entered in an online tournament, whose voucher is
    his."""
    stage = Stage.objects.latest("pk")
    final = convened(stage, player)
    FinalSeat.objects.create(final=final, number=1, player=player, why="called")
    Convocation.objects.create(final=final, player=player, mail=1, is_sent=True)
    Answer.objects.create(final=final, number=1, player=player, said="yes")
    online = OnlineTournament.objects.create(stage=stage, fee=500, voucher_player=player)
    OnlineEntry.objects.create(tournament=online, player=player, paid=500)


def sign_in(user: User) -> None:
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session.create()
    later = timezone.now() + timedelta(minutes=1)
    UserSession.objects.create(
        user=user, session_key=session.session_key, ip="192.0.2.77", last_seen_at=later
    )
    KnownDevice.objects.create(
        user=user,
        key=f"{user.pk:064}",
        bound_to=user.get_session_auth_hash(),
        browser="Firefox",
        seen_at=later,
    )


def fill_with_canaries(player: Player) -> None:
    """Past the guards of the models, as years of use would have done."""
    with unguarded():
        write_canaries(player)


def write_canaries(player: Player) -> None:
    numbers = count(1)
    for model in list_personal_models():
        for row in rows_about(owner_of(player), model):
            values = {
                f.name: typed(f, next(numbers))
                for f in row._meta.local_concrete_fields
                if is_typed(f)
            }
            if row._meta.label == "players.Person":
                del values["contact_email"]  # it has a login
            if row._meta.label == "office.Case":
                del values["finding"]  # written for everybody
            if row._meta.label == "big_league.Event":
                values = {
                    name: value
                    for name, value in values.items()
                    if name not in {"place", "address", "city"}
                }
            models.QuerySet(model).filter(pk=row.pk).update(**values)


def is_typed(field: models.Field) -> bool:
    texts = isinstance(field, models.CharField | models.TextField | models.JSONField)
    return texts and not field.choices and field.name not in NOT_TYPED


def typed(field: models.Field, number: int) -> object:
    if isinstance(field, models.JSONField):
        return {"city": f"canary {number}"}
    return (
        f"canary{number}@example.org" if isinstance(field, models.EmailField) else f"canary{number}"
    )


def note_in_the_admin(player: Player, staff: User) -> None:
    LogEntry.objects.create(
        user=staff,
        content_type=ContentType.objects.get_for_model(player.person),
        object_id=str(player.person.pk),
        object_repr="canary in the admin",
        action_flag=CHANGE,
        change_message="canary in the admin",
    )


def kinds_without_a_row(player: Player) -> list[str]:
    owner = owner_of(player)
    return [
        model._meta.label
        for model in list_personal_models()
        if not rows_about(owner, model).exists() and model is not ErasureJournal
    ]
