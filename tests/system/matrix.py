"""Who gets what: one row for each address of the portal. An address without a row fails, a row
without an address too.

    "/staff/claims/<int:number>/": Row(STAFF, "GET POST", args=("claim",))

reads: staff open it and send its form; the number is that of the row called “claim” in `world.py`;
any other number answers 404. `owners` are those to whom that row belongs: for the others who may
enter it does not exist either. A role that may not enter is sent to the login, to its second
factor, or is told that the page is not its own (403). Addresses that begin with “/” carry a
language in front."""

from dataclasses import dataclass

from tests.system.world import ROLES

EVERYONE = frozenset(ROLES)
SIGNED_IN = EVERYONE - {"anonymous"}
STAFF = frozenset({"staff", "superuser"})
ORGANIZERS = frozenset({"organizer", "other_organizer"})
STAGES = ORGANIZERS | STAFF
DESK = STAGES | {"big_organizer", "risiko_director"}
ADMIN = STAGES
PLAYERS = frozenset({"player", "other_player"})
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Row:
    who: frozenset[str]
    methods: str = "GET"
    args: tuple[str, ...] = ()
    owners: frozenset[str] | None = None
    status: int | None = None  # what those who may enter get, whatever they ask
    steps: bool = False  # a step of signing in: without the step before it leads back to the login
    path: str = (
        ""  # an address that fits, where the pattern is a regular expression; {row} as in `args`
    )
    nothing_sent: str = "answered"  # what an empty form gets
    readers: frozenset[str] = NOBODY  # who may look at it, and change nothing


