from django.urls import path

from pergioco.website.tables import page, slips

urlpatterns = [
    path("staff/stages/<int:year>/<slug:slug>/round/<int:number>/slips/", slips.slips, name="table-slips"),
    path("t/<str:token>/", page.table, name="table"),
]
