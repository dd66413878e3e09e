"""What a match may be asked to be: refusals before anything is stored."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.utils import timezone

from engine.core.errors import BadOptions, UnknownGame
from matches import bridge
from matches.bridge import AnyGame
from matches.errors import ServiceError
from matches.models import TITLE_LENGTH, Visibility
from matches.paces import LONGEST_WAIT_S, PACES, SHORTEST_WAIT_S, wait_of

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10


def game_for(key: str) -> AnyGame:
    """The game in its newest ruleset, or `unknown_game`."""
    try:
        return bridge.game_of(key)
    except UnknownGame as error:
        raise ServiceError("unknown_game", str(error)) from None


def options_for(game: AnyGame, seats: int, preset: str, values: Mapping[str, Any]) -> Any:
    """The options that this many seats will play with, or `bad_options`."""
    try:
        chosen = game.options(values, preset)
        game.check(seats, chosen)
    except BadOptions as error:
        raise ServiceError("bad_options", str(error)) from None
    return chosen


def control_for(control: Mapping[str, Any] | None, pace: str | None) -> dict[str, Any]:
    """The time control: one spelled out, or one with a name; without either there is no clock."""
    if control is not None and pace is not None:
        raise ServiceError("bad_options", "a match has a pace or a control of its own, not both")
    if pace is not None:
        return dict(named_pace(pace))
    return checked("control", bridge.time_control, control or {"type": "none"})


def bots_for(levels: Sequence[str], seats: int) -> tuple[str, ...]:
    """The levels of the bots in a match of so many seats, or `bad_options`."""
    if len(levels) > seats:
        raise ServiceError("bad_options", f"the match has {seats} seats: there is no room for {len(levels)} bots")
    return tuple(level_for(level) for level in levels)


def level_for(level: str) -> str:
    """A level of bots, or `bad_options`."""
    if level not in bridge.LEVELS:
        raise ServiceError("bad_options", f"bots are {', '.join(bridge.LEVELS)}, not {level[:50]!r}")
    return level


def named_pace(pace: str) -> Mapping[str, Any]:
    """The time control of this name."""
    if pace not in PACES:
        raise ServiceError("bad_options", f"pace is one of {', '.join(PACES)}, not {pace[:50]!r}")
    return PACES[pace].control


def checked(name: str, read: Callable[[Mapping[str, Any]], Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with all their fields, or `bad_options`."""
    try:
        found: dict[str, Any] = msgspec.to_builtins(read(values))
    except msgspec.ValidationError as error:
        raise ServiceError("bad_options", f"{name}: {error}") from None
    return found


def visibility_for(value: str) -> str:
    """Who will find the match."""
    if value not in Visibility.values:
        raise ServiceError("bad_options", f"visibility is one of {', '.join(Visibility.values)}, not {value!r}")
    return value


def title_for(title: str) -> str:
    """The title on one line: no sign that can't be seen, none that turns the direction of the text."""
    title = " ".join(unicodedata.normalize("NFKC", title).split())
    if len(title) > TITLE_LENGTH or any(unicodedata.category(sign)[0] == "C" for sign in title):
        raise ServiceError("bad_options", f"a title has at most {TITLE_LENGTH} signs, all of which can be seen")
    return title


def expiry_for(pace: str, wait_s: int | None) -> datetime:
    """When the lobby is called off if it hasn't begun."""
    seconds = wait_of(pace) if wait_s is None else wait_s
    if not SHORTEST_WAIT_S <= seconds <= LONGEST_WAIT_S:
        raise ServiceError("bad_options", f"a lobby waits {SHORTEST_WAIT_S} to {LONGEST_WAIT_S} seconds, not {seconds}")
    return timezone.now() + timedelta(seconds=seconds)


def join_code() -> str:
    """A code that is read out without mistakes and can't be guessed."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
