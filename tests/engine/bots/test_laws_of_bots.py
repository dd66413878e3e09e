"""What holds for every bot in every match: legal, the same again, and nothing but what its seat may know."""

from __future__ import annotations

import gc
from types import FunctionType
from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots import AnyBot, Level, Sight, bot_for
from engine.core.rng import Rng
from tests.engine.bots.cases import CASES, asked, is_race, sight_in, stream
from tests.engine.bots.driver import BotMatch
from tests.engine.cases import short
from tests.engine.driver import Case

on_every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.text)
by_level = pytest.mark.parametrize("level", list(Level))
SAMPLING = {("splendor", Level.HARD), ("three_up_three_down", Level.HARD)}
"""Bots that play on from imagined deals: two of them may judge the same sight differently."""
ALL_BUT_SAMPLING = [
    pytest.param(case, level, id=f"{case.text}-{level}")
    for case in CASES
    for level in Level
    if (case.game.key, level) not in SAMPLING
]
POSITIONS = 16
SEARCHED = 4
STEPS = 30


def answer(bot: AnyBot, sight: Sight[Any, Any, Any], rng: Rng, *, races: bool) -> Any:
    """What the bot does, with its time in a race."""
    return bot.react(sight, rng) if races else bot.choose(sight, rng)


def positions(case: Case, level: Level) -> list[tuple[Any, int]]:
    """Fewer where each is searched."""
    most = SEARCHED if (case.game.key, level) in SAMPLING else POSITIONS
    return list(asked(case, len(case.text), every=3, most=most))


@by_level
@on_every_case
def test_every_choice_and_every_reaction_is_legal_and_the_same_again(case: Case, level: Level) -> None:
    bot = bot_for(case.game, level)
    for number, (state, seat) in enumerate(positions(case, level)):
        races = is_race(case, state, seat)
        sight = sight_in(case, state, seat, number)

        first = answer(bot, sight, stream(number), races=races)

        assert answer(bot_for(case.game, level), sight, stream(number), races=races) == first
        assert (first.move if races else first) in case.game.legal_moves(state, seat)


@pytest.mark.parametrize(("case", "level"), ALL_BUT_SAMPLING)
def test_what_its_seat_cannot_tell_apart_a_bot_cannot_either(case: Case, level: Level) -> None:
    bot = bot_for(case.game, level)
    for number, (state, seat) in enumerate(positions(case, level)):
        races = is_race(case, state, seat)
        other = case.game.shuffle_hidden(state, seat, stream(1000 + number))

        answers = [
            answer(bot, sight_in(case, like, seat, blind), stream(number), races=races)
            for blind, like in enumerate((state, other))
        ]

        assert answers[0] == answers[1]


@on_every_case
def test_a_sight_does_not_hold_the_state(case: Case) -> None:
    for number, (state, seat) in enumerate(asked(case, 7, every=4, most=3)):
        sight = sight_in(case, state, seat, number)

        assert not any(held is state for held in reachable(sight))
        assert sight.view == case.game.view(state, seat)
        assert list(sight.moves) == list(case.game.legal_moves(state, seat))


def test_a_sight_that_held_the_state_would_be_found_out() -> None:
    case = CASES[0]
    state, _ = case.game.setup(case.seats, case.options, 0, stream(1))
    leaky = replace(sight_in(case, state, 0, 1), imagine=lambda rng: case.game.shuffle_hidden(state, 0, rng))

    assert any(held is state for held in reachable(leaky))


def reachable(root: object) -> list[object]:
    """Everything that can be got at from here; of code only what it holds on to."""
    seen: dict[int, object] = {}
    found = [root]
    while found:
        thing = found.pop()
        if id(thing) not in seen and not isinstance(thing, type) and type(thing).__name__ != "module":
            seen[id(thing)] = thing
            found += thing.__closure__ or () if isinstance(thing, FunctionType) else gc.get_referents(thing)
    return list(seen.values())


@on_every_case
def test_the_levels_play_with_each_other_from_the_deal(case: Case) -> None:
    case = short(case)
    levels = list(Level) * case.seats
    match = BotMatch(case.game, case.options, [bot_for(case.game, level) for level in levels[: case.seats]], 5)
    for _ in range(STEPS):
        if case.game.outcome(match.state) is None:
            match.step()

    assert match.decisions


@on_every_case
def test_a_match_of_bots_alone_ends_by_itself(case: Case) -> None:
    case = short(case)
    match = BotMatch(case.game, case.options, [bot_for(case.game, Level.NORMAL)] * case.seats, 1)

    assert len(match.play_out().places) == case.seats
