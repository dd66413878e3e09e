"""Rows as bodies."""

from __future__ import annotations

from datetime import time as wall_time
from typing import cast
from urllib.parse import urlsplit

import msgspec
from django.conf import settings

from engine.core.clock import Policy, TimeControl
from engine.core.outcome import Outcome
from matches import selectors
from matches.api.bodies import (
    AccountBody,
    BrowserBody,
    ConductBody,
    DeviceBody,
    Gate,
    Level,
    ListedPace,
    MatchBody,
    MatchStatus,
    MatchTime,
    NoticeBody,
    Pace,
    Pairing,
    PersonalData,
    PlayerBody,
    Profile,
    QuietBody,
    RatingBody,
    RatingChangeBody,
    RecordBody,
    ReliabilityBody,
    ReportRecord,
    SeatBody,
    SeatRecord,
    Visibility,
    WebhookBody,
    WishRecord,
)
from matches.selectors import (
    Change,
    Match,
    PairingTicket,
    Player,
    PushSubscription,
    Rating,
    Receiver,
    Record,
    Reliability,
    Seat,
    Seen,
    Told,
    Webhook,
)
from matches.skill import SETTLED_MATCHES, Skill, points
from matches.timing import now_ms


def player(row: Player) -> PlayerBody:
    """A player, as anybody may see it."""
    return PlayerBody(row.pk, row.name, row.is_guest, row.is_bot)


def account(row: Player) -> AccountBody:
    """A player, as it sees itself."""
    return AccountBody(
        row.pk,
        row.name,
        row.is_guest,
        row.is_bot,
        row.email,
        row.created_at,
        bool(row.email) and row.email == row.confirmed_email,
    )


def profile(row: Player, records: list[Record], ratings: list[Rating], reliable: Reliability | None) -> Profile:
    """A player, what it made of each game, and how good it is at it."""
    return Profile(
        id=row.pk,
        name=row.name,
        is_guest=row.is_guest,
        is_bot=row.is_bot,
        created_at=row.created_at,
        records=tuple(RecordBody(*record) for record in records),
        ratings=tuple(rating(one) for one in ratings),
        reliability=None if reliable is None else reliability(reliable),
    )


def reliability(row: Reliability) -> ReliabilityBody:
    """How far one can rely on a player."""
    return ReliabilityBody(row.percent or 0, row.turns, row.in_time, row.matches, row.left, row.reply_ms)


def gate(row: Match | PairingTicket) -> Gate | None:
    """Whom it lets in, None for everybody."""
    return None if row.gate.is_open else Gate(*row.gate)


def rating(row: Rating) -> RatingBody:
    """How good a player is at a game."""
    return RatingBody(
        row.game, points(row.ordinal), row.mu, row.sigma, row.matches, provisional=row.matches < SETTLED_MATCHES
    )


def rating_change(change: Change) -> RatingChangeBody:
    """What a match made of a rating."""
    row = change.row
    return RatingChangeBody(
        match=change.match_id,
        ended_at=row.ended_at,
        place=row.place,
        people=row.people,
        rating_before=points(Skill(row.mu_before, row.sigma_before).ordinal),
        rating=points(Skill(row.mu, row.sigma).ordinal),
        mu=row.mu,
        sigma=row.sigma,
    )


def personal_data(data: selectors.PersonalData) -> PersonalData:
    """Everything that is kept of a player."""
    return PersonalData(
        account=account(data.player),
        devices=tuple(DeviceBody(row.device, row.created_at, row.last_used_at, row.revoked_at) for row in data.devices),
        seats=tuple(_seat_record(seat) for seat in data.seats),
        blocked=tuple(player(row) for row in data.blocked),
        reports=tuple(
            ReportRecord(row.reason, row.player_id, row.match_id, row.text, row.created_at) for row in data.reports
        ),
        ratings=tuple(rating(row) for row in data.ratings),
        rating_changes=tuple(rating_change(Change(row, row.match_id)) for row in data.rating_changes),
        conducts=tuple(
            ConductBody(row.match_id, row.turns, row.in_time, tuple(row.replies), row.has_left) for row in data.conducts
        ),
        webhooks=tuple(webhook(row) for row in data.webhooks),
        wishes=_wish_record(data.receiver),
        browsers=tuple(browser(row) for row in data.browsers),
        notices=tuple(notice(told) for told in data.notices),
    )


