from django.urls import path

from pergioco.website.feeds import players, rankings, results

urlpatterns = [
    path("results.atom", results.results, name="feed-results"),
    path("rankings.atom", rankings.rankings, name="feed-rankings"),
    path("games/<slug:slug>.atom", results.of_game, name="feed-game"),
    path("players/<slug:public_id>.atom", players.of_player, name="feed-player"),
]