FORM = "GET POST"
MACHINES = {
    "healthz": Row(EVERYONE),
    "readyz": Row(EVERYONE),
    "metrics": Row(EVERYONE, status=404),  # without its token
    ".well-known/security.txt": Row(EVERYONE),
    "theme/": Row(EVERYONE, "POST"),
    "favicon.ico": Row(EVERYONE),
    "about/numbers.json": Row(EVERYONE),
    "about/numbers/<int:number>.json": Row(EVERYONE, args=("statement",)),
    "about/numbers/<int:number>.sig": Row(EVERYONE, args=("statement",)),
    "about/numbers/<int:number>.pem": Row(EVERYONE, args=("statement",)),
    "robots.txt": Row(EVERYONE),
    "sitemap.xml": Row(EVERYONE),
    "sitemap-<slug:section>.xml": Row(EVERYONE, args=("pages",)),
    "pgmasters.html": Row(EVERYONE),
    "pgm-registration.html": Row(EVERYONE),
    "pgm-schedule.html": Row(EVERYONE),
    "pgm-complaints.html": Row(EVERYONE),
    "pgm-contacts.html": Row(EVERYONE),
    "privacy.html": Row(EVERYONE),
}
API = {
    "api/v1/seasons/": Row(EVERYONE),
    "api/v1/games/": Row(EVERYONE),
    "api/v1/stages/": Row(EVERYONE),
    "api/v1/stages/<slug:slug>/": Row(EVERYONE, args=("organizer.stage.slug",)),
    "api/v1/rankings/<int:year>/": Row(EVERYONE, args=("season.year",)),
    "api/v1/rankings/<int:year>/<slug:kind>/": Row(EVERYONE, args=("season.year", "red")),
    "api/v1/rankings/<int:year>/games/<slug:game>/": Row(EVERYONE, args=("season.year", "abalone")),
    "api/v1/rankings/<int:year>/big/<slug:game>/": Row(EVERYONE, args=("season.year", "catan")),
    "api/v1/rankings/<int:year>/big-elo/<slug:game>/": Row(EVERYONE, args=("season.year", "catan")),
    "api/v1/players/": Row(EVERYONE),
    "api/v1/players/<slug:public_id>/": Row(EVERYONE, args=("player.public_id",)),
    "api/v1/players/<slug:public_id>/pgr/": Row(EVERYONE, args=("player.public_id",)),
    "api/schema/": Row(EVERYONE),
    "api/docs/": Row(EVERYONE),
}
CLOSED_STAGE = ("season.year", "closed.stage.slug")
DRAW = ("master.slug", "1")
PUBLIC = {
    "/": Row(EVERYONE),
    "/about/": Row(EVERYONE),
    "/about/numbers/": Row(EVERYONE),
    "/about/privacy/": Row(EVERYONE),
    "/about/accessibility/": Row(EVERYONE),
    "/about/style/": Row(EVERYONE),
    "/newsletter/": Row(EVERYONE),
    "/newsletter/<int:number>/": Row(EVERYONE, args=("campaign",)),
    "/unsubscribe/<str:token>/": Row(EVERYONE, FORM, args=("mail.token",)),
    "/stages/<int:year>/<slug:slug>/": Row(EVERYONE, args=CLOSED_STAGE),
    "/stages/<int:year>/<slug:slug>/round/<int:number>/": Row(EVERYONE, args=(*CLOSED_STAGE, "1")),
    "/stages/<int:year>/<slug:slug>/standings.<ending:ending>": Row(
        EVERYONE, args=(*CLOSED_STAGE, "csv")
    ),
    "/stages/<int:year>/<slug:slug>/games.<ending:ending>": Row(
        EVERYONE, args=(*CLOSED_STAGE, "xlsx")
    ),
    "/stages/<int:year>/<slug:slug>/games.trf": Row(EVERYONE, args=CLOSED_STAGE),
    "/risiko/": Row(EVERYONE),
    "/risiko/<slug:slug>/": Row(EVERYONE, args=("master.slug",)),
    "/risiko/<slug:slug>/clock.json": Row(EVERYONE, args=("master.slug",)),
    "/risiko/<slug:slug>/why/<str:public_id>/": Row(
        EVERYONE, args=("master.slug", "master.player"), status=404
    ),
    "/risiko/<slug:slug>/<slug:what>.<ending:ending>": Row(
        EVERYONE, args=("master.slug", "final", "csv"), status=404
    ),
    "/risiko/<slug:slug>/draw/<int:number>/": Row(EVERYONE, args=DRAW),
    "/risiko/<slug:slug>/draw/<int:number>/again/": Row(EVERYONE, "POST", args=DRAW),
    "/risiko/<slug:slug>/draw/<int:number>/draw.json": Row(EVERYONE, args=DRAW),
    "/risiko/<slug:slug>/draw/<int:number>/draw.py": Row(EVERYONE, args=DRAW),
    "/embed/stages/<int:year>/<slug:slug>/": Row(EVERYONE, args=CLOSED_STAGE),
    "/share/stages/<int:year>/<slug:slug>.png": Row(EVERYONE, args=CLOSED_STAGE),
    "/stages/<slug:slug>/pgr.xlsx": Row(
        EVERYONE, args=("organizer.stage.slug",), status=404
    ),  # not closed yet
    "/why/race/<int:year>/<str:public_id>/race.xlsx": Row(
        EVERYONE, args=("season.year", "player.public_id")
    ),
    "/stages/<int:year>/<slug:slug>/poster.pdf": Row(EVERYONE, args=CLOSED_STAGE),
    "/brochures/<int:number>.pdf": Row(EVERYONE, args=("brochure",)),
    "/rankings/": Row(EVERYONE),
    "/rankings/<int:year>/": Row(EVERYONE, args=("season.year",)),
    "/rankings/<int:year>/<slug:kind>/": Row(EVERYONE, args=("season.year", "red")),
    "/rankings/<int:year>/<slug:kind>.<ending:ending>": Row(
        EVERYONE, args=("season.year", "blue", "csv")
    ),
    "/rankings/<int:year>/games/<slug:slug>/": Row(EVERYONE, args=("season.year", "abalone")),
    "/rankings/<int:year>/games/<slug:slug>.<ending:ending>": Row(
        EVERYONE, args=("season.year", "abalone", "xlsx")
    ),
    "/embed/rankings/<int:year>/<slug:kind>/": Row(EVERYONE, args=("season.year", "red")),
    "/embed/rankings/<int:year>/games/<slug:slug>/": Row(EVERYONE, args=("season.year", "abalone")),
    "/share/rankings/<int:year>/<slug:kind>.png": Row(EVERYONE, args=("season.year", "red")),
    "/share/rankings/<int:year>/games/<slug:slug>.png": Row(
        EVERYONE, args=("season.year", "abalone")
    ),
    **{
        address: Row(EVERYONE, args=("season.year", "catan", *more))
        for kind in ("big", "big-elo")
        for address, more in (
            (f"/rankings/<int:year>/{kind}/<slug:slug>/", ()),
            (f"/rankings/<int:year>/{kind}/<slug:slug>.<ending:ending>", ("csv",)),
            (f"/embed/rankings/<int:year>/{kind}/<slug:slug>/", ()),
            (f"/share/rankings/<int:year>/{kind}/<slug:slug>.png", ()),
        )
    },
    "/big/": Row(EVERYONE),
    "/big/rankings/": Row(EVERYONE),
    "/big/rankings/<slug:slug>/": Row(EVERYONE, args=("catan",)),
    "/big/elo/<slug:slug>/": Row(EVERYONE, args=("catan",)),
    "/big/calculator/": Row(EVERYONE),
    "/big/prizes/": Row(EVERYONE),
    "/big/prizes/<slug:slug>/": Row(EVERYONE, args=("online.slug",)),
    "/big/finals/": Row(EVERYONE),
    "/big/finals/<slug:slug>/": Row(EVERYONE, args=("final.slug",)),
    "/big/finals/<slug:slug>/ask/": Row(SIGNED_IN, "POST", args=("final.slug",)),
    "/f/<str:token>/": Row(EVERYONE, FORM, args=("final.token",)),
    "/why/big/event/<slug:slug>/<str:public_id>/": Row(
        EVERYONE, args=("world-big", "player.public_id")
    ),
    "/why/big/points/<slug:slug>/<int:year>/<str:public_id>/": Row(
        EVERYONE, args=("catan", "season.year", "player.public_id")
    ),
    "/why/big/elo/<slug:slug>/<int:year>/<str:public_id>/": Row(
        EVERYONE, args=("catan", "season.year", "player.public_id")
    ),
    "/games/": Row(EVERYONE),
    "/games/<slug:slug>/ranking/": Row(EVERYONE, args=("abalone",)),
    "/complaints/": Row(EVERYONE, FORM),
    "/contact/": Row(EVERYONE, FORM),
    "/cases/<str:token>/": Row(EVERYONE, args=("case.token",)),
    "/big/games/": Row(EVERYONE),
    "/big/games/<slug:slug>/": Row(EVERYONE, args=("big_sheet.slug",)),
    "/big/request/": Row(EVERYONE, FORM),
    "/big/request/<str:token>/": Row(EVERYONE, FORM, args=("big_event.token",)),
    "/big/events/<slug:slug>/": Row(EVERYONE, args=("big_event.slug",)),
    "/big/events/<slug:slug>/join/": Row(EVERYONE, FORM, args=("big_event.slug",)),
    "/big/signup/<str:token>/": Row(
        EVERYONE, FORM, args=("big_signup.token",), nothing_sent="answered"
    ),
    "/big/events/<slug:slug>/poster/": Row(EVERYONE, args=("big_event.slug",)),
    "/t/<str:token>/": Row(EVERYONE, FORM, args=("table.token",)),
    "/why/<slug:kind>/<int:year>/<str:public_id>/": Row(
        EVERYONE, args=("green", "season.year", "player.public_id")
    ),
    "/why/game/<slug:slug>/<int:year>/<str:public_id>/": Row(
        EVERYONE, args=("abalone", "season.year", "player.public_id")
    ),
    "/why/stage/<slug:slug>/<str:public_id>/": Row(
        EVERYONE, args=("closed.stage.slug", "player.public_id")
    ),
    "/calendar/": Row(EVERYONE),
    "/calendar/<int:year>/<int:month>/": Row(EVERYONE, args=("season.year", "3")),
    "/calendar/stages.ics": Row(EVERYONE),
    "/calendar/mine/<str:token>.ics": Row(EVERYONE, args=("calendar.token",)),
    "/calendar/<int:year>/<slug:slug>.ics": Row(
        EVERYONE, args=("season.year", "organizer.stage.slug")
    ),
    "/feeds/results.atom": Row(EVERYONE),
    "/feeds/rankings.atom": Row(EVERYONE),
    "/feeds/games/<slug:slug>.atom": Row(EVERYONE, args=("abalone",)),
    "/feeds/players/<slug:public_id>.atom": Row(EVERYONE, args=("player.public_id",)),
    "/errata/": Row(EVERYONE),
    "/errata/<int:number>/": Row(EVERYONE, args=("erratum",)),
    "/archive/": Row(EVERYONE),
    "/archive/<int:year>/": Row(EVERYONE, args=("season.year",)),
    "/archive/<int:year>/rankings.txt": Row(
        EVERYONE, args=("season.year",), status=404
    ),  # not final yet
    "/archive/<int:year>/season.zip": Row(
        EVERYONE, args=("season.year",), status=404
    ),  # not final yet
    "/archive/<int:year>/certificates/<str:kind>/<str:public_id>.pdf": Row(
        EVERYONE, args=("season.year", "red", "player.public_id"), status=404
    ),  # not final yet
    "/players/": Row(EVERYONE),
    "/players/<slug:key>/": Row(EVERYONE, args=("player.public_id",)),
    "/players/<slug:key>/ratings.<ending:ending>": Row(EVERYONE, args=("player.public_id", "csv")),
    "/players/<slug:key>/what-if/": Row(EVERYONE, args=("player.public_id",)),
    "/share/players/<slug:key>.png": Row(EVERYONE, args=("player.public_id",)),
    "/compare/": Row(EVERYONE),
    "/compare/<slug:one>/<slug:other>/": Row(
        EVERYONE, args=("player.public_id", "other_player.public_id")
    ),
    "/rules/": Row(EVERYONE),
    "/rules/pgm/": Row(EVERYONE),
    "/rules/readings/<int:year>/": Row(EVERYONE, args=("season.year",)),
}
MY_ACCOUNT = {
    "/register/": Row(EVERYONE, FORM),
    "/register/look-at-your-mail/": Row(EVERYONE, steps=True),
    "/register/is-this-you/": Row(SIGNED_IN, FORM, owners=PLAYERS, nothing_sent="404"),
    "/me/": Row(SIGNED_IN),
    "/me/membership/": Row(SIGNED_IN, "POST", owners=PLAYERS),
    "/me/language/": Row(SIGNED_IN, "POST"),
    "/me/calendar/": Row(SIGNED_IN, "POST", owners=PLAYERS),
    "/me/calendar/end/": Row(SIGNED_IN, "POST", owners=PLAYERS),
    "/me/data/": Row(SIGNED_IN, FORM),
    "/me/consents/": Row(SIGNED_IN),
    "/me/consents/<slug:kind>/": Row(SIGNED_IN, "POST", args=("newsletter",), owners=PLAYERS),
    "/me/notices/": Row(SIGNED_IN, FORM),
    "/me/notices/<int:number>/end/": Row(
        SIGNED_IN, "POST", args=("subscription",), owners=frozenset({"player"})
    ),
    "/me/follow/players/<slug:public_id>/": Row(SIGNED_IN, FORM, args=("other_player.public_id",)),
    "/me/follow/games/<slug:slug>/": Row(SIGNED_IN, FORM, args=("big_sheet.slug",)),
    "/me/history/": Row(SIGNED_IN),
    "/me/what-if/": Row(SIGNED_IN),
    "/me/export/": Row(SIGNED_IN, FORM),
    "/me/delete/": Row(SIGNED_IN, FORM),
    "/me/deleted/": Row(EVERYONE),
    "/me/devices/": Row(SIGNED_IN, FORM),
    "/me/two-factors/": Row(SIGNED_IN, FORM),
    "/me/accounts/": Row(SIGNED_IN, FORM),
    "/me/accounts/<int:number>/rename/": Row(
        SIGNED_IN, FORM, args=("account",), owners=frozenset({"player"})
    ),
    "/me/accounts/<int:number>/remove/": Row(
        SIGNED_IN, FORM, args=("account",), owners=frozenset({"player"})
    ),
    "/me/accounts/<int:number>/proof/": Row(
        SIGNED_IN, args=("account",), owners=frozenset({"player"})
    ),
    "/me/accounts/<int:number>/code/": Row(
        SIGNED_IN, "POST", args=("account",), owners=frozenset({"player"})
    ),
    "/me/accounts/<int:number>/check/": Row(
        SIGNED_IN, "POST", args=("account",), owners=frozenset({"player"})
    ),
}
STAFF_PAGES = {
    "/staff/": Row(DESK),
    "/staff/registrations/": Row(STAFF),
    "/staff/registrations/<str:public_id>/": Row(STAFF, FORM, args=("player.public_id",)),
    "/staff/people/": Row(STAFF),
    "/staff/people/<str:public_id>/": Row(STAFF, args=("player.public_id",)),
    "/staff/people/<str:public_id>/clubs/": Row(STAFF, FORM, args=("player.public_id",)),
    "/staff/people/<str:public_id>/disqualify/": Row(STAFF, FORM, args=("player.public_id",)),
    "/staff/people/<str:public_id>/sanction/": Row(STAFF, FORM, args=("player.public_id",)),
    "/staff/people/<str:kept>/merge/<str:absorbed>/": Row(
        STAFF, FORM, args=("player.public_id", "other_player.public_id")
    ),
    "/staff/merges/": Row(STAFF),
    "/staff/merges/<int:number>/undo/": Row(STAFF, FORM, args=("merge",)),
    "/staff/claims/": Row(STAFF),
    "/staff/claims/<int:number>/": Row(STAFF, FORM, args=("claim",)),
    "/staff/accounts/": Row(STAFF),
    "/staff/accounts/<int:number>/": Row(STAFF, FORM, args=("account",)),
    "/staff/accounts/<int:number>/rename/": Row(STAFF, FORM, args=("account",)),
    "/staff/accounts/<int:number>/remove/": Row(STAFF, FORM, args=("account",)),
    "/staff/disqualifications/": Row(STAFF),
    "/staff/disqualifications/<int:number>/": Row(STAFF, FORM, args=("decision",)),
    "/staff/sanctions/<int:number>/end/": Row(STAFF, FORM, args=("sanction",)),
    "/staff/publications/": Row(STAFF),
    "/staff/publications/<int:number>/": Row(STAFF, args=("publication",)),
    "/staff/brochures/": Row(STAFF, FORM),
    "/staff/brochures/<int:number>/": Row(STAFF, FORM, args=("brochure",)),
    "/staff/brochures/<int:number>/<int:page>.png": Row(STAFF, args=("brochure", "1")),
    "/staff/exports/": Row(STAFF, FORM),
    "/staff/exports/<int:number>/file/": Row(STAFF, "POST", args=("export",)),
    "/staff/exports/<int:number>/throw-away/": Row(STAFF, "POST", args=("export",)),
    "/staff/roles/": Row(STAFF, FORM),
    "/staff/audit/": Row(STAFF),
    "/staff/audit/<int:number>/undo/": Row(STAFF, FORM, args=("cancelled",)),
    "/staff/event-codes/": Row(STAGES, FORM),
    "/staff/hall/": Row(STAGES | {"big_organizer", "risiko_director"}, FORM),
    "/staff/event-codes/<int:number>/": Row(
        STAGES, FORM, args=("organizer.code",), owners=STAFF | {"organizer"}
    ),
    "/staff/cases/": Row(STAFF | {"big_organizer", "risiko_director"}),
    "/staff/cases/<int:number>/": Row(
        STAFF | {"big_organizer", "risiko_director"}, FORM, args=("case",), owners=STAFF
    ),
    "/staff/privacy/": Row(STAFF),
    "/staff/privacy/<int:number>/": Row(STAFF, FORM, args=("data_request",)),
    "/staff/people/<str:public_id>/privacy/": Row(STAFF, FORM, args=("player.public_id",)),
    "/staff/prizes/": Row(STAFF),
    "/staff/prizes/<int:year>/<slug:kind>/": Row(STAFF, FORM, args=("season.year", "prizes.kind")),
    "/staff/big/": Row(STAFF | {"big_organizer"}),
    "/staff/big/<int:number>/": Row(STAFF | {"big_organizer"}, FORM, args=("big_event",)),
    "/staff/newsletter/": Row(STAFF, FORM),
    "/staff/newsletter/came-back/": Row(STAFF, FORM),
    "/staff/newsletter/<int:number>/": Row(STAFF, FORM, args=("campaign",)),
    "/staff/newsletter/<int:number>/stop/": Row(STAFF, "POST", args=("campaign",)),
    "/staff/newsletter/<int:number>/reopen/": Row(STAFF, "POST", args=("campaign",)),
    "/staff/big/online/<int:number>/": Row(STAFF, FORM, args=("online.stage",)),
    "/staff/finals/": Row(STAFF),
    "/staff/finals/new/": Row(STAFF, FORM),
    "/staff/finals/<int:number>/": Row(STAFF, args=("final",)),
    "/staff/finals/<int:number>/badges/": Row(STAFF, args=("final",)),
    "/staff/finals/<int:number>/seats/": Row(STAFF, args=("final",)),
    "/staff/finals/<int:number>/day/": Row(STAFF, "POST", args=("final",)),
    "/staff/finals/<int:number>/edit/": Row(STAFF, FORM, args=("final",)),
    "/staff/finals/<int:number>/mail/": Row(STAFF, FORM, args=("final",)),
    "/staff/finals/<int:number>/answer/": Row(STAFF, "POST", args=("final",)),
    "/staff/finals/<int:number>/grant/": Row(STAFF, "POST", args=("final",)),
    "/staff/finals/<int:number>/close/": Row(STAFF, "POST", args=("final",)),
    "/staff/year-end/<int:year>/": Row(STAFF, FORM, args=("season.year",)),
    "/staff/purge/<int:year>/": Row(STAFF, FORM, args=("season.next_year",)),
    "/staff/stages/": Row(STAGES),
    "/staff/stages/<int:number>/": Row(
        STAGES, args=("organizer.stage",), owners=STAFF | {"organizer"}
    ),
}
STAGE = {"args": ("organizer.stage",), "owners": STAFF | {"organizer"}}
BIG = STAFF | {"big_organizer"}
BIG_DAY = {
    "/staff/big/<int:number>/check-in/": Row(BIG, FORM, args=("big_event",)),
    "/staff/big/<int:number>/check-in/walk-in/": Row(BIG, FORM, args=("big_event",)),
    "/staff/big/<int:number>/check-in/sheet/": Row(BIG, args=("big_event",)),
    "/staff/big/<int:number>/check-in/<int:signup>/leave/": Row(
        BIG, "POST", args=("big_event", "big_present")
    ),
    "/staff/big/<int:number>/badges/": Row(BIG, args=("big_event",)),
    "/staff/big/<int:number>/rounds/<int:round_>/sheets/": Row(BIG, args=("big_event", "1")),
    "/staff/big/<int:number>/day/": Row(BIG, args=("big_event",)),
    "/staff/big/<int:number>/seed/": Row(BIG, "POST", args=("big_event",)),
    "/staff/big/<int:number>/draw/": Row(BIG, FORM, args=("big_event",)),
    "/staff/big/<int:number>/swap/": Row(BIG, FORM, args=("big_event",)),
    "/staff/big/<int:number>/rounds/<int:round_>/remove/": Row(
        BIG, "POST", args=("big_event", "9")
    ),
    "/staff/big/<int:number>/rounds/<int:round_>/wall/": Row(BIG, args=("big_event", "1")),
    "/staff/big/<int:number>/tables/<int:round_>/<int:table>/": Row(
        BIG, FORM, args=("big_event", "1", "1")
    ),
    "/staff/big/<int:number>/close/": Row(BIG, FORM, args=("big_event",)),
    "/staff/big/<int:number>/correct/": Row(BIG, FORM, args=("big_event",)),
}
LIFE_OF_A_STAGE = {
    "/staff/stages/<int:number>/entries/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:number>/entries/<int:entry>/": Row(
        STAGES, FORM, args=("organizer.stage", "organizer.entry"), owners=STAFF | {"organizer"}
    ),
    "/staff/stages/<int:number>/rounds/": Row(STAGES, **STAGE),
    "/staff/stages/<int:number>/rounds/seed/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/rounds/next/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:number>/rounds/paper/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:number>/rounds/<int:round_>/swap/": Row(
        STAGES, FORM, args=("organizer.stage", "1"), owners=STAFF | {"organizer"}
    ),
    "/staff/stages/<int:year>/<slug:slug>/round/<int:number>/slips/": Row(
        DESK,
        args=("season.year", "table.stage.slug", "1"),
        owners=frozenset({"big_organizer"}) | STAFF,
    ),
    "/staff/stages/<int:number>/rounds/remove/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/results/cell/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/results/round/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/results/undo/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/results/redo/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/results/back/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/results/verify/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:number>/close/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:number>/withdraw/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:number>/correct/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:number>/correct/drop/": Row(STAGES, "POST", **STAGE),
    "/staff/stages/<int:number>/revisions/": Row(STAGES, **STAGE),
    "/staff/stages/<int:number>/revisions/<int:revision>/": Row(
        STAGES, args=("organizer.stage", "1"), owners=STAFF | {"organizer"}
    ),
    "/staff/stages/<int:number>/revisions/<int:revision>/decide/": Row(
        STAGES, FORM, args=("organizer.stage", "1"), owners=STAFF | {"organizer"}
    ),
    "/admin/stages/<int:number>/results/": Row(STAGES, **STAGE),
}
DIRECTORS = STAFF | {"risiko_director"}
MASTER = {"args": ("master.slug",), "owners": DIRECTORS}
CONTROL_ROOM = {
    "/risiko/here/<str:token>/": Row(SIGNED_IN, FORM, args=("master.token",)),
    "/staff/risiko/": Row(DIRECTORS, FORM),
    "/risiko/<slug:slug>/control/": Row(DIRECTORS, **MASTER),
    "/risiko/<slug:slug>/control/entries/": Row(DIRECTORS, FORM, **MASTER),
    "/risiko/<slug:slug>/control/entries/<int:number>/": Row(
        DIRECTORS, FORM, args=("master.slug", "master.entry"), owners=DIRECTORS
    ),
    "/risiko/<slug:slug>/control/doors/": Row(DIRECTORS, "POST", **MASTER),
    "/risiko/<slug:slug>/control/clock/": Row(DIRECTORS, "POST", **MASTER),
    "/risiko/<slug:slug>/control/draws/<int:number>/": Row(
        DIRECTORS, FORM, args=("master.slug", "1"), owners=DIRECTORS
    ),
    "/risiko/<slug:slug>/control/games/<int:game>/<int:table>/": Row(
        DIRECTORS, FORM, args=("master.slug", "1", "1"), owners=DIRECTORS
    ),
    "/risiko/<slug:slug>/control/ranking/": Row(DIRECTORS, FORM, **MASTER),
    "/risiko/<slug:slug>/control/renounce/": Row(DIRECTORS, FORM, **MASTER),
    "/risiko/<slug:slug>/control/finals/": Row(DIRECTORS, "POST", **MASTER),
    "/risiko/<slug:slug>/control/wall/": Row(DIRECTORS, **MASTER),
    "/risiko/<slug:slug>/control/close/": Row(DIRECTORS, FORM, **MASTER),
    "/risiko/<slug:slug>/control/correct/": Row(DIRECTORS, FORM, **MASTER),
}
SOURCE = {"args": ("organizer.stage", "organizer.source"), "owners": STAFF | {"organizer"}}
FETCH = {"args": ("organizer.stage", "organizer.fetch"), "owners": STAFF | {"organizer"}}
IMPORTS = {
    "/staff/stages/<int:stage>/import/paste/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:stage>/import/platform/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:stage>/import/file/": Row(STAGES, FORM, **STAGE),
    "/staff/stages/<int:stage>/import/template.xlsx": Row(STAGES, **STAGE),
    "/staff/stages/<int:stage>/import/template.csv": Row(STAGES, **STAGE),
    "/staff/stages/<int:stage>/import/fetches/<int:number>/": Row(STAGES, **FETCH),
    "/staff/stages/<int:stage>/import/fetches/<int:number>/again/": Row(STAGES, "POST", **FETCH),
    "/staff/stages/<int:stage>/import/<int:number>/": Row(STAGES, FORM, **SOURCE),
    "/staff/stages/<int:stage>/import/<int:number>/read-again/": Row(STAGES, "POST", **SOURCE),
    "/staff/stages/<int:stage>/import/<int:number>/take-back/": Row(STAGES, "POST", **SOURCE),
}
# allauth's own pages. They answer PUT as they answer POST.
SIGNING_IN = {
    "/account/login/": Row(EVERYONE, FORM, steps=True),
    "/account/logout/": Row(EVERYONE, FORM, steps=True),
    "/account/inactive/": Row(EVERYONE),
    "/account/signup/": Row(EVERYONE, FORM, steps=True),
    "/account/reauthenticate/": Row(SIGNED_IN, FORM),
    "/account/email/": Row(SIGNED_IN, FORM),
    "/account/confirm-email/": Row(EVERYONE, steps=True),
    r"/account/^confirm-email/(?P<key>[-:\w]+)/$": Row(
        EVERYONE, FORM, path="/account/confirm-email/{confirmation}/", steps=True
    ),
    "/account/password/change/": Row(SIGNED_IN, FORM),
    "/account/password/set/": Row(SIGNED_IN, FORM),
    "/account/password/reset/": Row(EVERYONE, FORM),
    "/account/password/reset/done/": Row(EVERYONE),
    "/account/password/reset/key/done/": Row(EVERYONE),
    r"/account/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": Row(
        EVERYONE, FORM, path="/account/password/reset/key/1-zzz/", steps=True
    ),
    "/account/login/code/confirm/": Row(EVERYONE, FORM, steps=True),
    "/account/2fa/": Row(SIGNED_IN),
    "/account/2fa/authenticate/": Row(EVERYONE, FORM, steps=True),
    "/account/2fa/reauthenticate/": Row(SIGNED_IN, FORM),
    "/account/2fa/totp/activate/": Row(SIGNED_IN, FORM),
    "/account/2fa/totp/deactivate/": Row(SIGNED_IN, FORM, owners=DESK),
    "/account/2fa/recovery-codes/": Row(SIGNED_IN, status=404),
    "/account/2fa/recovery-codes/generate/": Row(SIGNED_IN, FORM),
    "/account/2fa/recovery-codes/download/": Row(SIGNED_IN, status=404),
    "/account/2fa/webauthn/": Row(SIGNED_IN),
    "/account/2fa/webauthn/add/": Row(SIGNED_IN, FORM),
    "/account/2fa/webauthn/reauthenticate/": Row(SIGNED_IN, FORM),
    "/account/2fa/webauthn/keys/<int:pk>/remove/": Row(SIGNED_IN, args=("999999999",), status=404),
    "/account/2fa/webauthn/keys/<int:pk>/edit/": Row(SIGNED_IN, args=("999999999",), status=404),
    "/account/2fa/webauthn/login/": Row(EVERYONE, FORM, steps=True),
    "/account/sessions/": Row(SIGNED_IN, FORM),
}
APPS = (
    *("core", "players", "audit_log", "stages", "publishing"),
    *("ratings", "big_league", "risiko_master", "imports", "office"),
)
ADMIN_PAGES = {
    "/admin/": Row(ADMIN, FORM),
    "/admin/login/": Row(ADMIN, FORM),
    "/admin/logout/": Row(ADMIN, "POST"),
    "/admin/password_change/": Row(ADMIN, FORM),
    "/admin/password_change/done/": Row(ADMIN),
    "/admin/autocomplete/": Row(ADMIN, status=403),  # says which field it is for, or says nothing
    "/admin/jsi18n/": Row(ADMIN),
    "/admin/r/<path:content_type_id>/<path:object_id>/": Row(
        ADMIN, FORM, args=("content_type", "organizer.stage")
    ),
    "/admin/^(?P<app_label>" + "|".join(APPS) + ")/$": Row(ADMIN, FORM, path="/admin/stages/"),
    "/admin/(?P<url>.*)$": Row(ADMIN, status=404, path="/admin/zzz/"),
}


