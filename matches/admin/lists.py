"""Lists that stay fast however long the table is: nothing is counted, and nobody pages through all of it."""

from __future__ import annotations

from unfold.paginator import InfinitePaginator

MOST_PAGES = 200
"""Past them a search leads further than paging; PostgreSQL would have to read all rows before."""


class BoundedPaginator(InfinitePaginator):  # type: ignore[misc]
    """Previous and next; the table is never counted."""

    @property
    def num_pages(self) -> int:
        """Of which the list shows no more, whether there are rows or not."""
        return MOST_PAGES
