"""The admin's site: who gets in, what every page carries, and what pages may load."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from rest_framework.request import Request
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite

from matches.api.throttles import Throttle
from matches.dashboard import dashboard
from matches.permits import Permit
from matches.staff.navigation import sidebar
from matches.staff.two_step import second_step

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


def _is_ours(model: Any) -> bool:
    return bool(model._meta.app_label == "matches")  # noqa: SLF001 - Django's documented way to ask


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
        """The page to log in at; whoever has done so and not taken the second step is led to it."""
        if super().has_permission(request) and not self.has_permission(request):
            query = urlencode({"next": request.GET["next"]}) if "next" in request.GET else ""
            return HttpResponseRedirect(f"{reverse('admin:second_step')}?{query}".removesuffix("?"))
        return _policed(super().login)(request, extra_context)

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether who asks is one of the staff, and has taken the second step where it is demanded."""
        return super().has_permission(request) and (not settings.TWO_STEP or request.user.is_verified())  # type: ignore[union-attr]

    def register(self, models: Any, admin_class: Any = None, **options: Any) -> None:
        """Our own tables only: roles are a table in the code, and what authenticators know is nobody's to read."""
        own = [model for model in (models if isinstance(models, Iterable) else [models]) if _is_ours(model)]
        super().register(own, admin_class, **options)

    def extra_urls(self) -> list[URLPattern]:
        """What isn't a page of a table."""
        return [path("second-step/", never_cache(_policed(self.second_step)), name="second_step")]

    def second_step(self, request: HttpRequest) -> HttpResponse:
        """For who has given a right password and not the code; everybody else is sent where they belong."""
        if not super().has_permission(request):
            return HttpResponseRedirect(reverse("admin:login"))
        if self.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return second_step(request, self.each_context(request))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The dashboard, for who may see it."""
        shown = dashboard() if request.user.has_perm(Permit.SEE_DASHBOARD.full) else {}
        response: HttpResponse = super().index(request, {**shown, **(extra_context or {})})
        return response

    def get_sidebar_list(self, request: HttpRequest) -> list[dict[str, Any]]:
        """What is to be found where, for who asks."""
        return sidebar(request)
