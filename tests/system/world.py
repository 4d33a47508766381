"""A small federation for the tests that walk every page: one login for each role, one row of each
kind."""

import time
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.test.client import ClientHandler
from django.utils import timezone

from big_league import links
from big_league import links as convocations
from big_league.day_facts import load_day
from big_league.models import (
    Convocation,
    Event,
    FinalSeat,
    HardcorePick,
    OnlineEntry,
    OnlineTournament,
    SheetNote,
    SignUp,
)
from big_league.services import final_seats, round_drawing
from big_league.services.round_drawing import Wish
from pergioco.core import last_runs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import (
    Breaker,
    CacheVersion,
    Job,
    KnownDevice,
    LastRun,
    OutgoingMail,
    User,
)
from pergioco.imports.models import Fetch
from pergioco.office.models import (
    Bounce,
    Brochure,
    Campaign,
    DataRequest,
    Delivery,
    Export,
    Happening,
    MailKey,
    Notice,
    Page,
    Subscription,
)
from pergioco.office.newsletter import recipients
from pergioco.office.services import cases as case_links
from pergioco.players.models import (
    Claim,
    Club,
    ClubMember,
    Consent,
    Disqualification,
    ErasureJournal,
    EventCode,
    Membership,
    Player,
    ProofCode,
    Sanction,
)
from pergioco.players.services import calendar_links, merging
from pergioco.publishing.models import Erratum, Freeze, Line, PgrChange, Shown
from pergioco.publishing.services import publish
from pergioco.publishing.services.statements import sign_statement
from pergioco.stages import table_pages
from pergioco.stages.models import (
    Change,
    DateChange,
    Entry,
    Game,
    OpeningRating,
    Season,
    Seat,
    SourceFile,
    Stage,
    TableStep,
    Variant,
)
from pergioco.stages.services import pairing
from pergioco.stages.services.drafting import enter_players
from ratings.compute import recompute
from ratings.models import Purge, Purged
from risiko_master.models import ClockPress, Presence, RefereeDecision
from risiko_master.services import presence
from tests import factories
from tests.big_league.finals.hall import convened
from tests.big_league.play import tournament
from tests.office.contact.readers import WORDS
from tests.ratings.play import played
from tests.risiko_master.masters import drawn, master

ROLES = (
    "anonymous",
    "player",
    "other_player",
    "organizer",
    "other_organizer",
    "big_organizer",
    "risiko_director",
    "staff",
    "bare_staff",  # has the role, and no second factor yet
    "superuser",
)


