from datetime import timedelta

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PublishingConfig(AppConfig):
    name = "pergioco.publishing"
    verbose_name = _("Ledger and waiting work")

    def ready(self) -> None:
        from pergioco.core import jobs, last_runs, needs
        from pergioco.core.guards import register_guards
        from pergioco.core.policy import Role
        from pergioco.publishing import guards
        from pergioco.publishing import needs as year_needs
        from pergioco.publishing.services import errata, publish, statements

        register_guards(*guards.GUARDS)
        jobs.register(publish.PUBLISH, publish.follow_change, lane=jobs.NUMBERS)
        jobs.register(errata.TELL_ERRATUM, errata.tell_players, lane=jobs.OUTSIDE)
        jobs.register_periodic(
            "publish", publish.follow_the_clock, seconds=jobs.HOUR, lane=jobs.NUMBERS
        )
        jobs.register_periodic(
            "tidy.publications",
            publish.delete_old_publications,
            seconds=jobs.DAY,
            lane=jobs.OUTSIDE,
        )
        last_runs.expect(statements.CHECK, every=timedelta(days=1))
        staff = (Role.STAFF,)
        needs.register_need(40, staff, year_needs.freeze_to_confirm)
        needs.register_need(70, (Role.STAFF, Role.ORGANIZER), year_needs.results_to_withdraw)
        needs.register_need(240, staff, year_needs.season_to_make_final)