@dataclass(frozen=True)
class Model:
    """What staff may do with its rows in the admin (superusers no more), and which row is asked
    for."""

    name: str
    may: str
    row: str
    organizers: str = ""
    owners: frozenset[str] = ADMIN


MODELS = (
    Model("players/player", "view", "player"),
    Model("players/person", "view change", "person"),
    Model("players/registration", "view change", "registration"),
    Model("players/membership", "view change", "membership"),
    Model("players/platformaccount", "view", "account"),
    Model("players/proofcode", "view", "proof_code"),
    Model("players/calendarlink", "view", "calendar_link"),
    Model("players/club", "view add change delete", "club"),
    Model("players/sanction", "view", "sanction"),
    Model("players/disqualification", "view", "decision"),
    Model("players/claim", "view", "claim"),
    Model("players/merge", "view", "merge"),
    Model("players/consent", "view", "consent"),
    Model("audit_log/auditentry", "view", "entry"),
    Model("players/erasurejournal", "view", "erasure"),
    Model("players/eventcode", "view", "organizer.code"),
    Model("core/user", "view", "user"),
    Model("stages/season", "view add change", "season", organizers="view"),
    Model("stages/game", "view add change", "game", organizers="view"),
    Model(
        "stages/stage",
        "view add change",
        "organizer.stage",
        organizers="view change",
        owners=STAFF | {"organizer"},
    ),
    Model("stages/openingrating", "view add change delete", "opening"),
    Model("stages/tablestep", "view", "table_step"),
    Model("core/cacheversion", "view", "cache_version"),
    Model("core/job", "view", "step"),
    Model("publishing/computation", "view", "computation"),
    Model("publishing/pgrchange", "view", "pgrchange"),
    Model("publishing/line", "view", "line"),
    Model("publishing/publication", "view", "publication"),
    Model("publishing/erratum", "view", "erratum"),
    Model("publishing/freeze", "view", "freeze"),
    Model("ratings/purge", "view", "purge"),
    Model("ratings/purged", "view", "purged"),
    Model("big_league/gamesheet", "view add change", "big_sheet"),
    Model("big_league/sheetnote", "view add change delete", "big_note"),
    Model("big_league/hardcorepick", "view add change delete", "big_pick"),
    Model("risiko_master/commitment", "view", "commitment"),
    Model("risiko_master/draw", "view", "draw"),
    Model("risiko_master/presence", "view", "presence"),
    Model("risiko_master/clockpress", "view", "clockpress"),
    Model("risiko_master/refereedecision", "view", "refereedecision"),
    Model("big_league/event", "view", "big_event"),
    Model("big_league/final", "view", "final"),
    Model("big_league/calledplayer", "view", "final.called"),
    Model("big_league/finalseat", "view", "final.seat"),
    Model("big_league/answer", "view", "final.answer"),
    Model("big_league/convocation", "view", "final.mail"),
    Model("big_league/onlinetournament", "view", "online"),
    Model("big_league/onlineentry", "view", "online.entry"),
    Model("big_league/signup", "view", "big_signup"),
    Model("core/outgoingmail", "view", "mail"),
    Model("stages/entry", "view", "fact.entry"),
    Model("stages/sourcefile", "view", "organizer.source"),
    Model("stages/revision", "view", "fact.revision"),
    Model("stages/round", "view", "fact.round"),
    Model("stages/table", "view", "fact.table"),
    Model("stages/seat", "view", "fact.seat"),
    Model("stages/change", "view", "fact.change"),
    Model("stages/datechange", "view", "fact.date_change"),
    Model("imports/fetch", "view", "organizer.fetch"),
    Model("publishing/shown", "view", "shown"),
    Model("core/lastrun", "view", "last_run"),
    Model("core/breaker", "view", "breaker"),
    Model("publishing/statement", "view", "statement"),
    Model("office/case", "view", "case"),
    Model("office/datarequest", "view", "data_request"),
    Model("office/prizelist", "view", "prizes"),
    Model("office/brochure", "view", "brochure"),
    Model("office/page", "view", "brochure.page"),
    Model("office/export", "view", "export"),
    Model("office/campaign", "view", "campaign"),
    Model("office/delivery", "view", "delivery"),
    Model("office/bounce", "view", "bounce"),
    Model("office/mailkey", "view", "mail_key"),
    Model("office/subscription", "view", "subscription"),
    Model("office/happening", "view", "happening"),
    Model("office/notice", "view", "notice"),
)


