from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        from pergioco.core import events, jobs, needs
        from pergioco.core.policy import Role
        from ratings import checking, following, purging
        from ratings import needs as rating_needs

        events.on("stage.settled", following.enqueue_stage_ratings)
        events.on("player.changed", following.enqueue_player_ratings)
        events.on("season.changed", following.enqueue_season_ratings)
        jobs.register(following.STAGE, following.recompute_stage_ratings, lane=jobs.NUMBERS)
        jobs.register(following.PLAYER, following.recompute_player_ratings, lane=jobs.NUMBERS)
        jobs.register(following.GAME, following.recompute_game_ratings, lane=jobs.NUMBERS)
        jobs.register_periodic(
            "day", following.enqueue_voided_players, seconds=jobs.HOUR, lane=jobs.NUMBERS
        )
        jobs.register_periodic(
            "check", checking.check_every_night, seconds=300.0, lane=jobs.OUTSIDE
        )
        jobs.register_periodic(
            "purge", purging.destroy_due_purges, seconds=jobs.DAY, lane=jobs.NUMBERS
        )
        needs.register_need(50, (Role.STAFF,), rating_needs.purge_to_confirm)
        needs.register_need(250, (Role.STAFF,), rating_needs.purge_to_propose)