class World:
    def __init__(self) -> None:
        self.users: dict[str, User | AnonymousUser] = {"anonymous": AnonymousUser()}
        # Thousands of clients: one chain of middleware is enough
        self.handler = ClientHandler(enforce_csrf_checks=False)
        self.ids: dict[str, Any] = {}
        self.people()
        self.decisions()
        self.calendar()
        self.rankings()
        self.big_catalogue()
        self.draw()
        self.big_event()
        self.office()
        self.facts()
        self.table()
        self.machinery()
        self.printed()
        self.ids["cache_version"] = CacheVersion.objects.latest("pk").pk
        self.sessions = {role: self.session(role) for role in ROLES}

    def people(self) -> None:
        for number, role in enumerate(("player", "other_player"), start=1):
            made = factories.registered(
                user=factories.user(f"canary-{role}@mail.example.org"),
                first_name=f"Nome{number}",
                birth_date=date(1930 + number, 7, 18 + number),
                phone=f"+39 555 010 77 {number}{number}",
            )
            self.users[role] = made.person.user
            self.ids[f"{role}.public_id"] = made.public_id
        for role in ("organizer", "big_organizer", "risiko_director", "staff", "superuser"):
            self.users[role] = factories.user_with_role(
                role, email=f"canary-{role}@mail.example.org"
            )
        for name, role in (("other_organizer", "organizer"), ("bare_staff", "staff")):
            self.users[name] = factories.user_with_role(
                role, email=f"canary-{name}@mail.example.org", two_factors=name != "bare_staff"
            )
        self.rows_of_the_player(self.player("player"))
        self.address_to_confirm()

    def address_to_confirm(self) -> None:
        user = self.users["player"]
        address = EmailAddress.objects.create(
            user=user, email="canary-second@mail.example.org", verified=False
        )
        self.ids["confirmation"] = EmailConfirmationHMAC.create(address).key

    def player(self, role: str) -> Player:
        return Player.objects.get(public_id=self.ids[f"{role}.public_id"])

    def rows_of_the_player(self, player: Player) -> None:
        account = factories.account(player, "Kasp77")
        now = timezone.now()
        code = ProofCode.objects.create(
            account=account, code="CANARYCODE", made_at=now, expires_at=now + timedelta(hours=1)
        )
        link = calendar_links.make_calendar_link(player, by=player.person.user)
        membership = Membership.objects.create(player=player, member_on=date(2026, 1, 10))
        club = Club.objects.create(name="Torri")
        ClubMember.objects.create(club=club, player=player)
        KnownDevice.objects.create(
            user=player.person.user, key="key", browser="Firefox", seen_at=now
        )
        self.ids |= {
            "player": player.pk,
            "person": player.person.pk,
            "registration": player.registration.pk,
            "account": account.pk,
            "proof_code": code.pk,
            "calendar_link": link.pk,
            "calendar.token": calendar_links.sign_calendar_link(link),
            "membership": membership.pk,
            "club": club.pk,
            "consent": Consent.objects.filter(player=player)[0].pk,
            "user": player.person.user.pk,
        }

    def decisions(self) -> None:
        player, other, staff = (
            self.player("player"),
            self.player("other_player"),
            self.users["staff"],
        )
        sanction = Sanction.objects.create(
            player=other,
            starts_on=date(2026, 1, 1),
            ends_on=date(2026, 12, 31),
            reason="canary sanction",
            decided_by=staff,
        )
        decision = Disqualification.objects.create(
            player=other,
            kind="ranking",
            effective_on=date(2026, 2, 1),
            reason="canary decision",
            proposed_by=self.users["superuser"],
        )
        claim = Claim.objects.create(player=player, target=factories.player())
        Claim.objects.create(player=player, target=factories.player(), state="offered")
        merge = merging.merge_players(
            factories.player(), factories.player(), by=staff, reason="canary merge"
        )
        erased = Player.objects.create(erased_at=timezone.now())
        self.ids |= {
            "sanction": sanction.pk,
            "decision": decision.pk,
            "claim": claim.pk,
            "merge": merge.pk,
            "erasure": ErasureJournal.objects.create(player=erased, asked_at=timezone.now()).pk,
        }

    def calendar(self) -> None:
        game = factories.game("abalone")
        Variant.objects.create(game=game, platform="bga", key="abalone")
        now = timezone.now()
        for role in ("organizer", "other_organizer"):
            draft = factories.drafted([[(factories.player(), factories.player())]], game=game)
            stage = draft.stage
            self.ids[f"{role}.entry"] = stage.entries.all()[0].pk
            stage.organizers.add(self.users[role])
            self.imports(role, stage)
            code = EventCode.objects.create(
                code=f"hall-{role}",
                note=f"canary note {role}",
                valid_from=now,
                valid_to=now + timedelta(days=1),
                created_by=self.users[role],
            )
            self.ids |= {
                f"{role}.stage": stage.pk,
                f"{role}.stage.slug": stage.slug,
                f"{role}.code": code.pk,
            }
        content_type = ContentType.objects.get_for_model(Stage).pk
        self.ids |= {
            "season": stage.season_id,
            "season.year": stage.season.year,
            "season.next_year": stage.season.year + 1,
            "game": game.pk,
            "content_type": content_type,
        }

    def rankings(self) -> None:
        """The two players met once, that was published, and what was public before was
        corrected."""
        game = Game.objects.get(pk=self.ids["game"])
        who = {"A": self.player("player"), "B": self.player("other_player")}
        stage = played("A 1 B", who=who, on=date(2026, 3, 1), game=game, race=True)
        self.big_final(who)
        recompute(game, cause="closed")
        publication = publish.publish_season(stage.season, cause="closed")
        erratum = Erratum.objects.create(
            season=stage.season,
            publication=publication,
            cause="corrected",
            decided_by=self.users["organizer"],
            approved_by=self.users["staff"],
            changes={"moves": [], "pgr": []},
        )
        assert publication is not None
        self.ids |= {
            "closed.stage.slug": stage.slug,
            "erratum": erratum.pk,
            "publication": publication.pk,
        }
        self.publishing_rows(stage)

    def publishing_rows(self, stage: Stage) -> None:
        """One of each kind that the admin shows."""
        player, change = self.player("player"), PgrChange.objects.filter(stage=stage)[0]
        purge = Purge.objects.create(year=2024, proposed_by=None)
        self.ids |= {
            "pgrchange": change.pk,
            "computation": change.computation_id,
            "line": Line.objects.all()[0].pk,
            "freeze": Freeze.objects.create(season=factories.season(2023)).pk,
            "purge": purge.pk,
            "purged": Purged.objects.create(purge=purge, stage=stage, player=player, before=1).pk,
            "opening": OpeningRating.objects.create(
                player=player, game=factories.game("xiangqi"), pgr=1000
            ).pk,
        }

    def big_final(self, who: dict[str, Player]) -> None:
        """The player won a tournament of BIG, and is called to its national final. Third was a
        member of BIG alone."""
        third = factories.person(
            first_name="Tesserina", contact_email="canary-member@mail.example.org"
        ).player
        Membership.objects.create(player=third, member_on=date(2025, 1, 1))
        won = tournament(
            "A9 B7 C5", who=who | {"C": third}, on=date(2026, 3, 2), game="catan", slug="world-big"
        )
        final = convened(won, self.player("player"))
        online = OnlineTournament.objects.create(stage=Stage.objects.get(slug="world-big"), fee=500)
        answer = final_seats.append_answer(final, "yes", self.player("player"))
        entry = OnlineEntry.objects.create(
            tournament=online, player=self.player("player"), paid=500
        )
        self.ids |= {
            "final": final.pk,
            "final.slug": final.stage.slug,
            "final.token": convocations.convocation_token(final, self.player("player")),
            "final.called": final.called.get().pk,
            "final.answer": answer.pk,
            "final.seat": FinalSeat.objects.create(
                final=final, number=1, player=answer.player, why="called"
            ).pk,
            "final.mail": Convocation.objects.create(
                final=final, player=answer.player, mail=1, is_sent=True
            ).pk,
            "online": online.pk,
            "online.entry": entry.pk,
            "online.stage": online.stage_id,
            "online.slug": online.stage.slug,
        }

    def big_catalogue(self) -> None:
        sheet = factories.game_sheet()
        note = SheetNote.objects.create(
            sheet=sheet, kind="setup", text_it="uno", text_en="one", text_es="uno"
        )
        pick = HardcorePick.objects.create(year=2026, position=1, title="Seti")
        self.ids |= {
            "big_sheet": sheet.pk,
            "big_sheet.slug": sheet.game.slug,
            "big_note": note.pk,
            "big_pick": pick.pk,
        }

    def draw(self) -> None:
        stage, director = master(players=8, clubs=(3,))
        made = drawn(stage, director)
        stage.organizers.add(self.users["risiko_director"])
        entry = stage.entries.order_by("id")[0]
        decision = {"direct": 1, "semifinals": 3, "reason": "so few are here"}
        self.ids |= {
            "master.slug": stage.slug,
            "master.entry": entry.pk,
            "master.token": presence.presence_token(stage),
            "master.player": entry.player.public_id,
            "commitment": made.commitment.pk,
            "draw": made.pk,
            "presence": Presence.objects.create(entry=entry).pk,
            "clockpress": ClockPress.objects.create(stage=stage, game=1, what="start").pk,
            "refereedecision": RefereeDecision.objects.create(stage=stage, **decision).pk,
        }

    def big_event(self) -> None:
        """Asked for by the organizer of BIG tournaments, and homologated."""
        event = factories.big_event(sent_by=self.users["big_organizer"])
        homologated = factories.homologated(event, by=self.users["staff"])
        self.ids |= {
            "big_event": event.pk,
            "big_event.token": links.request_token(event),
            "big_event.slug": homologated.stage.slug,
        }
        self.big_day(homologated)

    def big_day(self, event: Event) -> None:
        """Two are at a table, and a guest is still expected."""
        by = self.users["big_organizer"]
        assert isinstance(by, User)
        expected = SignUp.objects.create(
            event=event,
            first_name="Nome9",
            last_name="Rossi",
            email="canary-guest@mail.example.org",
            birth_date=date(1939, 7, 27),
            phone="+39 555 010 77 99",
            nickname="canary nickname",
        )
        players = [self.player("player"), self.player("other_player")]
        present = [
            SignUp.objects.create(event=event, player=player, presence="present")
            for player in players
        ]
        self.ids |= {
            "big_signup": expected.pk,
            "big_signup.token": links.signup_token(expected),
            "big_present": present[0].pk,
        }
        pairing.draw_seed(event.stage, by=by)
        enter_players(event.stage, players, by=by)
        wish = Wish(2)
        round_drawing.open_drawn_round(
            event.stage,
            wish,
            by=by,
            sha256=round_drawing.propose_round(load_day(event.stage), wish).sha256,
        )

    def office(self) -> None:
        """A complaint of somebody without a login, a request about the player's data, prizes that
        are not public."""
        case = factories.case(
            name="Canary Case", email="canary-case@mail.example.org", text="canary complaint"
        )
        request = DataRequest.objects.create(
            player=self.player("player"),
            kind="access",
            way="phone",
            asked_on=date(2026, 1, 10),
            due_on=date(2026, 2, 10),
            note="canary request",
            noted_by=self.users["superuser"],
        )
        prizes = factories.prizes(
            "red", text_it="canary prize", text_en="canary prize", text_es="canary prize"
        )
        for name in last_runs.expected:
            last_runs.note(name)
        run = LastRun.objects.get(name="tidy")
        self.ids |= {
            "case": case.pk,
            "case.token": case_links.make_case_token(case),
            "data_request": request.pk,
            "prizes": prizes.pk,
            "prizes.kind": "red",
            "last_run": run.pk,
            "breaker": Breaker.objects.create(name="mail").pk,
            "statement": sign_statement(["pgr go stage"], differences=0).number,
        }

    def facts(self) -> None:
        """One row of each kind of facts, of the stage that was played."""
        seat = Seat.objects.filter(player=self.player("player")).select_related(
            "table__round__revision__stage"
        )[0]
        revision = seat.table.round.revision
        day = {
            f"{which}_{what}": date(2026, 3, 1)
            for which in ("old", "new")
            for what in ("starts_on", "ends_on")
        }
        self.ids |= {
            "fact.seat": seat.pk,
            "fact.table": seat.table_id,
            "fact.round": seat.table.round_id,
            "fact.revision": revision.pk,
            "fact.entry": Entry.objects.get_or_create(stage=revision.stage, player=seat.player)[
                0
            ].pk,
            "fact.change": Change.objects.create(
                revision=revision, submission=uuid4(), what="result"
            ).pk,
            "fact.date_change": DateChange.objects.create(stage=revision.stage, **day).pk,
            "shown": Shown.objects.all()[0].pk,
        }

    def table(self) -> None:
        """Of a tournament of BIG under way; two sit there."""
        draft = factories.drafted(
            [[(factories.player(), factories.player())]], circuit="big", platform=""
        )
        draft.stage.organizers.add(self.users["big_organizer"])
        step = TableStep.objects.create(
            stage=draft.stage, round=1, table=1, number=1, kind="turn", submission=uuid4()
        )
        token = table_pages.make_table_token(draft.stage_id, 1, 1)
        self.ids |= {
            "table.token": token,
            "table.stage.slug": draft.stage.slug,
            "table_step": step.pk,
        }

    def imports(self, role: str, stage: Stage) -> None:
        source = SourceFile.objects.create(
            stage=stage,
            name="canary file",
            raw=b"Anna 1-0 Bruno",
            sha256="0",
            reader="typed",
            reader_version=1,
        )
        waiting = Job.objects.create(
            kind="imports.fetch", lane="outside", not_before=timezone.now()
        )
        fetch = Fetch.objects.create(
            stage=stage, platform="playstrategy", kind="swiss", key="AbCd1234", job=waiting
        )
        self.ids |= {f"{role}.source": source.pk, f"{role}.fetch": fetch.pk}

    def machinery(self) -> None:
        step = Job.objects.create(
            kind="mail.send", arguments={"mail": 1}, not_before=timezone.now()
        )
        mail = OutgoingMail.objects.create(
            message_id="<1@example.org>",
            recipient="canary-recipient@mail.example.org",
            raw=b"canary letter",
        )
        entry = AuditEntry.objects.filter(player=None).first() or AuditEntry.objects.create(
            role="system", action="demo.seeded", object_type="core.user", object_id="1"
        )
        cancelled = AuditEntry.objects.create(
            role="staff",
            action="stage.cancelled",
            object_type="stages.stage",
            object_id="1",
            actor=self.users["staff"],
        )
        self.ids |= {"step": step.pk, "mail": mail.pk, "entry": entry.pk, "cancelled": cancelled.pk}
        self.letters(self.player("player"))

    def letters(self, player: Player) -> None:
        """A newsletter that was sent to the player, and a notice that waits."""
        now = timezone.now()
        sent = Campaign.objects.create(
            **WORDS, state="sent", leaves_at=now, begun_at=now, ended_at=now
        )
        delivery = Delivery.objects.create(
            campaign=sent, player=player, message_id="<2@example.org>"
        )
        wish = Subscription.objects.create(player=player, kind="results")
        happening = Happening.objects.create(
            key="revision 1", what="results", stage=Stage.objects.all()[0]
        )
        self.ids |= {
            "campaign": sent.pk,
            "delivery": delivery.pk,
            "bounce": Bounce.objects.create(
                player=player, address="canary-bounce@mail.example.org"
            ).pk,
            "subscription": wish.pk,
            "happening": happening.pk,
            "notice": Notice.objects.create(subscription=wish, happening=happening, due_at=now).pk,
            "mail.token": recipients.make_unsubscribe_token(player, "newsletter"),
            "mail_key": MailKey.objects.get(player=player).pk,
        }

    def printed(self) -> None:
        """Ready, in whatever state the tests of these rooms bring about."""
        now, season = timezone.now(), Season.objects.get(year=self.ids["season.year"])
        ready = {"season": season, "language": "it", "made_at": now}
        brochure = Brochure.objects.create(
            kind="season",
            file="brochure-it",
            pdf=b"%PDF-",
            sha256="0" * 64,
            pages=1,
            published_at=now,
            **ready,
        )
        page = Page.objects.create(brochure=brochure, number=1, png=b"\x89PNG")
        export = Export.objects.create(
            what="rankings", content=b"PK", rows={"rankings/red": 1}, **ready
        )
        self.ids |= {"brochure": brochure.pk, "brochure.page": page.pk, "export": export.pk}

    def session(self, role: str) -> str:
        """Signed in, and the password typed again a moment ago, so that nothing but the role
        decides."""
        user = self.users[role]
        if not isinstance(user, User):
            return ""
        client = Client()
        client.force_login(user)
        session = client.session
        session["account_authentication_methods"] = [
            {"method": "password", "at": time.time(), "reauthenticated": True}
        ]
        session["account_authentication_methods_user"] = str(user.pk)
        session.save()
        UserSession.objects.create(session_key=session.session_key, user=user, ip="127.0.0.1")
        return str(session.session_key)

    def client(self, role: str) -> Client:
        client = Client(raise_request_exception=False)
        client.handler = self.handler
        if self.sessions[role]:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return client
