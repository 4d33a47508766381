from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from pergioco.api.views import rankings, stages
from pergioco.core.policy import everyone

viewer = SpectacularSwaggerSplitView.as_view(url_name="api-schema")
urlpatterns = [
    path("v1/seasons/", stages.Seasons.page(), name="api-seasons"),
    path("v1/games/", stages.Games.page(), name="api-games"),
    path("v1/stages/", stages.Stages.page(), name="api-stages"),
    path("v1/stages/<slug:slug>/", stages.OneStage.page(), name="api-stage"),
    path("v1/rankings/<int:year>/", rankings.Hub.page(), name="api-rankings"),
    path("v1/rankings/<int:year>/<slug:kind>/", rankings.SeasonRanking.page(), name="api-ranking"),
    path(
        "v1/rankings/<int:year>/games/<slug:game>/",
        rankings.GameRanking.page(),
        name="api-game-ranking",
    ),
    path(
        "v1/rankings/<int:year>/big/<slug:game>/",
        rankings.BigRanking.page(),
        name="api-big-game-ranking",
    ),
    path(
        "v1/rankings/<int:year>/big-elo/<slug:game>/",
        rankings.BigEloRanking.page(),
        name="api-big-elo-ranking",
    ),
    path("v1/players/", rankings.Players.page(), name="api-players"),
    path("v1/players/<slug:public_id>/", rankings.OnePlayer.page(), name="api-player"),
    path("v1/players/<slug:public_id>/pgr/", rankings.History.page(), name="api-history"),
    path("schema/", everyone(SpectacularAPIView.as_view()), name="api-schema"),
    path("docs/", everyone(viewer), name="api-docs"),
]
