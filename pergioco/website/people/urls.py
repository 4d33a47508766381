from django.urls import path

from pergioco.website.people import compare, image, profile, search

urlpatterns = [
    path("players/", search.players, name="players"),
    path("players/<slug:key>/", profile.player, name="player"),
    path("players/<slug:key>/ratings.<ending:ending>", profile.player_file, name="player-file"),
    path("share/players/<slug:key>.png", image.picture, name="player-image"),
    path("compare/", compare.pick, name="compare-pick"),
    path("compare/<slug:one>/<slug:other>/", compare.compare, name="compare"),
]