def webhook(row: Webhook) -> WebhookBody:
    """A webhook, as its owner sees it: without its secret."""
    has_former = row.former_secret is not None and row.former_until > now_ms()
    return msgspec.convert(
        {
            "id": row.pk,
            "url": row.url,
            "kinds": row.kinds,
            "enabled": row.is_enabled,
            "stopped": row.stopped or None,
            "sequence": row.told,
            "fails": row.fails,
            "failing_since": row.failing_since,
            "former_secret_until": row.former_until if has_former else None,
            "created_at": row.created_at,
        },
        WebhookBody,
    )


def notice(told: Told) -> NoticeBody:
    """Something to tell."""
    return NoticeBody(*told)


def quiet(begins: wall_time | None, ends: wall_time | None) -> QuietBody | None:
    """Quiet hours, by the clock on the wall."""
    return None if begins is None or ends is None else QuietBody(f"{begins:%H:%M}", f"{ends:%H:%M}")


def _wish_record(row: Receiver) -> WishRecord:
    return WishRecord(row.wanted, quiet(row.quiet_begins, row.quiet_ends), row.mailed_at or None)


def browser(row: PushSubscription) -> BrowserBody:
    """A browser; of where it is reached only whose service that is."""
    return BrowserBody(row.pk, row.device, urlsplit(row.endpoint).hostname or "", row.created_at)


def pairing(row: PairingTicket) -> Pairing:
    """Where somebody stands in the queue."""
    pace = cast("Pace", row.pace)
    return Pairing(row.game, row.preset, row.seats, pace, gate(row), row.since, row.expires_at, row.match_id)


def stream_address(path: str) -> str:
    """The address of a stream: absolute when the stream service has an origin of its own."""
    return f"{settings.STREAMS_URL}/api/v1/{path}"


def time(seen: Seen) -> MatchTime:
    """The clocks of a match that runs, as one viewer may know them."""
    table = seen.table
    return MatchTime(now_ms(), table.awaited, table.clocks, table.timers, table.stops, table.windows, table.offer)


def match(row: Match, viewer_id: int | None, clocks: MatchTime | None = None) -> MatchBody:
    """A match with its seats, for one viewer; the seats and their players must have been fetched."""
    seats = sorted(row.seats.all(), key=lambda seat: seat.number)
    invited = [invitation.player for invitation in row.invitations.all()]
    own = next((seat for seat in seats if seat.player_id is not None and seat.player_id == viewer_id), None)
    return MatchBody(
        id=row.pk,
        game=row.game,
        ruleset=row.ruleset,
        preset=row.preset,
        options=row.options,
        seat_count=row.seat_count,
        title=row.title,
        pace=cast("ListedPace", row.pace),
        control=msgspec.convert(row.control, TimeControl),
        policy=msgspec.convert(row.policy, Policy),
        visibility=cast("Visibility", row.visibility),
        autostart=row.autostart,
        sandbox=row.sandbox,
        rated=row.rated,
        rates_bots=row.rates_bots,
        gate=gate(row),
        spectator_delay_s=row.spectator_delay_s,
        status=cast("MatchStatus", row.status),
        host=row.host_id,
        seats=tuple(_seat(seat) for seat in seats),
        your_seat=None if own is None else own.number,
        invited=() if own is None else tuple(player(guest) for guest in invited),
        you_are_invited=any(guest.pk == viewer_id for guest in invited),
        your_turn=own is not None and own.awaited_since is not None,
        deadline=None if own is None else own.deadline,
        join_code=row.join_code or None if own is not None else None,
        commitment=row.commitment,
        outcome=None if row.outcome is None else msgspec.convert(row.outcome, Outcome),
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        expires_at=row.expires_at if row.status == "lobby" else None,
        rematch_of=row.rematch_of_id,
        stream=stream_address(f"matches/{row.pk}/stream"),
        time=clocks,
    )


def _seat(row: Seat) -> SeatBody:
    seated = None if row.player is None else player(row.player)
    return SeatBody(row.number, seated, cast("Level | None", row.bot_level), row.has_left, row.place, row.score)


def _seat_record(row: Seat) -> SeatRecord:
    return SeatRecord(
        match=row.match_id,
        game=row.match.game,
        status=row.match.status,
        seat=row.number,
        salt=bytes(row.salt).hex(),
        has_left=row.has_left,
        place=row.place,
        score=row.score,
    )
