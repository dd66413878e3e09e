"""What a client is given to draw the table with."""

from __future__ import annotations

import pytest

from engine.games.splendor import GAME
from engine.games.splendor.moves import Gems, ReturnTokens, Take, Tokens
from engine.games.splendor.state import Gold, Options, Phase, State
from engine.games.splendor.view import BoxView, LevelView, ReservedView, SeatView, SplendorView
from tests.engine.games.splendor.builders import EMPTY, hand, play, rng, table

GRID = {
    (1, 0): "L1-white-01",
    (1, 1): "L1-white-02",
    (1, 2): EMPTY,
    (1, 3): "L1-white-04",
    (2, 0): "L2-white-01",
    (2, 1): "L2-white-02",
    (2, 2): "L2-white-03",
    (2, 3): "L2-white-04",
    (3, 0): "L3-white-01",
    (3, 1): "L3-white-02",
    (3, 2): "L3-white-03",
    (3, 3): "L3-white-04",
}


def position() -> State:
    one = hand((1, 2, 0, 0, 0, 0), bought=("L1-red-08", "L1-blue-01"), nobles=("noble-02",))
    two = hand((0, 0, 3, 0, 0, 1), reserved=("L1-red-01",), secret=("L3-red-04",))
    options = Options(gold=Gold.ALWAYS)
    return table(
        one, two, grid=GRID, nobles=("noble-05", "noble-01"), seat=1, first=1, turn=7, round_=4, options=options
    )


@pytest.mark.rule("SPL-18")
def test_the_whole_table_as_the_other_seat_sees_it() -> None:
    assert GAME.view(position(), 0) == SplendorView(
        options=Options(gold=Gold.ALWAYS),
        viewer=0,
        first=1,
        round=4,
        turn=7,
        turn_of=1,
        phase=Phase.ACTION,
        to_return=0,
        willing_nobles=(),
        last_round=None,
        bank=Tokens(white=3, blue=2, green=1, red=4, black=4, gold=4),
        levels=(
            LevelView(level=1, places=("L1-white-01", "L1-white-02", None, "L1-white-04"), deck=34),
            LevelView(level=2, places=("L2-white-01", "L2-white-02", "L2-white-03", "L2-white-04"), deck=26),
            LevelView(level=3, places=("L3-white-01", "L3-white-02", "L3-white-03", "L3-white-04"), deck=15),
        ),
        nobles=("noble-05", "noble-01"),
        seats=(
            SeatView(
                seat=0,
                has_left=False,
                tokens=Tokens(white=1, blue=2),
                bonuses=Gems(blue=1, red=1),
                prestige=4,
                place=1,
                bought=("L1-red-08", "L1-blue-01"),
                reserved=(),
                nobles=("noble-02",),
            ),
            SeatView(
                seat=1,
                has_left=False,
                tokens=Tokens(green=3, gold=1),
                bonuses=Gems(),
                prestige=0,
                place=2,
                bought=(),
                reserved=(
                    ReservedView(level=1, is_secret=False, card="L1-red-01"),
                    ReservedView(level=3, is_secret=True, card=None),
                ),
                nobles=(),
            ),
        ),
        box=BoxView(
            nobles=("noble-03", "noble-04", "noble-06", "noble-07", "noble-08", "noble-09", "noble-10"),
            cards=(),
            secret_cards=(0, 0, 0),
        ),
    )


@pytest.mark.rule("SPL-18")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_viewers_differ_in_secrets_alone(viewer: int | None) -> None:
    view = GAME.view(position(), viewer)
    assert view.viewer == viewer
    assert view.seats[1].reserved[1].card == ("L3-red-04" if viewer == 1 else None)
    assert view.levels == GAME.view(position(), 0).levels
    assert view.bank == GAME.view(position(), 0).bank


@pytest.mark.rule("SPL-13")
def test_what_is_to_be_given_back_is_said_while_it_is_due() -> None:
    state = table(hand((4, 4, 2, 0, 0, 0)), hand(), hand())
    assert GAME.view(state, 1).to_return == 0
    state, _ = play(state, Take(Gems(red=2)))
    assert (GAME.view(state, 1).phase, GAME.view(state, 1).to_return) == (Phase.RETURN, 2)
    state, _ = play(state, ReturnTokens(Tokens(white=2)))
    assert (GAME.view(state, 1).phase, GAME.view(state, 1).to_return) == (Phase.ACTION, 0)


@pytest.mark.rule("SPL-20")
def test_the_box_counts_unseen_cards_by_level() -> None:
    leaver = hand(secret=("L3-red-04", "L1-red-01", "L3-red-03"))
    state, _ = GAME.leave(table(hand(), leaver, hand()), (1,), 0, rng())
    assert GAME.view(state, 1).box.secret_cards == (1, 0, 2)
    assert [seat.has_left for seat in GAME.view(state, 0).seats] == [False, True, False]


def test_everything_lies_in_one_zone() -> None:
    zones = GAME.census(position())
    assert {zone: len(things) for zone, things in zones.items()} == {
        "bank": 18,
        "grid": 11,
        "nobles": 2,
        "box": 7,
        "deck 1": 34,
        "deck 2": 26,
        "deck 3": 15,
        "seat 0": 3 + 2 + 1,
        "seat 1": 4 + 2,
    }
    assert zones["seat 1"] == ["green", "green", "green", "gold", "L1-red-01", "L3-red-04"]
