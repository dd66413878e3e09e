"""Pages that links in mails lead to, for people without a token: looking changes nothing, the button does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from matches.errors import ServiceError
from matches.services import mailed_links, mailing

POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"


class Page(NamedTuple):
    """What a link is for. `check` raises ServiceError for a token that isn't good, `do` does it."""

    title: str
    question: str
    button: str
    done: str
    check: Callable[[str], object]
    do: Callable[..., None]


STOP = Page(
    "Mails of your matches",
    "Stop all mails about your matches to this address? Mails that you ask for, like a new password, still come.",
    "Stop these mails",
    "These mails are stopped. In your client you can choose what is mailed to you.",
    mailed_links.stop_read,
    mailing.mails_stop,
)
CONFIRM = Page(
    "Confirm your address",
    "Shall notices of your matches be mailed to this address?",
    "Confirm",
    "The address is confirmed.",
    mailed_links.confirm_read,
    mailing.confirmation_finish,
)


def _view(page: Page) -> Callable[[HttpRequest, str], HttpResponse]:
    # Who posts has the link, which is all it takes: a mail program does it without a page, and without a cookie.
    @csrf_exempt
    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    def view(request: HttpRequest, token: str) -> HttpResponse:
        is_done = request.method == "POST"
        try:
            if is_done:
                page.do(code=token)
            else:
                page.check(token)
        except ServiceError as error:
            return _shown(request, page, error=error.message, status=error.status)
        return _shown(request, page, is_done=is_done)

    return view


def _shown(
    request: HttpRequest, page: Page, *, is_done: bool = False, error: str = "", status: int = 200
) -> HttpResponse:
    shown = {"page": page, "is_done": is_done, "error": error}
    answer = render(request, "matches/mailed.html", shown, status=status)
    answer["Content-Security-Policy"] = POLICY
    answer["Referrer-Policy"] = "no-referrer"
    answer["X-Robots-Tag"] = "noindex"
    return answer


urlpatterns = [
    path("stop/<str:token>", _view(STOP), name="mail-stop"),
    path("confirm/<str:token>", _view(CONFIRM), name="mail-confirm"),
]
