from django.urls import path

from pergioco.website.people import compare, image, profile, search, what_if

urlpatterns = [
    path("players/", search.players, name="players"),
    path("players/<slug:key>/", profile.player, name="player"),
    path("players/<slug:key>/ratings.<ending:ending>", profile.player_file, name="player-file"),
    path("players/<slug:key>/what-if/", what_if.what_if, name="player-what-if"),
    path("me/what-if/", what_if.mine, name="what-if"),
    path("share/players/<slug:key>.png", image.picture, name="player-image"),
    path("compare/", compare.pick, name="compare-pick"),
    path("compare/<slug:one>/<slug:other>/", compare.compare, name="compare"),
]
