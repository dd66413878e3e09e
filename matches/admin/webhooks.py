"""Webhooks of players: whose they are and how they do, what they were told, and every attempt at it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse

from matches import selectors
from matches.admin.deeds import Deed, actor_of
from matches.admin.lists import as_number, as_uuid, player_ids
from matches.admin.masks import host_of, masked
from matches.admin.pages import Page, Rows
from matches.models import EventState, Stopped, Webhook, WebhookAttempt, WebhookEvent
from matches.permits import Permit
from matches.selectors.webhooks import MOST_SHOWN
from matches.services import webhooks
from matches.timing import moment

LATEST = 20
"""So many events stand below their webhook; the list of events has the others."""


def _at(ms: int | None) -> str | None:
    return f"{moment(ms):%Y-%m-%d %H:%M:%S}" if ms else None


class StateFilter(admin.SimpleListFilter):
    """By how they do; each has an index."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """What one may be interested in."""
        return [("failing", "failing"), ("off", "switched off"), *((why.value, why.label) for why in Stopped)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Webhook]) -> QuerySet[Webhook]:
        """Those that do so."""
        wanted = self.value()
        if wanted == "failing":
            return queryset.filter(fails__gt=0, is_enabled=True)
        if wanted == "off":
            return queryset.filter(is_enabled=False)
        return queryset.filter(is_enabled=False, stopped=wanted) if wanted in Stopped else queryset


def _stop(request: HttpRequest, hook: Webhook, given: dict[str, Any]) -> str:
    webhooks.webhook_stop(webhook_id=hook.pk, actor_id=actor_of(request), reason=given["reason"])
    return f"Webhook {hook.pk} is switched off."


def _start(request: HttpRequest, hook: Webhook, given: dict[str, Any]) -> str:
    webhooks.webhook_start(webhook_id=hook.pk, actor_id=actor_of(request), reason=given["reason"])
    return f"Webhook {hook.pk} is switched on; what waits is sent."


def _resend(request: HttpRequest, event: WebhookEvent, given: dict[str, Any]) -> str:
    webhooks.delivery_resend(event_id=event.pk, actor_id=actor_of(request), reason=given["reason"])
    return f"Event {event.sequence} of webhook {event.webhook_id} is sent again."


@admin.register(Webhook)
class WebhookAdmin(Page):
    """Webhooks. Of the address the host alone is shown, of the secret nothing."""

    list_display = ("id", "player", "host", "told_of", "state", "failing_from", "waiting_events", "created")
    list_filter = (StateFilter,)
    list_select_related = ("player",)
    search_help_text = "Number of a webhook, or name or number of its owner"
    readonly_fields = (
        *("host", "told_of", "state", "failing_from", "waiting_events"),
        *("next_attempt", "paused", "created"),
    )
    fields = ("id", "player", *readonly_fields[:4], "fails", *readonly_fields[4:7], "is_slow", "told", "created")
    change_form_after_template = "matches/admin/webhook_events.html"
    deeds = (
        Deed(
            name="stop",
            title="Switch off",
            icon="block",
            permit=Permit.MANAGE_WEBHOOKS,
            run=_stop,
            fits=lambda hook: hook.stopped != Stopped.STAFF,
            is_grave=True,
            for_several=True,
            explains="Nothing is sent any more, and only the staff can switch it on again. The owner gets a mail.",
        ),
        Deed(
            name="start",
            title="Switch on",
            icon="play_arrow",
            permit=Permit.MANAGE_WEBHOOKS,
            run=_start,
            fits=lambda hook: bool(hook.stopped),
            for_several=True,
            explains="It begins anew, as if it had never failed, and what waits is sent.",
        ),
    )

    def find(self, request: HttpRequest, term: str) -> Q:
        """By number or owner."""
        number = as_number(term)
        owned = Q(player__in=player_ids(term))
        return owned if number is None else owned | Q(pk=number)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """With what waits for the webhooks of the page, counted at once."""
        found = super().get_changelist_instance(request)
        waiting = selectors.events_waiting([hook.pk for hook in found.result_list])
        for hook in found.result_list:
            hook.waiting = waiting[hook.pk]
        return found

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Webhook | None:
        """With what waits for it."""
        hook: Webhook | None = super().get_object(request, object_id, from_field)
        if hook is not None:
            hook.waiting = selectors.events_waiting([hook.pk])[hook.pk]  # type: ignore[attr-defined]
        return hook

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With its latest events."""
        number = as_number(object_id)
        events = WebhookEvent.objects.filter(webhook=number).order_by("-sequence")[:LATEST] if number else ()
        shown = {"events": [(event, moment(event.created_at)) for event in events], "latest": LATEST}
        response: HttpResponse = super().change_view(request, object_id, form_url, {**shown, **(extra_context or {})})
        return response

    def host(self, hook: Webhook) -> str:
        """Where it leads."""
        return host_of(hook.url)

    @admin.display(description="kinds")
    def told_of(self, hook: Webhook) -> str:
        """The kinds that it is told of."""
        return ", ".join(hook.kinds) or "–"

    def state(self, hook: Webhook) -> str:
        """How it does, in words."""
        if hook.stopped:
            return f"off: {hook.get_stopped_display()}"
        if not hook.is_enabled:
            return "off: its owner has switched it off"
        return f"failed {hook.fails} times in a row" if hook.fails else "well"

    @admin.display(description="failing since")
    def failing_from(self, hook: Webhook) -> str | None:
        """Since when nothing was taken."""
        return _at(hook.failing_since)

    def waiting_events(self, hook: Any) -> str:
        """How many, up to a bound."""
        return f"more than {MOST_SHOWN:,}" if hook.waiting > MOST_SHOWN else f"{hook.waiting:,}"

    def next_attempt(self, hook: Webhook) -> str | None:
        """When something is sent."""
        return _at(hook.due_at)

    @admin.display(description="paused until")
    def paused(self, hook: Webhook) -> str | None:
        """Until when it is left alone after a failure."""
        return _at(hook.paused_until)

    def created(self, hook: Webhook) -> str | None:
        """When it was made."""
        return _at(hook.created_at)


