from django.urls import path

from pergioco.website.office import pages

urlpatterns = [
    path("complaints/", pages.complaint, name="complaint"),
    path("contact/", pages.contact, name="contact"),
    path("cases/<str:token>/", pages.case, name="case"),
]
