"""Lists that stay fast however long the table is: nothing is counted, searched by anything but an index, or sorted.

What an index can't help with, such as a rare combination of filters, is given up after a few seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib.admin import SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.paginator import InfinitePaginator as ThemesPaginator

from matches.models import Player, name_key

MOST_PAGES = 200
"""Past them a search leads further than paging; PostgreSQL would have to read all rows before."""
PATIENCE = "5s"
"""What a list may cost the database."""


class InfinitePaginator(ThemesPaginator):  # type: ignore[misc]
    """Previous and next; the table is never counted. The theme knows it by its name."""

    @property
    def num_pages(self) -> int:
        """Of which the list shows no more, whether there are rows or not."""
        return MOST_PAGES


def among(field: str, title: str, choices: Callable[[], tuple[str, ...]]) -> type[SimpleListFilter]:
    """A filter by a column with few values; Django's own would read the whole table to find them."""

    class Among(SimpleListFilter):
        parameter_name = field

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(choice, choice) for choice in choices()]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset if self.value() is None else queryset.filter(**{field: self.value()})

    Among.title = title
    return Among


def as_uuid(term: str) -> UUID | None:
    """The id of a match, if this is one."""
    try:
        return UUID(term)
    except ValueError:
        return None


def as_number(term: str) -> int | None:
    """The id of anything else, if this is one."""
    return int(term) if term.isdecimal() and term.isascii() and len(term) < 19 else None


def player_ids(term: str) -> list[int]:
    """The player of that name or number, as a list of at most one id of each."""
    number = as_number(term)
    found = list(Player.objects.filter(name_key=name_key(term)).values_list("pk", flat=True))
    return found if number is None else [*found, number]


def by_name(term: str) -> Q:
    """Players whose name begins like that, or who have that number."""
    number = as_number(term)
    named = Q(name_key__startswith=name_key(term))
    return named if number is None else named | Q(pk=number)