class AttemptRows(Rows):
    """The log of attempts, below their event."""

    model = WebhookAttempt
    hide_title = True
    ordering = ("-at", "-pk")
    fields = ("began", "took_ms", "status", "failure", "why")
    readonly_fields = ("began", "why")
    verbose_name_plural = "attempts"

    def began(self, attempt: WebhookAttempt) -> str | None:
        """When, as a time of day."""
        return _at(attempt.at)

    def why(self, attempt: WebhookAttempt) -> str:
        """Why there was no answer, in words."""
        return masked(attempt.reason) or "–"


@admin.register(WebhookEvent)
class WebhookEventAdmin(Page):
    """What webhooks are told, the newest first."""

    list_display = ("created", "webhook", "host", "sequence", "kind", "state", "attempts", "next_attempt")
    list_filter = ("state",)
    list_select_related = ("webhook",)
    ordering = ("-created_at",)
    search_help_text = "Id of an event, number of a webhook, or name of its owner"
    fields = ("id", "webhook", "host", "sequence", "kind", "state", "attempts", "next_attempt", "created")
    readonly_fields = ("host", "next_attempt", "created")
    inlines = (AttemptRows,)
    deeds = (
        Deed(
            name="resend",
            title="Send again",
            icon="replay",
            permit=Permit.MANAGE_WEBHOOKS,
            run=_resend,
            fits=lambda event: event.webhook.is_enabled,
            for_several=True,
            explains="Under the id and with the content that it had; its attempts begin anew, and at once.",
        ),
    )

    def find(self, request: HttpRequest, term: str) -> Q:
        """By event, webhook or owner."""
        event_id, number = as_uuid(term), as_number(term)
        if number is not None:
            return Q(webhook=number)
        if event_id is not None:
            return Q(pk=event_id)
        return Q(webhook__in=list(Webhook.objects.filter(player__in=player_ids(term)).values_list("pk", flat=True)))

    def host(self, event: WebhookEvent) -> str:
        """Where it goes."""
        return host_of(event.webhook.url)

    def next_attempt(self, event: WebhookEvent) -> str | None:
        """When it is tried next, unless its webhook is off or paused for longer."""
        return _at(event.due_at) if event.state == EventState.WAITING else None

    def created(self, event: WebhookEvent) -> str | None:
        """When it was written."""
        return _at(event.created_at)
