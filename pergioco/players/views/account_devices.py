"""My account: browsers that guesses of others do not lock out."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from pergioco.core import known_devices
from pergioco.core.forms import posted_number
from pergioco.core.pages import page_or_form
from pergioco.core.policy import Role, UserRequest, allow


@allow(Role.PLAYER)
@page_or_form
def my_devices_page(request: UserRequest) -> HttpResponse:
    devices = known_devices.list_devices(request.user)
    if request.method == "POST":
        devices.filter(pk=posted_number(request, "device")).delete()
        messages.success(request, _("This browser is forgotten."))
        return redirect("my-devices")
    here = known_devices.find_device(request, request.user.email)
    return render(request, "players/account/devices.html", {"devices": devices, "here": here})
