from django.urls import path

from pergioco.website.big import calculator, games, home, latest, prizes

urlpatterns = [
    path("", home.home, name="big-home"),
    path("games/", games.games, name="big-games"),
    path("games/<slug:slug>/", games.game, name="big-game"),
    path("rankings/", latest.ranking, {"kind": "big"}, name="big-ranking-latest"),
    path("rankings/<slug:slug>/", latest.ranking, {"kind": "big"}, name="big-game-ranking-latest"),
    path("elo/<slug:slug>/", latest.ranking, {"kind": "big-elo"}, name="big-elo-ranking-latest"),
    path("calculator/", calculator.calculator, name="big-calculator"),
    path("prizes/", prizes.calculator, name="big-prizes-calculator"),
    path("prizes/<slug:slug>/", prizes.prizes, name="big-prizes"),
]
