"""Layers that pages need and the interface does not: who asks there shows a token, and no cookie means anything.

Leaving them out of its way spares each request a session, a user and messages that nobody would look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.utils.deprecation import MiddlewareMixin

if TYPE_CHECKING:
    from django.http import HttpRequest

INTERFACE = "/api/v1/"


class _OfPages(MiddlewareMixin):
    """Stands before a layer, and passes it by for the interface."""

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(INTERFACE):
            return self.get_response(request)
        return super().__call__(request)


class Sessions(_OfPages, SessionMiddleware):
    """Who has which cookie."""


class Users(_OfPages, AuthenticationMiddleware):
    """Who is logged in."""


class Messages(_OfPages, MessageMiddleware):
    """What the next page is to say."""