def admin_rows(model: Model) -> dict[str, Row]:
    """The six addresses that Django gives to a model."""

    def who(act: str) -> frozenset[str]:
        return (STAFF if act in model.may else NOBODY) | (
            ORGANIZERS if act in model.organizers else NOBODY
        )

    one = f"/admin/{model.name}/<path:object_id>"
    mine = {"args": (model.row,), "owners": model.owners & who("view")}
    return {
        f"/admin/{model.name}/": Row(who("view"), FORM),
        f"/admin/{model.name}/add/": Row(who("add"), FORM),
        f"{one}/history/": Row(who("view"), FORM, **mine),
        f"{one}/delete/": Row(who("delete"), FORM, **mine),
        f"{one}/change/": Row(who("change"), FORM, readers=who("view") - who("change"), **mine),
        f"{one}/": Row(
            ADMIN, FORM, args=(model.row,), status=302
        ),  # leads to “change”, which decides
    }


MATRIX: dict[str, Row] = (
    MACHINES
    | API
    | PUBLIC
    | MY_ACCOUNT
    | STAFF_PAGES
    | BIG_DAY
    | LIFE_OF_A_STAGE
    | CONTROL_ROOM
    | IMPORTS
    | SIGNING_IN
)
MATRIX |= ADMIN_PAGES
for each in MODELS:
    MATRIX |= admin_rows(each)
