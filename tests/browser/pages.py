"""Every page of the portal, by who may see it: a new one is one line here. `test_pages.py` finds
the forgotten ones."""

from collections.abc import Callable
from typing import Any, NamedTuple

from big_league import links
from big_league import links as convocations
from big_league.models import Event, Final, OnlineTournament, SignUp
from pergioco.core import jobs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.office.models import Brochure, Campaign, Case, DataRequest, PrizeList
from pergioco.office.newsletter import recipients
from pergioco.office.services import cases as case_links
from pergioco.office.services import undo
from pergioco.players.models import (
    Claim,
    Disqualification,
    EventCode,
    Merge,
    Person,
    PlatformAccount,
    Player,
    Sanction,
)
from pergioco.publishing.models import Erratum, Line, PgrChange, Publication
from pergioco.publishing.queries import archive as queries_archive
from pergioco.publishing.services.statements import sign_statement
from pergioco.stages import table_pages
from pergioco.stages.models import Revision, Stage
from pergioco.stages.services import closing
from pergioco.website import urls as printed_urls
from risiko_master.services import presence


def nothing() -> list[Any]:
    return []


class Page(NamedTuple):
    name: str  # of the address
    arguments: Callable[[], list[Any]] = nothing  # looked up in the demo federation
    query: str = ""


DIRECTOR = "risiko@example.org"
ANYBODY, PLAYER, ORGANIZER, STAFF = (
    "",
    "player@example.org",
    "organizer@example.org",
    "staff@example.org",
)
SECOND_OF_STAFF = "staff2@example.org"


def after_a_check() -> list[Any]:
    sign_statement(["pgr go stage"], differences=0)
    return []


def marta() -> Person:
    return Person.objects.get(user__email=PLAYER)


def hers(platform: str) -> list[int]:
    return [PlatformAccount.objects.get(player=marta().player, platform=platform).pk]


def in_state(state: str) -> list[str]:
    return [
        Person.objects.filter(player__registration__state=state).order_by("pk")[0].player.public_id
    ]


def merge_pair() -> list[str]:
    claim = Claim.objects.get()
    return [claim.player.public_id, claim.target.public_id]


def case_that_is(state: str) -> Case:
    return Case.objects.filter(state=state).order_by("pk")[0]


def own_stage() -> list[Any]:
    return [Stage.objects.filter(organizers__email=ORGANIZER, circuit="pgm")[0].pk]


def leader(kind: str) -> str:
    lines = Line.objects.filter(
        computation__kind=kind, computation__shown__publication__is_current=True
    )
    return lines.filter(computation__season__year=2026, position=1).get().player.public_id


def champion() -> Player:
    """The first of the Red ranking of the year that is over: somebody with a title."""
    return next(queries_archive.archived_years()).champions[0].players[0]


def key_of(player: Player) -> str:
    """As it stands in the address of the page: the id and the name."""
    return player.get_absolute_url().rstrip("/").rpartition("/")[2]


def first_change() -> PgrChange:
    return (
        PgrChange.objects.current().filter(player=marta().player, ended_on__year=2026).in_order()[0]
    )


def stage_that_is(status: str) -> list[Any]:
    stage = (
        Stage.objects.filter(status=status).select_related("season").order_by("-starts_on", "pk")[0]
    )
    return [stage.season.year, stage.slug]


def stage_called_off() -> list[Any]:
    stage = stage_that_is("planned")
    Stage.objects.filter(slug=stage[1]).update(status="cancelled")
    return stage


def after_a_correction() -> list[int]:
    """The one that waits for its second person gets it, and what follows is done."""
    closing.approve_correction(
        Revision.objects.get(state="waiting"), by=User.objects.get(email=SECOND_OF_STAFF)
    )
    while jobs.run_waiting():
        pass
    return [Erratum.objects.latest("pk").pk]


def event_that_is(state: str) -> Event:
    """The one that is furthest ahead."""
    return Event.objects.filter(state=state).order_by("-starts_at")[0]


def event_of_today() -> Event:
    return Event.objects.get(stage__status="open")


def events_with_a_day() -> list[Event]:
    """Held, played today, to come."""
    return list(Event.objects.homologated().order_by("starts_at"))


def homologated() -> list[Any]:
    stage = event_that_is("homologated").stage
    assert stage is not None
    return [stage.slug]


def masters_that_are(status: str) -> list[Any]:
    """The latest first."""
    return [Stage.objects.filter(circuit="rkm", status=status).order_by("-starts_on")[0].slug]


