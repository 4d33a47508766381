from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from pergioco.api import calendar, docs, people, rankings
from pergioco.players.policy import everyone

urlpatterns = [
    path("v1/seasons/", calendar.Seasons.page(), name="api-seasons"),
    path("v1/games/", calendar.Games.page(), name="api-games"),
    path("v1/stages/", calendar.Stages.page(), name="api-stages"),
    path("v1/stages/<slug:slug>/", calendar.OneStage.page(), name="api-stage"),
    path("v1/rankings/<int:year>/", rankings.Hub.page(), name="api-rankings"),
    path("v1/rankings/<int:year>/<slug:kind>/", rankings.One.page(), name="api-ranking"),
    path("v1/rankings/<int:year>/games/<slug:game>/", rankings.OfGame.page(), name="api-game-ranking"),
    path("v1/rankings/<int:year>/big/<slug:game>/", rankings.OfBig.page(), name="api-big-game-ranking"),
    path("v1/rankings/<int:year>/big-elo/<slug:game>/", rankings.BigElo.page(), name="api-big-elo-ranking"),
    path("v1/players/", people.Players.page(), name="api-players"),
    path("v1/players/<slug:public_id>/", people.OnePlayer.page(), name="api-player"),
    path("v1/players/<slug:public_id>/pgr/", people.History.page(), name="api-history"),
    path("schema/", everyone(SpectacularAPIView.as_view()), name="api-schema"),
    path("docs/", docs.page, name="api-docs"),
]
