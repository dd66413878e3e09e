"""The document of the interface, as it is served: made once a process, since making it takes seconds."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import NamedTuple

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from matches.api.http import Endpoint, Json

MEDIA_TYPE = "application/vnd.oai.openapi+json"


class Made(NamedTuple):
    """The document and its entity tag."""

    body: bytes
    etag: str


@cache
def made() -> Made:
    """The document in JSON."""
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    body: bytes = OpenApiJsonRenderer().render(document, renderer_context={})
    return Made(body, f'"{sha256(body).hexdigest()[:32]}"')


class Document(Endpoint):
    """The OpenAPI document."""

    renderer_classes: tuple[type[BaseRenderer], ...] = (Json, OpenApiJsonRenderer)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """All of it; 304 for whoever has it already."""
        body, etag = made()
        headers = {"ETag": etag, "Cache-Control": "no-cache"}
        if request.headers.get("If-None-Match") == etag:
            return HttpResponse(status=304, headers=headers)
        return HttpResponse(body, content_type=MEDIA_TYPE, headers=headers)


urlpatterns = [path("openapi.json", Document.as_view(), name="schema")]
