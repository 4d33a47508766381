from functools import partial

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    name = "pergioco.core"
    verbose_name = _("Core")

    def ready(self) -> None:
        self.follow_migrations()
        self.register_jobs()

    def follow_migrations(self) -> None:
        from pergioco.core import cache_versions, guards, last_runs, permissions

        # Sent by each app, of which core is the first: the tables are all there by then
        pre_migrate.connect(
            cache_versions.drop_triggers,
            sender=self,
            dispatch_uid="drop triggers of cache versions",
        )
        post_migrate.connect(
            cache_versions.install_triggers,
            sender=self,
            dispatch_uid="install triggers of cache versions",
        )
        pre_migrate.connect(
            guards.drop_guards_before_migrating, sender=self, dispatch_uid="drop guards"
        )
        post_migrate.connect(guards.install_guards, sender=self, dispatch_uid="install guards")
        connection_created.connect(guards.add_door_function, dispatch_uid="door of guards")
        post_migrate.connect(
            permissions.sync_group_permissions, dispatch_uid="rights of the groups"
        )
        post_migrate.connect(
            last_runs.await_first_runs, sender=self, dispatch_uid="what is to run by the clock"
        )

    def register_jobs(self) -> None:
        from pergioco.core import (
            audit_seals,
            cache_versions,
            jobs,
            known_devices,
            mail,
            short_memory,
        )

        jobs.register(
            mail.SEND,
            mail.send_queued_mail,
            lane=jobs.OUTSIDE,
            is_atomic=False,
            may_hang=mail.may_hang,
        )
        jobs.register_periodic(
            "tidy.mail", mail.delete_sent_mail, seconds=jobs.HOUR, lane=jobs.OUTSIDE
        )
        jobs.register_periodic(
            "tidy.cache", cache_versions.compact_versions, seconds=60.0, lane=jobs.OUTSIDE
        )
        jobs.register_periodic(
            "tidy.memory", short_memory.forget_expired, seconds=60.0, lane=jobs.OUTSIDE
        )
        jobs.register_periodic(
            "tidy.devices", known_devices.forget_unused, seconds=jobs.DAY, lane=jobs.OUTSIDE
        )
        jobs.register_periodic("tidy.jobs", jobs.forget_done, seconds=jobs.HOUR, lane=jobs.OUTSIDE)
        jobs.register_periodic(
            "audit.seal", audit_seals.seal_audit_log, seconds=300.0, lane=jobs.OUTSIDE
        )
        jobs.register_periodic(
            "audit.check", audit_seals.check_every_night, seconds=jobs.DAY, lane=jobs.OUTSIDE
        )
        for lane in jobs.LANES:
            jobs.register_periodic(
                f"jobs.{lane}", partial(jobs.run_waiting, lane), seconds=5.0, lane=lane
            )
