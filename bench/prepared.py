"""Matches whose next moves are all known beforehand, so that a load is nothing but moves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SECRET_KEY", "for measuring alone")
django.setup()

# ruff: noqa: E402 - models can't be imported before

from engine.core.game import RACE
from engine.core.race import RaceMode
from matches import bridge
from matches.bridge import AnyEntry, AnyReferee, AnyStep, AnyTable
from matches.models import Match, MoveRecord, Player, Position, Seat
from matches.services import lobby
from matches.services.players import tokens_issue

GAMES = ("snap", "slamwich", "three_up_three_down", "splendor", "gnoming_a_round")
SEATS = 3
CONTROL = {"type": "per_move", "move_s": 14 * 86_400}
SLOW_RACES = {"race": {"mode": RaceMode.ARRIVAL.value, "window_ms": 60_000}, "turn_limit": 100_000}
"""Nothing happens by itself while a race waits for its answers."""
OPTIONS: dict[str, dict[str, Any]] = {"snap": SLOW_RACES, "slamwich": SLOW_RACES}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A running match, and the requests that are its next moves: path, token, body."""

    match: Match
    requests: tuple[tuple[str, str, bytes], ...]


def players(number: int) -> list[tuple[Player, str]]:
    """So many players, each with an access token."""
    made = [Player.objects.create_player(f"load {Random().getrandbits(60):x}") for _ in range(number)]
    return [(player, tokens_issue(player=player).access) for player in made]


def prepare(game: str, people: list[tuple[Player, str]], moves: int, *, after: int = 0) -> Prepared:
    """Begin a match, bring it to so many entries, and work out the moves that come next."""
    fields: dict[str, Any] = {"game": game, "seats": len(people), "control": CONTROL, "options": OPTIONS.get(game, {})}
    match = lobby.match_create(host_id=people[0][0].pk, **fields)
    for player, _ in people[1:]:
        match = lobby.match_join(match_id=match.pk, player_id=player.pk)
    seats = list(Seat.objects.filter(match=match))
    by_player = {player.pk: token for player, token in people}
    tokens = [by_player[seat.player_id or 0] for seat in seats]
    referee = bridge.referee_of(match, seats)
    table = referee.open(bridge.opening_of(match, seats)).table
    if after:
        table = _bring_to(match, referee, table, after)
    requests = tuple(
        (f"/api/v1/matches/{match.pk}/moves", tokens[made.seat], made.body)
        for made in islice(_played(referee, table), moves)
    )
    return Prepared(match, requests)


class Made(NamedTuple):
    """A move, and the step that it was."""

    seat: int
    body: bytes
    step: AnyStep


def _played(referee: AnyReferee, table: AnyTable) -> Iterator[Made]:
    """Legal moves, one after another, until the match is over; in races everybody passes."""
    chance = Random(table.number)
    while not table.is_over:
        seat, decision = next((seat, at.decision) for seat, at in enumerate(table.seats) if at.decision is not None)
        assert decision is not None
        legal = referee.game.legal_moves(table.state, seat)
        move = legal[-1] if decision.occasion.kind == RACE else chance.choice(legal)
        at = table.at + 1
        step = referee.submit(table, seat=seat, serial=decision.serial, move=move, received=at, now=at)
        assert step.refusal is None, step.refusal
        table = step.table
        yield Made(seat, b'{"serial":%d,"move":%s}' % (decision.serial, bridge.dump(move).encode()), step)


def _bring_to(match: Match, referee: AnyReferee, table: AnyTable, entries: int) -> AnyTable:
    """Play on until the log has so many entries, and store it as if it had been played."""
    written: list[AnyEntry] = []
    for made in _played(referee, table):
        written += made.step.entries
        table = made.step.table
        if table.number >= entries:
            break
    rows = [
        MoveRecord(
            match_id=match.pk,
            number=entry.number,
            seat=entry.seat,
            serial=entry.serial,
            at=entry.at,
            received=entry.received,
            cause=entry.cause.value,
            entry=bridge.dump(entry),
        )
        for entry in written
    ]
    MoveRecord.objects.bulk_create(rows, batch_size=2000)
    Position.objects.filter(match=match).update(
        snapshot=bridge.dump(table), number=table.number, due_at=bridge.wake_at(referee, table)
    )
    return table
