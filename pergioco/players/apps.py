from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "pergioco.players"
    verbose_name = _("People")

    def ready(self) -> None:
        from pergioco.core import events, jobs, needs
        from pergioco.core.policy import Role
        from pergioco.players import needs as people_needs
        from pergioco.players import sign_in
        from pergioco.players.services import retention

        sign_in.connect_sign_in_log()
        sign_in.connect_session_renewal()
        sign_in.connect_new_password()
        # Registered, member, merged, disqualified, or one of these withdrawn: what the rankings
        # depend on
        events.declare("player.changed")
        events.declare("address.erased")
        staff = (Role.STAFF,)
        needs.register_need(30, staff, people_needs.second_person_wanted)
        needs.register_need(170, staff, people_needs.corrections_answered)
        needs.register_need(180, staff, people_needs.registrations_to_review)
        needs.register_need(190, staff, people_needs.claims_open)
        needs.register_need(200, staff, people_needs.accounts_to_look_at)
        jobs.register_periodic(
            "tidy", retention.delete_expired_data, seconds=jobs.HOUR, lane=jobs.OUTSIDE
        )
