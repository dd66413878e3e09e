"""The admin's site: who gets in, what every page carries, and what pages may load."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite

from matches.api.throttles import Throttle
from matches.dashboard import dashboard
from matches.permits import Permit
from matches.staff.navigation import sidebar

# The theme's scripts evaluate the attributes of its pages; its styles are partly within them.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


class LogIn(AuthenticationForm):  # type: ignore[misc]
    """Logging in as an operator, as often as at the interface: no password can be guessed without end."""

    throttle_scope = "login"

    def clean(self) -> Any:
        """What was typed in; past the limit nothing is compared."""
        throttle = Throttle()
        if not throttle.allow_request(cast("Request", self.request), self):
            raise ValidationError(f"Too many tries; come again in {throttle.wait():.0f} seconds.", code="throttled")
        return super().clean()


def _policed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Its pages load nothing from elsewhere, whatever somebody manages to write into them."""

    @wraps(view)
    def policed(*args: Any, **kwargs: Any) -> HttpResponse:
        response = view(*args, **kwargs)
        response.headers["Content-Security-Policy"] = POLICY
        return response

    return policed


class Site(UnfoldAdminSite):  # type: ignore[misc]
    """Where the staff works."""

    login_form = LogIn
    site_header = site_title = "Listik"
    index_title = "Dashboard"
    enable_nav_sidebar = True

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        """Every page of the admin."""
        return _policed(super().admin_view(view, cacheable))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The page to log in at."""
        return _policed(super().login)(request, extra_context)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The dashboard, for who may see it."""
        shown = dashboard() if request.user.has_perm(Permit.SEE_DASHBOARD.full) else {}
        response: HttpResponse = super().index(request, {**shown, **(extra_context or {})})
        return response

    def get_sidebar_list(self, request: HttpRequest) -> list[dict[str, Any]]:
        """What is to be found where, for who asks."""
        return sidebar(request)
