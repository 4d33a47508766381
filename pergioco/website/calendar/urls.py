from django.urls import path

from pergioco.website.calendar import files, pages

urlpatterns = [
    path("", pages.listed, name="calendar"),
    path("<int:year>/<int:month>/", pages.month, name="calendar-month"),
    path("stages.ics", files.asked, name="calendar-file"),
    path("mine/<str:token>.ics", files.mine, name="calendar-mine"),
    path("<int:year>/<slug:slug>.ics", files.one, name="calendar-stage"),
]
