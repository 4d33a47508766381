from django.urls import path

from pergioco.website.masters import hall, views, why

urlpatterns = [
    path("risiko/", views.masters, name="risiko"),
    path("risiko/here/<str:token>/", hall.here, name="risiko-here"),
    path("risiko/<slug:slug>/", views.master, name="risiko-master"),
    path("risiko/<slug:slug>/clock.json", hall.clock, name="risiko-clock"),
    path("risiko/<slug:slug>/why/<str:public_id>/", why.why, name="risiko-why"),
    path("risiko/<slug:slug>/<slug:what>.<ending:ending>", views.standings, name="risiko-standings"),
]
