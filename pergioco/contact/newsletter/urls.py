from django.urls import path

from pergioco.contact.newsletter import desk_pages, public_pages

urlpatterns = [
    path("newsletter/", public_pages.archive, name="newsletters"),
    path("newsletter/<int:number>/", public_pages.one, name="newsletter"),
    path("staff/newsletter/", desk_pages.listed, name="desk-newsletters"),
    path("staff/newsletter/came-back/", desk_pages.came_back, name="desk-bounces"),
    path("staff/newsletter/<int:number>/", desk_pages.one, name="desk-newsletter"),
    path("staff/newsletter/<int:number>/stop/", desk_pages.stop, name="desk-newsletter-stop"),
    path("staff/newsletter/<int:number>/reopen/", desk_pages.reopen, name="desk-newsletter-reopen"),
]
