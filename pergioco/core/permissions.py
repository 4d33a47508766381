"""Admin permissions of the groups, applied after each migration."""

from typing import Any

from django.apps import AppConfig
from django.apps import apps as installed
from django.contrib.auth.management import create_permissions
from django.db.models import Q

from pergioco.core.policy import GRANTED_BY_GROUP

READ = "view"
WRITE = "view change"
EDIT = "view add change"
GROUP_PERMISSIONS: dict[str, dict[str, str]] = {
    "staff": {
        "players.player": READ,
        "players.person": WRITE,
        "players.registration": WRITE,
        "players.membership": WRITE,
        "players.platformaccount": READ,
        "players.nickname": READ,
        "players.proofcode": READ,
        "players.calendarlink": READ,
        "players.club": f"{EDIT} delete",
        "players.clubmember": f"{EDIT} delete",
        "players.sanction": READ,
        "players.disqualification": READ,
        "players.claim": READ,
        "players.merge": READ,
        "players.consent": READ,
        "audit_log.auditentry": READ,
        "players.erasurejournal": READ,
        "players.eventcode": READ,
        "core.user": READ,
        "stages.season": EDIT,
        "stages.game": EDIT,
        "stages.variant": f"{EDIT} delete",
        "stages.stage": EDIT,
        "stages.entry": READ,
        "stages.sourcefile": READ,
        "stages.revision": READ,
        "stages.round": READ,
        "stages.table": READ,
        "stages.seat": READ,
        "stages.change": READ,
        "stages.datechange": READ,
        "imports.fetch": READ,
        "publishing.shown": READ,
        "stages.tablestep": READ,
        "stages.openingrating": f"{EDIT} delete",
        "publishing.computation": READ,
        "publishing.line": READ,
        "publishing.pgrchange": READ,
        "publishing.publication": READ,
        "publishing.erratum": READ,
        "publishing.freeze": READ,
        "core.job": READ,
        "core.lastrun": READ,
        "core.cacheversion": READ,
        "ratings.purge": READ,
        "ratings.purged": READ,
        "big_league.gamesheet": EDIT,
        "big_league.sheetnote": f"{EDIT} delete",
        "big_league.hardcorepick": f"{EDIT} delete",
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
        "core.outgoingmail": READ,
        "office.case": READ,
        "office.datarequest": READ,
        "office.prizelist": READ,
        "office.brochure": READ,
        "office.page": READ,
        "office.export": READ,
        "office.campaign": READ,
        "office.delivery": READ,
        "office.bounce": READ,
        "office.mailkey": READ,
        "office.subscription": READ,
        "office.happening": READ,
        "office.notice": READ,
    },
    "organizer": {  # of stages, only their own: `StageAdmin.get_queryset`
        "stages.season": READ,
        "stages.game": READ,
        "stages.stage": WRITE,
    },
}


def list_codenames(group: str, app: str) -> set[str]:
    rows = ((*label.split("."), acts) for label, acts in GROUP_PERMISSIONS[group].items())
    return {f"{act}_{model}" for owner, model, acts in rows if owner == app for act in acts.split()}


def sync_group_permissions(
    app_config: AppConfig, using: str, apps: Any = installed, **_: Any
) -> None:
    try:
        groups, permissions = (
            apps.get_model("auth", name).objects.using(using) for name in ("Group", "Permission")
        )
    except LookupError:  # the tables are not there yet
        return
    create_permissions(app_config, verbosity=0, using=using, apps=apps)  # ours runs before Django's
    rights = permissions.filter(content_type__app_label=app_config.label)
    for role in GRANTED_BY_GROUP:
        groups.get_or_create(name=role.value)
    for name in GROUP_PERMISSIONS:
        group, _made = groups.get_or_create(name=name)
        wanted = Q(codename__in=list_codenames(name, app_config.label))
        group.permissions.remove(*rights.exclude(wanted))
        group.permissions.add(*rights.filter(wanted))