def finalist_of_a_master() -> list[Any]:
    (slug,) = masters_that_are("closed")
    line = (
        Line.objects.filter(computation__kind=f"rkm:{slug}:final", position=1).order_by("pk").last()
    )
    assert line is not None
    return [slug, line.player.public_id]


def master_as_a_stage() -> list[Any]:
    stage = Stage.objects.select_related("season").get(slug=masters_that_are("closed")[0])
    return [stage.season.year, stage.slug]


def champions_stage() -> list[Any]:
    """A national final of BIG."""
    return [2025, "2025-12-final-splendor"]


def master_today() -> list[Any]:
    return masters_that_are("open")


def entry_of_today() -> list[Any]:
    return [*master_today(), Stage.objects.get(slug=master_today()[0]).entries.order_by("pk")[0].pk]


def newsletter(state: str) -> list[int]:
    return [Campaign.objects.get(state=state).pk]


def convened() -> Final:
    return Final.objects.get()


def token_of_called(position: int) -> str:
    """The first has a seat, the third stays away, the fifth has not answered; then reserves."""
    return convocations.convocation_token(
        convened(), convened().called.get(position=position).player
    )


def champion_of_big() -> Player:
    lines = Line.objects.filter(computation__kind="big-event:2025-12-final-splendor", position=1)
    return lines.filter(computation__shown__publication__is_current=True).get().player


def under_way(circuit: str) -> Stage:
    """The first that was made: the one whose tables are played by phone."""
    rows = Stage.objects.filter(circuit=circuit, status="open", revisions__state="draft")
    return rows.select_related("season").order_by("pk")[0]


def table_of(circuit: str, table: int) -> list[str]:
    return [table_pages.make_table_token(under_way(circuit).pk, 1, table)]


def slips_of_the_day() -> list[Any]:
    stage = under_way("big")
    return [stage.season.year, stage.slug, 1]


def with_prizes() -> list[Any]:
    announced = PrizeList.objects.filter(state="announced", ranking__in=RANKINGS).select_related(
        "season"
    )[0]
    return [announced.season.year, announced.ranking]


