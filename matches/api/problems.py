"""Errors as RFC 9457 problem details; every one has a code that never changes."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, InternalError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.views import set_rollback

from config import figures
from matches.api.bodies import FieldError, Problem
from matches.errors import CODES, ServiceError

MEDIA_TYPE = "application/problem+json"
_PATH = re.compile(r"^(?P<detail>.*?) - at `(?P<path>\$.*)`$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")

OF_DRF: dict[type[exceptions.APIException], str] = {
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "token_invalid",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "throttled",
    exceptions.ParseError: "malformed",
}


def problem(code: str, detail: str, **more: Any) -> Problem:
    """A problem of the table `matches.errors.CODES`."""
    status, title = CODES[code]
    return Problem(f"/api/docs/problems#{code}", title, status, code, detail, **more)


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """DRF's exception handler, for every page. What it doesn't know is a fault of ours: Django logs it."""
    found, headers = of_error(error)
    if found is None:
        return None
    set_rollback()
    return _plain(found, headers)


def malformed(error: msgspec.DecodeError) -> Problem:
    """A body that isn't JSON, or whose types are wrong; names the field."""
    match = _PATH.match(str(error))
    if match is None:
        return problem("malformed", str(error))
    pointer = "".join(f"/{name or index}" for name, index in _STEP.findall(match["path"]))
    detail = match["detail"]
    return problem("malformed", f"{pointer or '/'}: {detail}", errors=(FieldError(pointer, detail),))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for an address that leads nowhere."""
    return _plain(problem("not_found", f"there is nothing at {request.path}"))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for a request that it doesn't take: a host that isn't served, a field too many."""
    return _plain(problem("malformed", "the request isn't one that this service takes"))


UNREACHABLE = problem("unavailable", "the database can't be reached; try again"), {"Retry-After": "2"}


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler for a fault of ours."""
    return _plain(problem("server_error", "the service failed; nothing was changed by this request"))


def of_error(error: Exception) -> tuple[Problem | None, dict[str, str]]:
    """An exception as a problem, with the headers that go with it; None for a fault of ours."""
    match error:
        case ServiceError():
            extra = dict(error.extra)
            retry_after = extra.pop("retry_after", None)
            known = {name: value for name, value in extra.items() if name in {"rule", "errors"}}
            headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
            if error.status == HTTPStatus.UNAUTHORIZED:
                headers["WWW-Authenticate"] = "Bearer"
            return problem(error.code, error.message, **known), headers
        case msgspec.DecodeError():
            return malformed(error), {}
        case Http404():
            return problem("not_found", "there is no such thing, or you may not know of it"), {}
        case OperationalError() | InterfaceError():
            return UNREACHABLE
        case InternalError() if getattr(error.__cause__, "sqlstate", "") is None:
            # No error of the database: a connection that broke in the middle made no sense to the driver.
            return UNREACHABLE
        case RequestDataTooBig():
            return problem("too_large", "the request's body is too large"), {}
        case exceptions.APIException():
            return _of_drf(error)
        case _:
            return None, {}


def _of_drf(error: exceptions.APIException) -> tuple[Problem, dict[str, str]]:
    code = OF_DRF.get(type(error), "malformed")
    headers = {}
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(int(wait) + 1)
    scheme = getattr(error, "auth_header", None)
    if scheme:
        headers["WWW-Authenticate"] = scheme
    return problem(code, str(error.detail)), headers


def _plain(found: Problem, headers: dict[str, str] | None = None) -> HttpResponse:
    figures.count("refused", found.code)
    return HttpResponse(msgspec.json.encode(found), content_type=MEDIA_TYPE, status=found.status, headers=headers)
