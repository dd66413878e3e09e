"""The words that clients send and read, and stored matches are made of, stay as they are."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import (
    AnyEvent,
    AnyMove,
    Bounce,
    Decline,
    Discard,
    Draw,
    Place,
    TurnUp,
    TurnUpOne,
)
from engine.games.gnoming_a_round.state import BounceChain, Ending, Options, Phase, Pile, Source, State
from engine.games.gnoming_a_round.view import View


def test_what_the_game_says_of_itself() -> None:
    assert (GAME.key, GAME.title, GAME.ruleset) == ("gnoming_a_round", "Gnoming A Round", 1)
    assert (GAME.options_type, GAME.state_type, GAME.view_type) == (Options, State, View)
    assert (GAME.move_type, GAME.event_type) == (AnyMove, AnyEvent)
    assert GAME.presets.keys() == {"standard", "publisher"}
    assert GAME.reasons == ("rounds", "time_limit", "last_seat", "all_left")


@pytest.mark.rule("GNO-1")
def test_names_of_cards() -> None:
    numbers = ["-4", "-3", "-2", "-1", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]

    assert GAME.card_names == {*numbers, "mulligan", "hazard"}


@pytest.mark.parametrize(
    ("sent", "move"),
    [
        ({"type": "turn_up", "slots": [0, 8]}, TurnUp((0, 8))),
        ({"type": "draw", "source": "pile"}, Draw(Source.PILE)),
        ({"type": "draw", "source": "left"}, Draw(Source.LEFT)),
        ({"type": "draw", "source": "right"}, Draw(Source.RIGHT)),
        ({"type": "place", "slot": 0}, Place(0)),
        ({"type": "discard", "pile": "left"}, Discard(Pile.LEFT)),
        ({"type": "discard", "pile": "right"}, Discard(Pile.RIGHT)),
        ({"type": "discard"}, Discard()),
        ({"type": "bounce", "slot": 8}, Bounce(8)),
        ({"type": "turn_up_one", "slot": 3}, TurnUpOne(3)),
        ({"type": "decline"}, Decline()),
    ],
)
def test_moves_as_they_are_sent(sent: dict[str, Any], move: AnyMove) -> None:
    assert msgspec.convert(sent, GAME.move_type) == move


@pytest.mark.parametrize("slot", [-1, 9])
def test_slots_go_from_0_to_8(slot: int) -> None:
    for sent in ({"type": "place", "slot": slot}, {"type": "turn_up", "slots": [0, slot]}):
        with pytest.raises(msgspec.ValidationError, match="Expected `int`"):
            msgspec.convert(sent, GAME.move_type)


def test_words_of_views() -> None:
    assert [phase.value for phase in Phase] == ["setup", "draw", "play", "replaced", "hazard", "over"]
    assert [ending.value for ending in Ending] == ["last_turns", "pile", "turn_limit", "round_limit", "time_limit"]
    assert [chain.value for chain in BounceChain] == ["any", "face_down"]


def test_limits_may_be_as_long_as_a_year_or_a_thousand_turns() -> None:
    longest = {"turn_limit": 1000, "round_limit_s": 31_536_000, "time_limit_s": 31_536_000}
    shortest = {"turn_limit": 1, "round_limit_s": 1, "time_limit_s": 1}

    for values in (longest, shortest):
        options = msgspec.to_builtins(GAME.options(values))
        assert {name: options[name] for name in values} == values