RANKINGS = ("red", "blue", "green", "race")
PAGES: dict[str, list[Page]] = {
    ANYBODY: [
        Page("home"),
        Page("about"),
        Page("statements", after_a_check),
        Page("privacy"),
        Page("accessibility"),
        Page("style"),
        Page("calendar"),
        Page("calendar", query="?when=past&race=on"),
        Page("calendar", query="?when=season&game=zzz"),
        Page("calendar", query="?circuit=rkm&race=on"),
        Page("calendar-month", lambda: [2026, 10]),
        Page("rankings", lambda: [2026]),
        *(Page("ranking", lambda kind=kind: [2026, kind]) for kind in RANKINGS),
        Page("ranking", lambda: [2026, "red"], query="?q=zz&at=nonsense"),
        Page("ranking", lambda: [2021, "red"]),
        Page("ranking", with_prizes),
        Page("ranking", lambda: [2026, "race"], query="?at=2026-05-01"),
        Page("ranking", lambda: [2026, "green"], query="?screen=1&page=2"),
        Page("games"),
        Page("complaint"),
        Page("complaint", query="?about=/en/rankings/2026/red/"),
        Page("contact"),
        Page("case", lambda: [case_links.make_case_token(case_that_is("received"))]),
        Page("case", lambda: [case_links.make_case_token(case_that_is("answered"))]),
        Page("big-home"),
        Page("big-games"),
        *(
            Page("big-game", lambda slug=slug: [slug])
            for slug in ("carcassonne", "hardcore-games", "catan")
        ),
        Page("ranking", lambda: [2026, "big"]),
        Page("ranking", lambda: [2026, "big"], query="?screen=1"),
        *(Page(f"{kind}-ranking", lambda: [2026, "splendor"]) for kind in ("big-game", "big-elo")),
        *(
            Page(f"{kind}-ranking-embed", lambda: [2026, "splendor"])
            for kind in ("big-game", "big-elo")
        ),
        Page("why", lambda: ["big", 2026, leader("big")]),
        Page("why-big-game", lambda: ["splendor", 2026, leader("big:splendor")]),
        Page("why-big-elo", lambda: ["splendor", 2026, leader("big-elo:splendor")]),
        Page("why-big-event", lambda: ["2025-12-final-splendor", champion_of_big().public_id]),
        Page("player", lambda: [key_of(champion_of_big())]),
        Page("big-calculator"),
        Page("big-calculator", query="?players=5&place=2&sharing=2&mean=1010&own=990"),
        Page("big-prizes-calculator", query="?collected=40"),
        Page("big-prizes", lambda: [OnlineTournament.objects.get().stage.slug]),
        Page("big-finals"),
        Page("big-final", lambda: [convened().stage.slug]),
        *(Page("convocation", lambda at=at: [token_of_called(at)]) for at in (1, 3, 5, 33, 34)),
        Page("big-request"),
        Page("big-request-state", lambda: [links.request_token(event_that_is("sent"))]),
        Page("big-request-state", lambda: [links.request_token(event_that_is("change"))]),
        Page("big-event", homologated),
        Page("big-event-poster", homologated),
        *(Page("big-event", lambda at=at: [events_with_a_day()[at].stage.slug]) for at in (0, 1)),
        Page("big-event", lambda: [events_with_a_day()[0].stage.slug], query="?screen=1"),
        *(Page(name, champions_stage) for name in ("stage", "stage-embed")),
        Page("stage", champions_stage, query="?screen=1"),
        Page("big-event-join", homologated),
        *(
            Page(
                "big-signup", lambda at=at: [links.signup_token(SignUp.objects.order_by("pk")[at])]
            )
            for at in (0, 12)
        ),
        *(Page("table", lambda table=table: table_of("big", table)) for table in (1, 2, 3)),
        Page("table", lambda: table_of("rkm", 4)),
        Page("risiko"),
        *(
            Page("risiko-master", lambda status=status: masters_that_are(status))
            for status in ("open", "closed")
        ),
        Page("risiko-master", lambda: masters_that_are("closed"), query="?screen=1"),
        *(Page(name, master_as_a_stage) for name in ("stage", "stage-embed")),
        Page("risiko-why", finalist_of_a_master),
        *(
            Page("risiko-draw", lambda number=number: [*masters_that_are("open"), number])
            for number in (1, 2, 3)
        ),
        Page("ranking-embed", lambda: [2026, "blue"]),
        Page("game-ranking-embed", lambda: [2026, first_change().game.slug]),
        Page("game-ranking", lambda: [2026, first_change().game.slug]),
        *(Page("why", lambda kind=kind: [kind, 2026, leader(kind)]) for kind in RANKINGS),
        Page("why-game", lambda: [first_change().game.slug, 2026, first_change().player.public_id]),
        Page("why-change", lambda: [first_change().stage.slug, first_change().player.public_id]),
        Page("stage", lambda: [2026, first_change().stage.slug]),
        Page("stage", lambda: [2026, first_change().stage.slug], query="?find=marta"),
        Page("stage", lambda: [2026, first_change().stage.slug], query="?screen=1"),
        *(
            Page("stage", lambda status=status: stage_that_is(status))
            for status in ("planned", "open", "corrected")
        ),
        Page("stage", stage_called_off),
        Page("stage-round", lambda: [*stage_that_is("corrected"), 1]),
        Page("stage-round", lambda: [*stage_that_is("corrected"), 1], query="?screen=1&by=name"),
        Page("stage-embed", lambda: [2026, first_change().stage.slug]),
        Page("newsletters"),
        Page("newsletter", lambda: newsletter("sent")),
        Page(
            "unsubscribe",
            lambda: [recipients.make_unsubscribe_token(marta().player, "newsletter", "results")],
        ),
        Page("errata"),
        Page("erratum", after_a_correction),
        Page("archive"),
        Page("season-archive", lambda: [2025]),
        Page("season-archive", lambda: [2026]),
        Page("players"),
        Page("players", query="?q=mrata+rosi"),
        Page("player", lambda: [key_of(marta().player)]),
        Page("player", lambda: [key_of(champion())]),
        Page("player-what-if", lambda: [marta().player.public_id]),
        Page("player-what-if", lambda: [leader("race")], query="?game=abalone"),
        Page("compare-pick"),
        Page("compare", lambda: [marta().player.public_id, leader("red")]),
        Page("rules"),
        Page("rules-pgm"),
        Page("readings", lambda: [2026]),
        Page("register"),
        Page("account_login"),
        Page("account_reset_password"),
        Page("account_reset_password_done"),
        Page("account_reset_password_from_key_done"),
        Page("account_reset_password_from_key", lambda: ["0", "no-longer-good"]),
        Page("account_confirm_email", lambda: ["no-longer-good"]),
        Page("account_email_verification_sent"),
        Page("account_inactive"),
        Page("my-deletion-done"),
    ],
    PLAYER: [
        Page("me"),
        Page("my-data"),
        Page("my-accounts"),
        Page("my-account-rename", lambda: hers("playstrategy")),
        Page("my-account-remove", lambda: hers("bga")),
        Page("my-account-proof", lambda: hers("abstractplay")),
        Page("my-consents"),
        Page("my-notices"),
        Page("follow-player", lambda: [leader("red")]),
        Page("follow-game", lambda: ["amazons"]),
        Page("my-history"),
        Page("what-if"),
        Page("what-if", query="?game=abalone&opponent_1=1000&result_1=2"),
        Page("what-if", query="?game=abalone&opponent_1=Zoe&result_1=2&result_2=0"),
        Page("my-export"),
        Page("my-deletion"),
        Page("is-this-you"),
        Page("two-factors-needed"),
        Page("account_email"),
        Page("account_change_password"),
        Page("account_logout"),
        Page("account_reauthenticate"),
        Page("mfa_index"),
        Page("mfa_activate_totp"),
        Page("mfa_list_webauthn"),
        Page("mfa_add_webauthn"),
        Page("usersessions_list"),
    ],
    ORGANIZER: [
        Page("desk"),
        Page("desk-stages"),
        Page("desk-stage", own_stage),
        Page("desk-entries", own_stage),
        Page("desk-entries", own_stage, query="?q=ros"),
        Page("desk-rounds", own_stage),
        Page("desk-rounds-next", own_stage),
        Page("desk-rounds-paper", own_stage),
        Page("desk-correct", own_stage),
        Page("desk-revisions", own_stage),
        *(Page(f"import-{way}", own_stage) for way in ("paste", "platform", "file")),
        Page("desk-event-codes"),
        Page("mfa_deactivate_totp"),
        Page("mfa_generate_recovery_codes"),
        Page("mfa_reauthenticate"),
    ],
    DIRECTOR: [
        Page("desk-masters"),
        Page("risiko-control", master_today),
        Page("risiko-control", master_today, query="?screen=1"),
        Page("risiko-entries", master_today, query="?q=zz"),
        Page("risiko-entry", entry_of_today),
        *(
            Page("risiko-drawing", lambda number=number: [*master_today(), number])
            for number in (1, 2)
        ),
        Page("risiko-scores", lambda: [*master_today(), 1, 1]),
        Page("risiko-order", master_today),
        Page("risiko-renounce", master_today),
        Page("risiko-wall", master_today),
        Page("risiko-close", master_today),
        Page("risiko-correct", lambda: masters_that_are("closed")),
        Page(
            "risiko-here",
            lambda: [presence.presence_token(Stage.objects.get(slug=master_today()[0]))],
        ),
    ],
    STAFF: [
        Page("table-slips", slips_of_the_day),
        Page("desk"),
        Page("desk-registrations"),
        Page("desk-registration", lambda: in_state("new")),
        Page("desk-registration", lambda: in_state("correct")),
        Page("desk-people"),
        Page("desk-people", query="?q=zz"),
        Page("desk-person", lambda: in_state("verified")),
        Page("desk-clubs", lambda: in_state("verified")),
        Page("desk-disqualify", lambda: in_state("verified")),
        Page("desk-sanction", lambda: in_state("verified")),
        Page("desk-disqualifications"),
        Page("desk-disqualification", lambda: [Disqualification.objects.get().pk]),
        Page("desk-sanction-end", lambda: [Sanction.objects.get().pk]),
        Page("desk-merge", merge_pair),
        Page("desk-merges"),
        Page("desk-merge-undo", lambda: [Merge.objects.get().pk]),
        Page("desk-claims"),
        Page("desk-claim", lambda: [Claim.objects.get().pk]),
        Page("desk-accounts"),
        Page("desk-account", lambda: hers("abstractplay")),
        Page("desk-account-rename", lambda: hers("bga")),
        Page("desk-account-remove", lambda: hers("bga")),
        Page("desk-roles"),
        Page("desk-event-codes"),
        Page("desk-event-code", lambda: [EventCode.objects.get().pk]),
        Page("desk-publications"),
        Page("desk-publication", lambda: [Publication.objects.order_by("pk")[0].pk]),
        Page("desk-withdraw", own_stage),
        Page("desk-year-end", lambda: [2025]),
        Page("desk-year-end", lambda: [2026]),
        Page("desk-purge", lambda: [2026]),
        Page("desk-newsletters"),
        *(
            Page("desk-newsletter", lambda state=state: newsletter(state))
            for state in ("sent", "held", "draft")
        ),
        Page("desk-bounces"),
        Page("desk-audit"),
        Page(
            "desk-undo",
            lambda: [AuditEntry.objects.filter(action__in=undo.ACTS, role="staff").latest("pk").pk],
        ),
        Page("desk-cases"),
        Page("desk-case", lambda: [case_that_is("received").pk]),
        Page("desk-case", lambda: [case_that_is("answered").pk]),
        Page("desk-privacy"),
        *(
            Page("desk-privacy-one", lambda kind=kind: [DataRequest.objects.get(kind=kind).pk])
            for kind in ("access", "erasure")
        ),
        Page("desk-privacy-note", lambda: in_state("verified")),
        Page("desk-prizes"),
        Page(
            "desk-prizes-one",
            lambda: [PrizeList.objects.filter(state="announced")[0].season.year, "red"],
        ),
        Page("desk-big-events"),
        *(
            Page("desk-big-event", lambda state=state: [event_that_is(state).pk])
            for state in ("sent", "change", "homologated")
        ),
        *(
            Page("desk-big-check-in", lambda at=at: [events_with_a_day()[at].pk])
            for at in (0, 1, 2)
        ),
        Page("desk-big-walk-in", lambda: [event_of_today().pk]),
        Page("desk-big-attendance", lambda: [event_of_today().pk]),
        *(Page("desk-big-day", lambda at=at: [events_with_a_day()[at].pk]) for at in (0, 1, 2)),
        Page("desk-big-draw", lambda: [event_of_today().pk]),
        Page("desk-big-draw", lambda: [event_of_today().pk], query="?size=4&final=on&qualified=4"),
        Page("desk-big-swap", lambda: [event_of_today().pk]),
        Page("desk-big-sheets", lambda: [event_of_today().pk, 1]),
        Page("desk-big-badges", lambda: [event_of_today().pk]),
        Page("desk-big-wall", lambda: [event_of_today().pk, 1]),
        Page("desk-big-table", lambda: [event_of_today().pk, 1, 1]),
        Page("desk-big-table", lambda: [event_of_today().pk, 2, 3]),
        *(Page("desk-big-close", lambda at=at: [events_with_a_day()[at].pk]) for at in (0, 1)),
        Page("desk-big-correct", lambda: [events_with_a_day()[0].pk]),
        Page("desk-stages"),
        Page("staff-brochures"),
        Page("staff-brochure", lambda: [Brochure.objects.get().pk]),
        Page("staff-exports"),
        Page("desk-finals"),
        Page("desk-final-new"),
        Page("desk-final", lambda: [convened().pk]),
        Page("desk-final-badges", lambda: [convened().pk]),
        Page("desk-final-seats", lambda: [convened().pk]),
        Page("desk-final-edit", lambda: [convened().pk]),
        Page("desk-final-mail", lambda: [convened().pk]),
        Page("desk-big-online", lambda: [OnlineTournament.objects.get().stage_id]),
    ],
}

