"""A deed is whatever somebody of the staff changes: a service, called with a reason, by who may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.http import HttpRequest, HttpResponse
from unfold.widgets import UnfoldAdminTextareaWidget

from matches.models import Player
from matches.permits import Permit
from matches.services.audit import LONGEST_REASON, SHORTEST_REASON


class DeedForm(forms.Form):
    """Asks for the reason, which everything in the audit log has; a subclass asks for more."""

    reason = forms.CharField(
        min_length=SHORTEST_REASON,
        max_length=LONGEST_REASON,
        help_text="For those who come later. It stands in the audit log.",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )
    field_order: Any = None

    def __init__(self, *args: Any, row: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prepare(row)
        # The reason comes last, below what it is the reason for.
        self.order_fields(self.field_order or [*(name for name in self.fields if name != "reason"), "reason"])

    def prepare(self, row: Any) -> None:
        """Fit the fields to the row, None for several; nothing here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What can be done to a row. `run(request, row, cleaned)` calls the service and gives what is said afterwards,
    or a file.

    `name` is part of the page's address. `permit` is what one needs. `fits(row)` says whether it is offered for this
    row. A grave one is red. `for_several` offers it in the list as well, for the rows that are ticked.
    """

    name: str
    title: str
    icon: str
    permit: Permit
    run: Callable[[HttpRequest, Any, dict[str, Any]], str | HttpResponse]
    explains: str = ""
    form: type[DeedForm] = DeedForm
    fits: Callable[[Any], bool] = lambda row: True
    is_grave: bool = False
    for_several: bool = False

    def is_allowed(self, request: HttpRequest) -> bool:
        """Whether who asks may do it."""
        return bool(request.user.has_perm(self.permit.full))


def actor_of(request: HttpRequest) -> int:
    """The id of whoever does it, for the audit log."""
    return cast("Player", request.user).pk
