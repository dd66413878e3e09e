"""What the pages of the admin have in common: they show, and whatever changes something is a deed with a reason."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection, transaction
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from psycopg.errors import QueryCanceled
from unfold.admin import ModelAdmin, TabularInline
from unfold.enums import ActionVariant

from matches.admin.deeds import Deed, DeedForm
from matches.admin.lists import PATIENCE, InfinitePaginator, as_number
from matches.errors import ServiceError

MOST_AT_ONCE = 100
"""So many rows of a list one deed is done to."""


class ReadOnly:
    """Nothing can be added, changed or deleted by Django's own forms."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Rows(ReadOnly, TabularInline):  # type: ignore[misc]
    """Rows of another table, below the one that they belong to."""

    extra = 0
    can_delete = False


class Page(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """The list and the pages of one table. A subclass names its `deeds`; each has a button and a page of its own."""

    deeds: ClassVar[tuple[Deed, ...]] = ()
    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
    list_max_show_all = 0
    # A table can be sorted fast only where there is an index for it.
    sortable_by: ClassVar[tuple[str, ...]] = ()
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    # `find` takes their place; one name is needed for the field to be shown.
    search_fields: ClassVar[tuple[str, ...]] = ("pk",)
    list_fullwidth = True
    change_form_show_cancel_button = True

    def get_urls(self) -> list[URLPattern]:
        """Also the page of every deed."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_deed"
        view = self.admin_site.admin_view(self.deed_view)
        return [path("<path:object_id>/do/<slug:deed_name>/", view, name=name), *super().get_urls()]

    def find(self, request: HttpRequest, term: str) -> Q:
        """What is looked for by a search, with the help of an index."""
        return Q(pk=as_number(term))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows that are looked for; none of them comes twice."""
        term = search_term.strip()
        return (queryset.filter(self.find(request, term)) if term else queryset), False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, within what it may cost."""
        if request.method == "POST":
            response: HttpResponse = super().changelist_view(request, extra_context)
            return response
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [PATIENCE])
                response = super().changelist_view(request, extra_context)
                # The rows are read while the page is written.
                return response.render() if isinstance(response, TemplateResponse) else response
        except OperationalError as error:
            if not isinstance(error.__cause__, QueryCanceled):
                raise
        messages.warning(request, "This takes too long to find; use fewer filters, or search for a name or an id.")
        return HttpResponseRedirect(request.path)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """The deeds that can be done to several rows of the list, for who may do them."""
        return {
            deed.name: (_several(deed), deed.name, deed.title)
            for deed in self.deeds
            if deed.for_several and deed.is_allowed(request)
        }

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """With a button for every deed that may be done to the row."""
        row = kwargs.get("obj")
        context["actions_detail"] = (
            [] if row is None else [self._button(deed, row) for deed in self._open(request, row)]
        )
        return super().render_change_form(request, context, *args, **kwargs)

    def deed_view(self, request: HttpRequest, object_id: str, deed_name: str) -> HttpResponse:
        """Ask for the reason and whatever else the deed needs; do it; go back to the row."""
        deed = next((deed for deed in self.deeds if deed.name == deed_name), None)
        row = None if deed is None else self.get_object(request, object_id)
        if deed is None or row is None:
            raise Http404
        if not deed.is_allowed(request) or not self.has_view_permission(request, row):
            raise PermissionDenied
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])
        if not deed.fits(row):
            messages.warning(request, f"{deed.title}: not possible as it stands.")
            return HttpResponseRedirect(back)
        form = deed.form(request.POST if request.method == "POST" else None, row=row, initial=request.GET.dict())
        if request.method == "POST" and form.is_valid() and (done := self.do(request, deed, [row], form)) is not None:
            return done[0] if done else HttpResponseRedirect(back)
        return self.ask(request, deed, [row], form, back=back)

    def do(self, request: HttpRequest, deed: Deed, rows: list[Any], form: DeedForm) -> list[HttpResponse] | None:
        """Do it to each of the rows; the files that came of it. None if not all were done: the form says why."""
        files = []
        for row in rows:
            try:
                said = deed.run(request, row, form.cleaned_data)
            except ServiceError as error:
                form.add_error(None, f"{row}: {error.message}" if len(rows) > 1 else error.message)
                return None
            if isinstance(said, HttpResponse):
                files.append(said)
            else:
                messages.success(request, said)
        return files

    def ask(
        self, request: HttpRequest, deed: Deed, rows: list[Any], form: DeedForm, *, back: str, hidden: Any = ()
    ) -> HttpResponse:
        """The page with the deed's form."""
        context = {
            **self.admin_site.each_context(request),
            "title": deed.title,
            "opts": self.opts,
            "deed": deed,
            "rows": rows,
            "form": form,
            "back": back,
            "hidden": hidden,
        }
        return TemplateResponse(request, "matches/admin/deed.html", context)

    def _open(self, request: HttpRequest, row: Model) -> list[Deed]:
        return [deed for deed in self.deeds if deed.is_allowed(request) and deed.fits(row)]

    def _button(self, deed: Deed, row: Model) -> dict[str, Any]:
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_deed"
        return {
            "title": deed.title,
            "icon": deed.icon,
            "variant": ActionVariant.DANGER if deed.is_grave else ActionVariant.DEFAULT,
            "attrs": {},
            "path": reverse(name, args=[row.pk, deed.name]),
        }


def _several(deed: Deed) -> Any:
    """The deed as Django's lists call it: first it asks, then it is done to all that were ticked."""

    def work(page: Page, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        rows = [row for row in queryset[:MOST_AT_ONCE] if deed.fits(row)]
        if not rows:
            messages.warning(request, f"{deed.title}: not possible for what was chosen.")
            return None
        form = deed.form(request.POST if "confirmed" in request.POST else None)
        if form.is_bound and form.is_valid() and page.do(request, deed, rows, form) is not None:
            return None
        hidden = [("action", deed.name), ("confirmed", "1"), *(("_selected_action", row.pk) for row in rows)]
        return page.ask(request, deed, rows, form, back=request.get_full_path(), hidden=hidden)

    return work
