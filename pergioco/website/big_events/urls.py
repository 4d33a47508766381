from django.urls import path

from pergioco.website.big_events import events, requests, signups

urlpatterns = [
    path("request/", requests.ask, name="big-request"),
    path("request/<str:token>/", requests.state, name="big-request-state"),
    path("events/<slug:slug>/", events.event, name="big-event"),
    path("events/<slug:slug>/join/", signups.join, name="big-event-join"),
    path("signup/<str:token>/", signups.own, name="big-signup"),
    path("events/<slug:slug>/poster/", events.poster, name="big-event-poster"),
]
