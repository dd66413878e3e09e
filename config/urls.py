"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from config import health

urlpatterns = [
    path("api/v1/", include("matches.api.urls")),
    path("api/v1/", include("matches.api.served")),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("api/docs/", include("matches.api.reference")),
    path("mail/", include("matches.api.mailed")),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", include("matches.api.metrics")),
    path("admin/", admin.site.urls),
]

handler400 = "matches.api.problems.bad_request"
handler404 = "matches.api.problems.not_found"
handler500 = "matches.api.problems.server_error"
