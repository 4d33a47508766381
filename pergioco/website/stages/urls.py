from django.urls import path

from pergioco.website.stages import views

urlpatterns = [
    path("stages/<int:year>/<slug:slug>/", views.stage, name="stage"),
    path("stages/<int:year>/<slug:slug>/round/<int:number>/", views.one_round, name="stage-round"),
    path("stages/<int:year>/<slug:slug>/standings.<ending:ending>", views.standings, name="stage-standings"),
    path("stages/<int:year>/<slug:slug>/games.<ending:ending>", views.games, name="stage-games"),
    path("stages/<int:year>/<slug:slug>/games.trf", views.games_trf, name="stage-trf"),
    path("embed/stages/<int:year>/<slug:slug>/", views.frame, name="stage-embed"),
    path("share/stages/<int:year>/<slug:slug>.png", views.picture, name="stage-image"),
]
