from django.urls import path

from pergioco.website.big import why

urlpatterns = [
    path("event/<slug:slug>/<str:public_id>/", why.of_event, name="why-big-event"),
    path("points/<slug:slug>/<int:year>/<str:public_id>/", why.of_game, {"kind": "big"}, name="why-big-game"),
    path("elo/<slug:slug>/<int:year>/<str:public_id>/", why.of_game, {"kind": "big-elo"}, name="why-big-elo"),
]
