"""The page of the second step: setting an authenticator up the first time, its codes from then on."""

from __future__ import annotations

from typing import Any

import segno
from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django_otp import login as otp_login
from unfold.widgets import UnfoldAdminTextInputWidget

from matches.api.throttles import Throttle
from matches.services import two_step

WRONG = "This code doesn't hold. One that was used before doesn't either: wait for the next."


class CodeForm(forms.Form):
    """Asks for a code."""

    code = forms.CharField(
        max_length=20,
        widget=UnfoldAdminTextInputWidget(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "inputmode": "text", "spellcheck": "false"}
        ),
    )


class _Tries:
    """Codes are tried as seldom as passwords."""

    throttle_scope = "login"


def second_step(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Of one of the staff whose password was right: ask for a code, or have an authenticator set up."""
    player = request.user
    has_device = two_step.device_of(player_id=player.pk or 0) is not None
    form = CodeForm(request.POST or None)
    shown = {**context, "title": "Second step", "form": form, "next": _next(request), "has_device": has_device}
    if request.method == "POST" and form.is_valid():
        throttle = Throttle()
        if not throttle.allow_request(request, _Tries()):  # type: ignore[arg-type]
            form.add_error("code", f"Too many tries; come again in {throttle.wait():.0f} seconds.")
        elif has_device:
            taken = two_step.step_take(player=player, code=form.cleaned_data["code"])  # type: ignore[arg-type]
            if taken is not None:
                return _enter(request, taken)
            form.add_error("code", WRONG)
        else:
            confirmed = two_step.device_confirm(player_id=player.pk or 0, code=form.cleaned_data["code"])
            if confirmed is not None:
                device, codes = confirmed
                _enter(request, device)
                return TemplateResponse(request, "matches/admin/recovery_codes.html", {**shown, "codes": codes})
            form.add_error("code", f"{WRONG} Scan the new picture.")
    if not has_device:
        address, key = two_step.device_begin(player_id=player.pk or 0)
        shown |= {"picture": segno.make(address, error="m").svg_data_uri(scale=5, light="#fff"), "key": key}
    return TemplateResponse(request, "matches/admin/second_step.html", shown)


def _enter(request: HttpRequest, device: Any) -> HttpResponse:
    otp_login(request, device)
    request.session.cycle_key()
    return HttpResponseRedirect(_next(request))


def _next(request: HttpRequest) -> str:
    """Where they wanted to go, if that is here."""
    given = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(given, {request.get_host()}, require_https=request.is_secure())
    return given if is_ours else reverse("admin:index")
