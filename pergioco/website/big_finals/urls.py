from django.urls import path

from pergioco.website.big_finals import pages, reply

urlpatterns = [
    path("big/finals/", pages.finals, name="big-finals"),
    path("big/finals/<slug:slug>/", pages.final, name="big-final"),
    path("big/finals/<slug:slug>/ask/", pages.ask, name="big-final-ask"),
    path("f/<str:token>/", reply.convocation, name="convocation"),
]
