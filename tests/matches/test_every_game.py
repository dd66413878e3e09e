"""Every game there is, played through the services: what is stored is always what its log says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import msgspec
import pytest

from engine import registry
from engine.export import verify
from matches import selectors, timing
from matches.errors import ServiceError
from matches.models import Match, MoveRecord, Player, Position
from matches.services import lobby, play, upkeep
from tests.matches.factories import make_players, replayed, submit, table_of

pytestmark = pytest.mark.django_db

MOVES = 30
RACES = ({"race": {"window_ms": 60_000}}, {"race": {"mode": "reaction", "react_ms": 60_000}})
GAMES = [
    pytest.param(key, preset, options, id=f"{key} {preset} {options}")
    for key, game in sorted(registry.games().items())
    for preset in game.presets
    for options in (RACES if key in {"snap", "slamwich"} else ({},))
]


@pytest.mark.parametrize(("key", "preset", "options"), GAMES)
def test_a_match_of_every_game_is_what_its_log_says(key: str, preset: str, options: dict[str, object]) -> None:
    game = registry.find(key)
    seats = game.seat_range(game.options(options, preset))[0] + 1
    players = make_players(seats)
    match = begun(players, game=key, preset=preset, options=options)
    random = Random(f"{key} {preset} {options}")
    for _ in range(MOVES):
        if not go_on(match, players, random):
            break
    assert table_of(match) == replayed(match)
    for player in players:
        if not table_of(match).is_over and not table_of(match).seats[players.index(player)].has_left:
            with overtaken_by_time():
                play.match_resign(match_id=match.pk, player_id=player.pk, epoch=0, received=timing.now_ms())
    while not table_of(match).is_over:
        settle(match)
    assert table_of(match) == replayed(match)
    assert verify(selectors.match_export(match_id=match.pk, viewer_id=None)) == table_of(match)
    numbers = list(MoveRecord.objects.filter(match=match).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def begun(players: list[Player], **fields: object) -> Match:
    match = lobby.match_create(host_id=players[0].pk, seats=len(players), **fields)  # type: ignore[arg-type]
    for player in players[1:]:
        match = lobby.match_join(match_id=match.pk, player_id=player.pk)
    return match


def go_on(match: Match, players: list[Player], random: Random) -> bool:
    """Some seat that has something to decide decides, or what runs comes due; whether the match goes on."""
    for player in random.sample(players, len(players)):
        table = selectors.table_view(match_id=match.pk, viewer_id=player.pk).table
        if table.ending is not None:
            return False
        if table.decision is not None:
            move = msgspec.json.encode(random.choice(table.decision.moves))
            with overtaken_by_time():
                submit(match, player, move, serial=table.decision.serial)
            return True
    settle(match)
    return True


@contextmanager
def overtaken_by_time() -> Iterator[None]:
    """On a busy machine a race may be over before its answer comes."""
    try:
        yield
    except ServiceError as error:
        if error.code not in {"late_move", "match_over"}:
            raise


def settle(match: Match) -> None:
    due_at = Position.objects.get(match=match).due_at
    assert due_at is not None
    assert upkeep.match_settle(match_id=match.pk, now=due_at) > 0
