"""Which matches the laws are tried on: every game with every seat count, preset, race mode and option that matters."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import msgspec

import engine.games
from engine.core.errors import BadOptions
from tests.engine.driver import AnyGame, Case

ARRIVAL: Mapping[str, Any] = {"race": {"mode": "arrival"}}
REACTION: Mapping[str, Any] = {"race": {"mode": "reaction"}}
SHORT: Mapping[str, Mapping[str, Any]] = {
    "gnoming_a_round": {"turn_limit": 12},
    "slamwich": {"turn_limit": 25},
    "snap": {"turn_limit": 25},
    "splendor": {"turn_limit": 9},
    "three_up_three_down": {"turn_limit": 40},
}
"""Options with which a match is soon over; a game that isn't named here is played in full."""
VARIANTS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "gnoming_a_round": (
        {"taken_must_be_played": True},
        {"bounce_chain": "face_down"},
        {"round_limit_s": 60},
        {"time_limit_s": 60},
    ),
    "slamwich": (
        {**ARRIVAL, "munchers": False},
        {**REACTION, "munchers": False},
        {**ARRIVAL, "free_shout": True},
        {**REACTION, "free_shout": True},
        {**ARRIVAL, "time_limit_s": 60},
        {**REACTION, "time_limit_s": 60},
    ),
    "snap": (
        {**ARRIVAL, "index_card": True},
        {**REACTION, "index_card": True},
        {**ARRIVAL, "time_limit_s": 60},
        {**REACTION, "time_limit_s": 60},
    ),
    "splendor": ({"time_limit_s": 30},),
    "three_up_three_down": (
        {"failed_down": "stays"},
        {"deck": "36"},
        {"deck": "60"},
        {"deck": "36", "failed_down": "stays"},
        {"time_limit_s": 60},
    ),
}
"""Options that change what may happen, each tried with the fewest seats and with one more."""
MOST_SEATS = 16


def found_games() -> tuple[dict[str, AnyGame], dict[str, Exception]]:
    """Every game, and what keeps those back that can't be imported: they don't take the others with them."""
    found: dict[str, AnyGame] = {}
    broken: dict[str, Exception] = {}
    for module in pkgutil.iter_modules(engine.games.__path__):
        try:
            found[module.name] = import_module(f"engine.games.{module.name}").GAME
        except Exception as error:  # noqa: BLE001 - whatever it is, a test of its own reports it
            broken[module.name] = error
    return found, broken


GAMES, BROKEN = found_games()


def all_cases() -> list[Case]:
    """Every game's cases."""
    return [case for game in GAMES.values() for case in cases_of(game)]


def cases_of(game: AnyGame) -> Iterator[Case]:
    """Every seat count × preset × race mode, and the variants."""
    for preset in sorted(game.presets):
        for mode in race_modes(game):
            for seats in seat_counts(game, preset, mode):
                yield Case(game, seats, preset, mode)
    for values in VARIANTS.get(game.key, ()):
        for seats in seat_counts(game, "standard", values)[:2]:
            yield Case(game, seats, "standard", values)


def race_modes(game: AnyGame) -> tuple[Mapping[str, Any], ...]:
    """The options that choose how races are decided; one empty choice for a game without races."""
    return (ARRIVAL, REACTION) if "race" in game.options_type.__struct_fields__ else ({},)


def seat_counts(game: AnyGame, preset: str, values: Mapping[str, Any]) -> list[int]:
    """The seat counts with which a match may be opened."""
    options = game.options(values, preset)
    return [seats for seats in range(1, MOST_SEATS) if may_open(game, seats, options)]


def may_open(game: AnyGame, seats: int, options: Any) -> bool:
    """Whether the game allows this seat count with these options."""
    try:
        game.check(seats, options)
    except BadOptions:
        return False
    return True


def short(case: Case) -> Case:
    """The same with options with which it is soon over."""
    return Case(case.game, case.seats, case.preset, {**case.values, **SHORT.get(case.game.key, {})})


def case_from(text: str) -> Case:
    """The case that a text of `Case.text` names. Raises KeyError for a game that isn't there."""
    key, seats, preset, values = text.split("/", 3)
    return Case(GAMES[key], int(seats), preset, msgspec.json.decode(values))