# Reached only on the way through a flow: visited, and looked at in the same way, by the test named
# here.
ON_THE_WAY = {
    "desk-entry": "test_grid.py",
    "desk-rounds-swap": "test_grid.py",
    "desk-verify": "test_grid.py",
    "desk-close": "test_grid.py",
    "desk-revision": "test_grid.py",
    "desk-revision-decide": "test_grid.py",
    "look-at-your-mail": "test_registration.py",
    "mfa_authenticate": "test_signing_in.py",
    "mfa_view_recovery_codes": "test_signing_in.py",
    "mfa_edit_webauthn": "test_passkeys.py",
    "mfa_remove_webauthn": "test_passkeys.py",
    "import-preview": "test_imports.py",
    "import-fetch": "test_imports.py",
    "mfa_reauthenticate_webauthn": "test_passkeys.py",
}
# Addresses that answer no GET with a page of their own, and why.
API = [
    "seasons",
    "games",
    "stages",
    "stage",
    "rankings",
    "ranking",
    "game-ranking",
    "players",
    "player",
    "history",
    "schema",
]
NOT_A_PAGE = {
    **dict.fromkeys((f"api-{name}" for name in API), "for programs"),
    "api-docs": "a viewer that others made",
    "healthz": "for machines",
    "readyz": "for machines",
    "statement-latest": "for machines",
    "statement-json": "a file",
    "statement-sig": "a file",
    "statement-pem": "a file",
    **dict.fromkeys(
        ("desk-big-seed", "desk-big-remove", "desk-big-leave", "desk-final-day"), "takes only POST"
    ),
    "metrics": "for machines",
    "security": "for machines",
    "theme": "takes only POST",
    "icon": "a picture",
    "robots": "for machines",
    "sitemap": "for machines",
    "sitemap-section": "for machines",
    **dict.fromkeys(
        (f"printed-{address.removesuffix('.html')}" for address in printed_urls.PRINTED_ADDRESSES),
        "an address printed in the regulations: it leads to the page of today",
    ),
    "calendar-file": "a calendar for calendar apps",
    "calendar-mine": "a calendar for calendar apps",
    "calendar-stage": "a calendar for calendar apps",
    "feed-results": "a feed",
    "feed-rankings": "a feed",
    "feed-game": "a feed",
    "feed-player": "a feed",
    "my-calendar": "takes only POST",
    "my-calendar-end": "takes only POST",
    "frozen-document": "a text file",
    "season-bundle": "a file with tables",
    "player-file": "a table",
    "risiko-standings": "a table",
    "risiko-clock": "for the script of the clock",
    "risiko-doors": "takes only POST",
    "risiko-press": "takes only POST",
    "risiko-finals": "takes only POST",
    "risiko-draw-again": "takes only POST",
    "risiko-draw-document": "a document for programs",
    "risiko-draw-script": "a script to run at home",
    "player-image": "a picture",
    "desk-rounds-seed": "takes only POST",
    "desk-rounds-remove": "takes only POST",
    "desk-results-cell": "takes only POST",
    "desk-results-round": "takes only POST",
    "desk-results-undo": "takes only POST",
    "desk-results-redo": "takes only POST",
    "desk-results-back": "takes only POST",
    "desk-correct-drop": "takes only POST",
    "my-language": "takes only POST",
    "my-notice-end": "takes only POST",
    "desk-newsletter-stop": "takes only POST",
    "desk-newsletter-reopen": "takes only POST",
    "my-membership": "takes only POST",
    "my-consent": "takes only POST",
    "my-account-code": "takes only POST",
    "my-account-check": "takes only POST",
    "import-template-xlsx": "a workbook",
    "stage-sheet": "a workbook",
    "race-sheet": "a workbook",
    "import-template-csv": "a table",
    "rankings-latest": "leads to the rankings of the latest season",
    "ranking-file": "a table",
    **{f"{kind}-ranking-file": "a table" for kind in ("big-game", "big-elo")},
    **{f"{kind}-ranking-image": "a picture" for kind in ("big-game", "big-elo")},
    **{
        f"{kind}-ranking-latest": "leads to the ranking of the latest season"
        for kind in ("big-game", "big-elo")
    },
    **{f"api-{kind}-ranking": "for programs" for kind in ("big-game", "big-elo")},
    "big-ranking-latest": "leads to the ranking of the latest season",
    "big-final-ask": "takes only POST",
    "desk-final-answer": "takes only POST",
    "desk-final-grant": "takes only POST",
    "desk-final-close": "takes only POST",
    "ranking-image": "a picture",
    "game-ranking-image": "a picture",
    "game-ranking-latest": "leads to the ranking of the latest season",
    "stage-standings": "a table",
    "stage-poster": "a PDF",
    "certificate": "a PDF",
    "brochure": "a PDF",
    "staff-brochure-page": "a picture",
    "staff-export-file": "takes only POST",
    "staff-export-throw-away": "takes only POST",
    "stage-games": "a table",
    "stage-trf": "a text file",
    "stage-image": "a picture",
    "game-ranking-file": "a table",
    "import-fetch-again": "takes only POST",
    "import-read-again": "takes only POST",
    "import-take-back": "takes only POST",
    "mfa_download_recovery_codes": "a text file",
    "mfa_login_webauthn": "data for the script of the passkeys",
    "account_signup": "leads to the registration page",
    "account_set_password": "leads to “account_change_password”: every login has a password",
    "account_confirm_login_code": "codes by mail instead of a password are switched off",
}
