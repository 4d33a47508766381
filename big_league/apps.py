from django.apps import AppConfig


class BigLeagueConfig(AppConfig):
    name = "big_league"
    verbose_name = "Board Italian Gamers"

    def ready(self) -> None:
        from big_league import compute, following
        from big_league import needs as big_league_needs
        from big_league.services import sign_ups
        from big_league.table_page import BigPage
        from pergioco.core import events, jobs, needs
        from pergioco.core.policy import Role
        from pergioco.publishing.computed import register_ranking
        from pergioco.stages import table_pages

        events.on("stage.settled", following.follow_big_stage)
        events.on("player.changed", following.follow_big_player)
        register_ranking("big_league", compute.compute_big_rankings)
        staff, organizers = (Role.STAFF,), (Role.STAFF, Role.BIG_ORGANIZER)
        needs.register_need(130, staff, big_league_needs.requests_to_answer)
        needs.register_need(140, staff, big_league_needs.finals_to_convene)
        needs.register_need(150, staff, big_league_needs.finals_to_settle)
        needs.register_need(160, organizers, big_league_needs.changes_wanted)
        needs.register_need(280, organizers, big_league_needs.coming_events)
        jobs.register_periodic(
            "tidy.events", sign_ups.forget_old_events, seconds=jobs.DAY, lane=jobs.OUTSIDE
        )
        table_pages.register_table_page("big", BigPage)
