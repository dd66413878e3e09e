"""What the workers do; each is one call of a service."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from matches.services import (
    bots,
    calendar,
    creation,
    farewell,
    lobby,
    mailing,
    notices,
    pairing,
    recovery,
    stock,
    tallies,
    tending,
    upkeep,
    webhooks,
)
from matches.services.deliveries import courier


@shared_task(name="matches.settle_due")
def settle_due() -> int:
    """Settle whatever is due; beat sends it every second. Where there is more than that, more workers join in."""
    return upkeep.sweep()


@shared_task(name="matches.settle_match")
def settle_match(match_id: str) -> int:
    """Settle one match, sent for the moment at which something is due in it."""
    return upkeep.match_settle(match_id=UUID(match_id))


@shared_task(name="matches.bot_move")
def bot_move(match_id: str, seat: int, serial: int) -> bool:
    """Make one move for a bot; sent again it changes nothing."""
    return bots.bot_move(match_id=UUID(match_id), seat=seat, serial=serial)


@shared_task(name="matches.call_bots")
def call_bots() -> int:
    """Call the bots again whose calls got lost; beat sends it every five seconds."""
    return bots.bots_call()


@shared_task(name="matches.tend_calendars")
def tend_calendars() -> int:
    """Announce nights, weekends and vacations; beat sends it every two seconds."""
    calendar.news_spread()
    return tending.calendars_tend()


@shared_task(name="matches.tally_matches")
def tally_matches() -> int:
    """Write the ratings that matches have given which are over; beat sends it every two seconds."""
    return tallies.tallies_write()


@shared_task(name="matches.pair_players")
def pair_players() -> int:
    """Seat those together who wait for the same; beat sends it every two seconds."""
    return pairing.players_pair()


@shared_task(name="matches.send_recoveries")
def send_recoveries() -> int:
    """Mail those who have forgotten their passwords, and those who want to confirm an address."""
    return recovery.recoveries_send() + mailing.confirmations_send()


@shared_task(name="matches.spread_notices")
def spread_notices() -> int:
    """Hand notices whose time has come to the channels; beat sends it every second."""
    return courier.spread()


@shared_task(name="matches.send_deliveries")
def send_deliveries(channel: str) -> None:
    """Send what is due by this channel."""
    courier.carry(channel)


@shared_task(name="matches.call_couriers")
def call_couriers() -> int:
    """Have whatever is due sent; beat sends it every two seconds."""
    return courier.carry_all()


@shared_task(name="matches.expire_lobbies")
def expire_lobbies() -> int:
    """Call off the lobbies that have waited too long."""
    return lobby.lobbies_expire()


@shared_task(name="matches.finish_farewells")
def finish_farewells() -> int:
    """Leave what players who closed their accounts still sit in."""
    return farewell.farewells_finish()


@shared_task(name="matches.drop_what_is_old")
def drop_what_is_old() -> int:
    """Forget what nobody needs any more: tickets, keys, notices, events of webhooks."""
    return pairing.tickets_drop() + creation.keys_drop() + notices.notices_drop() + webhooks.events_drop()


@shared_task(name="matches.take_stock")
def take_stock() -> None:
    """Count what the dashboard shows."""
    stock.stock_take()
