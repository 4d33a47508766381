"""What the groups may do in the admin, by name: the one table. It is put into force after each migration."""

from typing import Any

from django.apps import AppConfig
from django.apps import apps as installed
from django.contrib.auth.management import create_permissions
from django.db.models import Q

READ = "view"
WRITE = "view change"
KEEP = "view add change"
GRANTED: dict[str, dict[str, str]] = {
    "staff": {
        "players.player": READ,
        "players.person": WRITE,
        "players.registration": WRITE,
        "players.membership": WRITE,
        "players.platformaccount": READ,
        "players.nickname": READ,
        "players.proofcode": READ,
        "players.calendarlink": READ,
        "players.club": f"{KEEP} delete",
        "players.clubmember": f"{KEEP} delete",
        "players.sanction": READ,
        "players.disqualification": READ,
        "players.claim": READ,
        "players.merge": READ,
        "players.consent": READ,
        "players.auditentry": READ,
        "players.erasurejournal": READ,
        "players.eventcode": READ,
        "players.user": READ,
        "stages.season": KEEP,
        "stages.game": KEEP,
        "stages.variant": f"{KEEP} delete",
        "stages.stage": KEEP,
        "stages.entry": READ,
        "stages.sourcefile": READ,
        "stages.revision": READ,
        "stages.round": READ,
        "stages.table": READ,
        "stages.seat": READ,
        "stages.change": READ,
        "stages.datechange": READ,
        "imports.fetch": READ,
        "ledger.shown": READ,
        "stages.tablestep": READ,
        "stages.openingrating": f"{KEEP} delete",
        "ledger.computation": READ,
        "ledger.line": READ,
        "ledger.pgrchange": READ,
        "ledger.publication": READ,
        "ledger.erratum": READ,
        "ledger.freeze": READ,
        "ledger.outbox": READ,
        "ledger.lastrun": READ,
        "ledger.mark": READ,
        "ratings.purge": READ,
        "ratings.purged": READ,
        "big_league.gamesheet": KEEP,
        "big_league.sheetnote": f"{KEEP} delete",
        "big_league.hardcorepick": f"{KEEP} delete",
        "risiko_master.commitment": READ,
        "risiko_master.draw": READ,
        "risiko_master.presence": READ,
        "risiko_master.clockpress": READ,
        "risiko_master.refereedecision": READ,
        "big_league.event": READ,
        "big_league.final": READ,
        "big_league.calledplayer": READ,
        "big_league.finalseat": READ,
        "big_league.answer": READ,
        "big_league.convocation": READ,
        "big_league.onlinetournament": READ,
        "big_league.onlineentry": READ,
        "big_league.signup": READ,
        "contact.outgoingmail": READ,
        "office.case": READ,
        "office.datarequest": READ,
        "office.prizelist": READ,
        "brochures.brochure": READ,
        "brochures.page": READ,
        "brochures.export": READ,
        "contact.campaign": READ,
        "contact.delivery": READ,
        "contact.bounce": READ,
        "contact.mailkey": READ,
        "contact.subscription": READ,
        "contact.happening": READ,
        "contact.notice": READ,
    },
    "organizer": {  # of stages, only their own: `StageAdmin.get_queryset`
        "stages.season": READ,
        "stages.game": READ,
        "stages.stage": WRITE,
    },
}


def codenames(group: str, app: str) -> set[str]:
    rows = ((*label.split("."), acts) for label, acts in GRANTED[group].items())
    return {f"{act}_{model}" for owner, model, acts in rows if owner == app for act in acts.split()}


def put_into_force(app_config: AppConfig, using: str, apps: Any = installed, **_: Any) -> None:
    """Gives each group the rights of this app that the table names, and takes away any other."""
    try:
        groups, permissions = (apps.get_model("auth", name).objects.using(using) for name in ("Group", "Permission"))
    except LookupError:  # the tables are not there yet
        return
    create_permissions(app_config, verbosity=0, using=using, apps=apps)  # ours runs before Django's
    rights = permissions.filter(content_type__app_label=app_config.label)
    for name in GRANTED:
        group, _made = groups.get_or_create(name=name)
        wanted = Q(codename__in=codenames(name, app_config.label))
        group.permissions.remove(*rights.exclude(wanted))
        group.permissions.add(*rights.filter(wanted))
