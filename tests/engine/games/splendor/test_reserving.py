"""Reserving cards, and getting gold."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.events import Told
from engine.games.splendor import GAME
from engine.games.splendor.catalogue import CARD_BY_NAME
from engine.games.splendor.moves import CardReserved, PlaceFilled, Reserve, SplendorMove, TopReserved, TopSeen
from engine.games.splendor.state import Gold, Held, Options
from tests.engine.games.splendor.builders import (
    EMPTY,
    face_up,
    hand,
    play,
    refused,
    rule_against,
    table,
    tell,
    tokens_of,
)

ALWAYS = Options(gold=Gold.ALWAYS)


@pytest.mark.rule("SPL-8", "SPL-11")
def test_a_face_up_card_goes_to_the_reserve_with_one_gold() -> None:
    state = table(hand(), hand(), grid={(2, 1): "L2-red-03"}, tops={2: "L2-blue-06"}, options=ALWAYS)
    after, events = play(state, Reserve(card="L2-red-03"))
    assert after.hands[0].reserved == (Held(CARD_BY_NAME["L2-red-03"], is_secret=False),)
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 1)
    assert after.board.bank == (4, 4, 4, 4, 4, 4)
    assert face_up(after, 2)[1] == "L2-blue-06"
    assert events == [CardReserved(0, "L2-red-03", 2, 1, 1), PlaceFilled(2, 1, "L2-blue-06")]
    assert after.seat == 1


@pytest.mark.rule("SPL-8", "SPL-18")
def test_the_top_of_a_deck_is_seen_by_its_owner_only() -> None:
    state = table(hand(), hand(), tops={3: "L3-green-04"}, options=ALWAYS)
    before = face_up(state, 3)
    after, told = tell(state, Reserve(level=3))
    assert told == (Told(TopReserved(0, 3, 1)), Told(TopSeen("L3-green-04"), (0,)))
    assert after.hands[0].reserved == (Held(CARD_BY_NAME["L3-green-04"], is_secret=True),)
    assert len(after.board.decks[2]) == len(state.board.decks[2]) - 1
    assert face_up(after, 3) == before


@pytest.mark.rule("SPL-8")
@pytest.mark.parametrize("move", [Reserve(card="L1-white-01"), Reserve(level=1)])
def test_the_last_gold_of_the_bank_comes_too(move: Reserve) -> None:
    state = table(hand((0, 0, 0, 0, 0, 1)), hand((0, 0, 0, 0, 0, 3)), grid={(1, 0): "L1-white-01"}, options=ALWAYS)
    after, _ = play(state, move)
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 2)
    assert after.board.bank == (4, 4, 4, 4, 4, 0)


@pytest.mark.rule("SPL-8")
def test_without_gold_in_the_bank_a_card_is_reserved_all_the_same() -> None:
    state = table(hand(), hand(), grid={(1, 0): "L1-white-01"})
    after, events = play(state, Reserve(card="L1-white-01"))
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 0)
    assert events[0] == CardReserved(0, "L1-white-01", 1, 0, 0)
    after, events = play(state, Reserve(level=1))
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 0)
    assert events[0] == TopReserved(0, 1, 0)


@pytest.mark.rule("SPL-8")
def test_a_third_card_may_be_reserved_and_a_fourth_may_not() -> None:
    two = table(hand(reserved=("L1-red-01",), secret=("L2-red-01",)), hand(), options=ALWAYS)
    after, _ = play(two, Reserve(level=2))
    assert len(after.hands[0].reserved) == 3
    three = table(hand(reserved=("L1-red-01", "L1-red-02"), secret=("L2-red-01",)), hand(), grid={(1, 0): "L1-red-03"})
    assert rule_against(three, Reserve(card="L1-red-03")) == "SPL-8"
    assert refused(three, Reserve(level=1)) == (
        "illegal_move",
        "SPL-8",
        "SPL-8: three reserved cards in hand are the most: buy one first",
    )
    assert not [move for move in GAME.legal_moves(three, 0) if isinstance(move, Reserve)]


@pytest.mark.rule("SPL-8")
def test_every_open_card_and_every_deck_is_offered() -> None:
    state = table(hand(), hand(), grid={(1, 2): EMPTY}, empty_decks=(1,))
    offered = [move for move in GAME.legal_moves(state, 0) if isinstance(move, Reserve)]
    expected = [Reserve(card=name) for level in (1, 2, 3) for name in face_up(state, level) if name is not None]
    assert len(expected) == 11
    assert offered == [*expected, Reserve(level=2), Reserve(level=3)]


@pytest.mark.rule("SPL-11")
def test_an_empty_deck_has_no_top_to_reserve() -> None:
    state = table(hand(), hand(), empty_decks=(2,))
    assert refused(state, Reserve(level=2)) == ("illegal_move", "SPL-11", "SPL-11: the deck of level 2 is empty")


@pytest.mark.rule("SPL-8")
@pytest.mark.parametrize(
    "move",
    [
        Reserve(),
        Reserve(card="L1-white-01", level=1),
        Reserve(card="L2-black-06"),
        Reserve(card="noble-01"),
        Reserve(card=""),
        Reserve(level=0),
        Reserve(level=4),
        Reserve(level=-1),
        Reserve(level=10**30),
    ],
)
def test_a_reservation_names_one_card_that_lies_open_or_one_level(move: SplendorMove) -> None:
    state = table(hand(), hand(secret=("L2-black-06",)), grid={(1, 0): "L1-white-01"})
    assert rule_against(state, move) == "SPL-8"


@pytest.mark.rule("SPL-8")
def test_gold_cannot_even_be_asked_for_in_a_take() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `gold`"):
        msgspec.json.decode(b'{"type": "take", "gems": {"gold": 1}}', type=GAME.move_type)
