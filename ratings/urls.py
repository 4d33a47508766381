from django.urls import path

from ratings.views import games, what_if

game_urls = [
    path("games/", games.list_games, name="games"),
    path("games/<slug:slug>/ranking/", games.redirect_to_game_ranking, name="game-ranking-latest"),
]
what_if_urls = [
    path("players/<slug:key>/what-if/", what_if.show_what_if, name="player-what-if"),
    path("me/what-if/", what_if.show_own_what_if, name="what-if"),
]
