from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StagesConfig(AppConfig):
    name = "pergioco.stages"
    verbose_name = _("Seasons, games and stages")

    def ready(self) -> None:
        from pergioco.core import events, needs
        from pergioco.core.policy import Role
        from pergioco.stages import needs as stage_needs

        # A stage's results or its place in the calendar changed: closed, corrected, withdrawn,
        # moved
        events.declare("stage.settled")
        # The readings of the rules by which a season is computed
        events.declare("season.changed")
        organizers = (Role.STAFF, Role.ORGANIZER)
        needs.register_need(60, organizers, stage_needs.corrections_to_approve)
        needs.register_need(80, organizers, stage_needs.stages_without_results)
        needs.register_need(90, organizers, stage_needs.unknown_nicknames)
        needs.register_need(260, organizers, stage_needs.open_drafts)
        needs.register_need(270, (Role.ORGANIZER,), stage_needs.upcoming_own_stages)
