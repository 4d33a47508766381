from django.apps import AppConfig


class RisikoMasterConfig(AppConfig):
    name = "risiko_master"
    verbose_name = "RisiKo! Master"

    def ready(self) -> None:
        from pergioco.core import events, needs
        from pergioco.core.policy import Role
        from pergioco.publishing.computed import register_ranking
        from pergioco.stages import table_pages
        from risiko_master import compute
        from risiko_master import needs as risiko_master_needs
        from risiko_master.table_page import RisikoPage

        events.on("stage.settled", compute.enqueue_stage_publication)
        events.on("player.changed", compute.enqueue_player_publication)
        register_ranking("risiko_master", compute.compute_master_rankings)
        directors = (Role.STAFF, Role.RISIKO_DIRECTOR)
        needs.register_need(290, directors, risiko_master_needs.masters_to_close)
        needs.register_need(300, directors, risiko_master_needs.coming_masters)
        table_pages.register_table_page("rkm", RisikoPage)
