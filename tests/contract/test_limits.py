"""How often each operation may be called: no operation is without a limit. `-s` shows the table."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from itertools import product
from typing import Any

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from config.local.places import CHECKOUT
from matches.api.http import Endpoint
from matches.api.throttles import SAFE, Throttle
from tests.contract.document import API, Operation, operations

UUID = "0190f5fe-0000-7000-8000-000000000001"
SCOPES = {
    "POST players": "register",
    "POST guests": "register",
    "POST tokens": "login",
    "POST recovery": "recovery",
    "POST recovery/finish": "login",
    "POST codes": "login",
    "POST codes/join": "login",
    "POST me/password": "login",
    "POST me/email": "login",
    "POST me/email/confirm": "recovery",
    "POST email/confirm": "login",
    "POST me/close": "login",
    "GET me/data": "history",
    "GET me/stream": "stream",
    "GET matches/{match_id}/stream": "stream",
    "POST matches/{match_id}/moves": "move",
    "GET matches/{match_id}/history/{number}": "history",
    "GET matches/{match_id}/export": "history",
}
"""What isn't counted as `read` or `write`: it holds a password, a code or a mail, is a move, or is dear."""
UNCOUNTED = {
    "healthz": "load balancers ask",
    "readyz": "load balancers ask",
    "metrics": "behind a token of the operator's",
    "api/docs/": "the same for everybody",
    "api/docs/problems": "the same for everybody",
    "mail/stop/<str:token>": "behind a signed link, checked without a query",
    "mail/confirm/<str:token>": "behind a signed link, checked without a query",
}
"""Addresses outside of the interface, and why nobody counts. The admin's log-in counts for itself."""


def name_of(operation: Operation) -> str:
    return f"{operation.method} {operation.path.removeprefix(API)}"


def view_of(operation: Operation) -> type[Endpoint]:
    """The class that answers, found by an address of the kind: ids are numbers or UUIDs."""
    for of_match, other in product((UUID, "1"), ("1", UUID)):
        path = re.sub(r"\{\w+\}", other, operation.path.replace("{match_id}", of_match))
        with contextlib.suppress(Resolver404):
            found: type[Endpoint] = resolve(path).func.view_class  # type: ignore[attr-defined]
            return found
    raise AssertionError(f"nothing answers {operation.path}")


def test_every_operation_is_counted_in_the_scope_that_the_table_says() -> None:
    found = {}
    for operation in operations():
        view = view_of(operation)
        assert Throttle in view.throttle_classes, view
        found[name_of(operation)] = view.throttle_scope or ("read" if operation.method in SAFE else "write")
    print("", *(f"{scope:<10}{name}" for name, scope in sorted(found.items(), key=lambda row: row[::-1])), sep="\n")
    wanted = {name: SCOPES.get(name, "read" if name.startswith("GET ") else "write") for name in found}
    assert found == wanted


def test_every_scope_has_a_limit_unless_the_operator_takes_it_away() -> None:
    """As the settings have it; while tests run nobody is counted."""
    show = "import json; from config.settings import THROTTLES; print(json.dumps(THROTTLES))"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("THROTTLE_")}
    told = subprocess.check_output([sys.executable, "-c", show], cwd=CHECKOUT, env={"SECRET_KEY": "x", **clean})
    limits = json.loads(told)
    assert set(limits) == {"read", "write", *SCOPES.values()}
    assert [scope for scope, limit in limits.items() if limit is None] == []


def test_what_is_outside_of_the_interface_and_uncounted_is_known() -> None:
    uncounted = {
        route
        for route, view in addresses(get_resolver().url_patterns)
        if not route.startswith("admin/") and not issubclass(getattr(view, "view_class", object), Endpoint)
    }
    assert uncounted <= set(UNCOUNTED)


def addresses(patterns: list[Any], before: str = "") -> list[tuple[str, Any]]:
    """Every route, and what answers it."""
    found: list[tuple[str, Any]] = []
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            found.append((route, pattern.callback))
    return found
