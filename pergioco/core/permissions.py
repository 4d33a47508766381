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
EDIT_AND_DELETE = "view add change delete"


def may(acts: str, **models: str) -> dict[str, str]:
    """`models`: the names of an app's models, separated by spaces."""
    return {f"{app}.{name}": acts for app, names in models.items() for name in names.split()}


GROUP_PERMISSIONS: dict[str, dict[str, str]] = {
    "staff": {
        **may(
            READ,
            audit_log="auditentry",
            big_league=(
                "event final calledplayer finalseat answer convocation onlinetournament "
                "onlineentry signup"
            ),
            core="user job lastrun breaker cacheversion outgoingmail",
            imports="fetch",
            office=(
                "case datarequest prizelist brochure page export campaign delivery bounce "
                "mailkey subscription happening notice"
            ),
            players=(
                "player platformaccount nickname proofcode calendarlink sanction "
                "disqualification claim merge consent erasurejournal eventcode"
            ),
            publishing="shown computation line pgrchange publication erratum freeze statement",
            ratings="purge purged",
            risiko_master="commitment draw presence clockpress refereedecision",
            stages="entry sourcefile revision round table seat change datechange tablestep",
        ),
        **may(
            WRITE,
            players="person registration membership",
        ),
        **may(
            EDIT_AND_DELETE,
            big_league="sheetnote hardcorepick",
            players="club clubmember",
            stages="variant openingrating",
        ),
        **may(
            EDIT,
            big_league="gamesheet",
            stages="season game stage",
        ),
    },
    "organizer": {  # of stages, only their own: `StageAdmin.get_queryset`
        **may(
            READ,
            stages="season game",
        ),
        **may(
            WRITE,
            stages="stage",
        ),
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
