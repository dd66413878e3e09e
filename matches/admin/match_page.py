"""The page of a match: seats and clocks, the table for any seat at any entry, the log, and who was told what."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from engine.core.viewing import EntryView
from matches import selectors
from matches.admin.drawing import draw
from matches.admin.match_deeds import MATCH_DEEDS, download, inspected
from matches.admin.match_forms import seat_name
from matches.admin.opened import is_open
from matches.admin.pages import Page
from matches.errors import ServiceError
from matches.models import Match, Seat
from matches.permits import Permit
from matches.selectors import Inspected
from matches.timing import moment, now_ms

LOG_PAGE = 50
MOST_DELIVERIES = 50


class SeatLine(NamedTuple):
    """A seat as the page lists it; `left_ms` at `since` (None: it stands), as clients count it down."""

    seat: Seat
    name: str
    is_awaited: bool
    left_ms: int | None
    since: int | None
    stops: tuple[str, ...]
    strikes: int | None


class LogLine(NamedTuple):
    """An entry as the page lists it."""

    entry: EntryView[Any, Any]
    at: Any
    waited_ms: int
    who: str
    what: str


class MatchPage(Page):
    """What the admin shows of one match."""

    deeds = MATCH_DEEDS
    change_form_show_cancel_button = False
    change_form_outer_before_template = "matches/admin/match.html"
    change_form_outer_after_template = "matches/admin/match_log.html"

    def get_urls(self) -> list[URLPattern]:
        """Also the table alone, and the export."""
        wrap = self.admin_site.admin_view
        return [
            path("<uuid:match_id>/table/", wrap(self.table_view), name="matches_match_table"),
            path("<uuid:match_id>/export/", wrap(self.export_view), name="matches_match_export"),
            *super().get_urls(),
        ]

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """With everything below the header."""
        match = kwargs.get("obj")
        found = None if match is None else inspected(match)
        context["never_began"] = found is None
        if found is not None:
            context.update(_sections(request, found))
        response = super().render_change_form(request, context, *args, **kwargs)
        # There are too many of them for the bar at the top.
        context["deeds"], context["actions_detail"] = context.get("actions_detail", []), []
        return response

    def table_view(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        """The table alone, which the slider fetches."""
        context = _picture(request, self._found(request, match_id))
        response = TemplateResponse(request, "matches/admin/table.html", context)
        response.headers["Cache-Control"] = "no-store"
        return response

    def export_view(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        """The export of a match that is over, which has no secrets any more."""
        found = self._found(request, match_id)
        if not request.user.has_perm(Permit.EXPORT_MATCH.full) or not found.is_over:
            raise PermissionDenied
        return download(selectors.finished_export(found), f"listik-{match_id}.json")

    def _found(self, request: HttpRequest, match_id: UUID) -> Inspected:
        if not self.has_view_permission(request):
            raise PermissionDenied
        match = Match.objects.filter(pk=match_id).first()
        found = None if match is None else inspected(match)
        if found is None:
            raise Http404
        return found


def _sections(request: HttpRequest, found: Inspected) -> dict[str, Any]:
    opened = is_open(request, found.match.pk)
    last = found.last(opened=opened)
    before = _number(request, "before", last + 1)
    lines = selectors.log_page(found, before=before, limit=LOG_PAGE, opened=opened)
    names = _names(found)
    oldest = lines[-1][0].number if lines else 1
    return {
        **_picture(request, found),
        "found": found,
        "opened": opened,
        "seat_lines": _seat_lines(found, opened=opened),
        "log_lines": [_log_line(entry, received, names) for entry, received in lines],
        "older": oldest if oldest > 1 else None,
        "newer": min(before + LOG_PAGE, last + 1) if before <= last else None,
        "notices": [(notice, _time(notice.not_before)) for notice in selectors.notices_in(match_id=found.match.pk)],
        "deliveries": selectors.deliveries_in(found, limit=MOST_DELIVERIES),
        "due": _time(found.due_at) if opened or found.is_over else None,
        "secret": bytes(found.match.secret).hex() if opened or found.is_over else None,
        "may_export": found.is_over and request.user.has_perm(Permit.EXPORT_MATCH.full),
        "now_ms": now_ms(),
    }


def _picture(request: HttpRequest, found: Inspected) -> dict[str, Any]:
    """The table for the seat and the entry that the address asks for; without these, the newest for a spectator."""
    opened = is_open(request, found.match.pk)
    last = found.last(opened=opened)
    asked = request.GET.get("seat", "")
    seat = int(asked) if asked.isascii() and asked.isdecimal() else None
    refusal = ""
    try:
        sight = selectors.sight_at(found, number=_number(request, "entry", last), seat=seat, opened=opened)
    except ServiceError as error:
        refusal = error.message
        sight = selectors.sight_at(found, number=_number(request, "entry", last), seat=None, opened=opened)
    names = _names(found)
    entry = selectors.log_page(found, before=sight.number + 1, limit=1, opened=opened)
    shows_whole = asked == "all" and sight.whole is not None
    return {
        "sight": sight,
        "refusal": refusal,
        "moment": moment(sight.at),
        "scene": draw(sight.game, sight.table, names),
        "whole": msgspec.json.format(msgspec.json.encode(sight.whole), indent=2).decode() if shows_whole else None,
        "entry_line": _log_line(*entry[0], names) if entry else None,
        "decision": sight.table.decision,
        "names": names,
        "last": last,
        "tabs": _tabs(names, sight.seat, opened=opened or found.is_over, shows_whole=shows_whole),
        "table_url": reverse("admin:matches_match_table", args=[found.match.pk]),
    }


def _tabs(
    names: tuple[str, ...], shown: int | None, *, opened: bool, shows_whole: bool
) -> list[tuple[str, str, bool, bool]]:
    """Value, title, whether it is shown, whether it may be."""
    tabs = [("", "Spectator", shown is None and not shows_whole, True)]
    tabs += [(str(seat), f"{seat} · {name}", shown == seat, opened) for seat, name in enumerate(names)]
    return [*tabs, ("all", "Everything", shows_whole, opened)]


def _seat_lines(found: Inspected, *, opened: bool) -> list[SeatLine]:
    seen = selectors.sight_at(found, number=found.last(opened=opened), seat=None, opened=opened).table
    return [
        SeatLine(
            seat,
            seat_name(seat),
            seat.number in seen.awaited,
            seen.clocks[seat.number].left_ms,
            seen.clocks[seat.number].since if not found.is_over else None,
            seen.clocks[seat.number].stops,
            found.newest.seats[seat.number].strikes if opened or found.newest.sealed is None else None,
        )
        for seat in found.match.seats.all()
    ]


def _log_line(entry: EntryView[Any, Any], received: int, names: tuple[str, ...]) -> LogLine:
    seats = (entry.seat,) if entry.seat is not None else entry.seats or ((entry.grant.seat,) if entry.grant else ())
    who = ", ".join(names[seat] for seat in seats)
    return LogLine(entry, moment(entry.at), entry.at - received, who, _what(entry))


def _what(entry: EntryView[Any, Any]) -> str:
    """What was asked for and what happened, as short JSON: every game says it in its own words."""
    fields = ("serial", "move", "key", "window", "offer", "agrees", "grant")
    told = {name: getattr(entry, name) for name in fields if getattr(entry, name) is not None}
    said = [f"{name} {_plain(value)}" for name, value in told.items()]
    return " · ".join([*said, *(_plain(event) for event in entry.events)])


def _plain(value: Any) -> str:
    return _in_words(msgspec.to_builtins(value))


def _in_words(known: Any) -> str:
    if isinstance(known, list | tuple):
        return " ".join(map(_in_words, known)) or "none"
    if not isinstance(known, dict):
        return {True: "yes", False: "no"}.get(known, str(known)) if isinstance(known, bool) else str(known)
    kind = str(known.pop("type", "")).replace("_", " ")
    is_counted = all(isinstance(held, int) and not isinstance(held, bool) for held in known.values())
    # Of tokens and the like only those that there are; a seat and a place may well be 0.
    told = {name: held for name, held in known.items() if held is not None and (kind or held or not is_counted)}
    rest = ", ".join(f"{name.replace('_', ' ')} {_in_words(held)}" for name, held in told.items())
    return f"{kind} ({rest})" if kind and rest else kind or rest


def _names(found: Inspected) -> tuple[str, ...]:
    return tuple(seat_name(seat) for seat in sorted(found.match.seats.all(), key=lambda seat: seat.number))


def _number(request: HttpRequest, name: str, default: int) -> int:
    given = request.GET.get(name, "")
    return min(int(given), 2**31 - 1) if given.isascii() and given.isdecimal() and len(given) < 12 else default


def _time(ms: int | None) -> Any:
    return None if ms is None else moment(ms)
