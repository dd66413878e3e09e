"""No more than ten tokens at the end of a turn."""

from __future__ import annotations

import pytest

from engine.core.events import Told
from engine.core.game import Occasion
from engine.games.splendor import GAME
from engine.games.splendor.moves import (
    Buy,
    CardReserved,
    ChooseNoble,
    Gems,
    GemsTaken,
    NobleCame,
    Pass,
    PlaceFilled,
    Reserve,
    ReturnTokens,
    SplendorMove,
    Take,
    Tokens,
    TokensReturned,
    TopReserved,
    TopSeen,
)
from engine.games.splendor.state import Phase, State
from tests.engine.games.splendor.builders import bonus, hand, play, refused, rule_against, table, tell, tokens_of


def four(*tokens: int, **more: object) -> State:
    """Four seats, of which the first holds these tokens."""
    white, blue, green, red, black, gold = tokens
    return table(hand((white, blue, green, red, black, gold)), hand(), hand(), hand(), **more)  # type: ignore[arg-type]


@pytest.mark.rule("SPL-13")
def test_exactly_ten_tokens_are_kept_without_a_question() -> None:
    after, events = play(four(2, 2, 2, 1, 0, 0), Take(Gems(red=1, black=1, white=1)))
    assert tokens_of(after, 0) == (3, 2, 2, 2, 1, 0)
    assert events == [GemsTaken(0, Gems(red=1, black=1, white=1))]
    assert (after.seat, after.phase) == (1, Phase.ACTION)


@pytest.mark.rule("SPL-13")
def test_over_ten_the_seat_is_asked_within_the_same_turn() -> None:
    state = four(2, 2, 2, 2, 0, 0)
    state, events = play(state, Take(Gems(red=1, black=1, white=1)))
    assert events == [GemsTaken(0, Gems(red=1, black=1, white=1))]
    assert GAME.awaited(state) == {0: Occasion("turn", 1)}
    assert (state.phase, GAME.view(state, 2).to_return) == (Phase.RETURN, 1)
    assert GAME.legal_moves(state, 0) == (
        ReturnTokens(Tokens(white=1)),
        ReturnTokens(Tokens(blue=1)),
        ReturnTokens(Tokens(green=1)),
        ReturnTokens(Tokens(red=1)),
        ReturnTokens(Tokens(black=1)),
    )
    state, events = play(state, ReturnTokens(Tokens(black=1)))
    assert events == [TokensReturned(0, Tokens(black=1))]
    assert tokens_of(state, 0) == (3, 2, 2, 3, 0, 0)
    assert state.board.bank == (4, 5, 5, 4, 7, 5)
    assert GAME.awaited(state) == {1: Occasion("turn", 2)}


@pytest.mark.rule("SPL-13")
def test_gold_counts_and_may_be_given_back() -> None:
    state = four(3, 3, 2, 0, 0, 2, grid={(1, 0): "L1-red-01"})
    state, _ = play(state, Reserve(card="L1-red-01"))
    assert state.phase is Phase.RETURN
    state, events = play(state, ReturnTokens(Tokens(gold=1)))
    assert events == [TokensReturned(0, Tokens(gold=1))]
    assert tokens_of(state, 0) == (3, 3, 2, 0, 0, 2)
    assert state.board.bank[5] == 3


@pytest.mark.rule("SPL-13")
def test_three_over_ten_may_be_given_back_in_any_mixture_one_holds() -> None:
    state = four(6, 1, 0, 0, 1, 2)
    state, _ = play(state, Take(Gems(blue=1, green=1, red=1)))
    # white 6, blue 2, green 1, red 1, black 1, gold 2
    ways = GAME.legal_moves(state, 0)
    # 56 multisets of three of six colours, less those with 3 blue or 3 gold (2), and with 2 or 3 of green, red or black
    # (three times: a pair and one of five others, or three of it, 6): 56 - 2 - 18.
    assert len(ways) == len(set(ways)) == 36
    assert ReturnTokens(Tokens(white=3)) in ways
    assert ReturnTokens(Tokens(blue=1, gold=2)) in ways
    assert ReturnTokens(Tokens(green=1, red=1, black=1)) in ways
    assert all(GAME.refuse(state, 0, way) is None for way in ways)


@pytest.mark.rule("SPL-13")
@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        (Tokens(white=1), "SPL-13: give back exactly 2, not 1: ten tokens are kept"),
        (Tokens(white=3), "SPL-13: give back exactly 2, not 3: ten tokens are kept"),
        (Tokens(), "SPL-13: give back exactly 2, not 0: ten tokens are kept"),
        (Tokens(black=2), "SPL-13: of the 1 black you hold you can't give back 2"),
        (Tokens(gold=2), "SPL-13: of the 0 gold you hold you can't give back 2"),
        (Tokens(white=3, blue=-1), "SPL-13: of the 3 blue you hold you can't give back -1"),
    ],
)
def test_no_more_no_less_and_only_what_one_holds_is_given_back(tokens: Tokens, reason: str) -> None:
    state, _ = play(four(3, 3, 3, 0, 0, 0), Take(Gems(red=1, black=1, white=1)))
    assert refused(state, ReturnTokens(tokens)) == ("illegal_move", "SPL-13", reason)


@pytest.mark.rule("SPL-13")
def test_nothing_else_can_be_done_before_the_tokens_are_given_back() -> None:
    state, _ = play(four(4, 3, 3, 0, 0, 0), Take(Gems(red=2)))
    moves: list[SplendorMove] = [
        Take(Gems(red=2)),
        Reserve(level=1),
        Buy("L1-white-01"),
        ChooseNoble("noble-01"),
        Pass(),
    ]
    for move in moves:
        assert rule_against(state, move) == "SPL-13"
    assert refused(state, ReturnTokens(Tokens(white=2)), seat=1) == ("not_your_turn", None, "it is the turn of seat 0")


@pytest.mark.rule("SPL-13")
def test_nothing_is_given_back_when_nothing_is_asked() -> None:
    for tokens in (Tokens(), Tokens(white=1)):
        assert rule_against(four(4, 3, 3, 0, 0, 0), ReturnTokens(tokens)) == "SPL-13"


@pytest.mark.rule("SPL-13")
def test_a_take_may_settle_the_return_in_the_same_move() -> None:
    state = four(4, 3, 2, 0, 0, 0)
    move = Take(Gems(red=1, black=1, green=1), returning=Tokens(white=1, red=1))
    after, events = play(state, move)
    assert events == [GemsTaken(0, move.gems), TokensReturned(0, Tokens(white=1, red=1))]
    assert tokens_of(after, 0) == (3, 3, 3, 0, 1, 0)
    assert (after.seat, after.phase) == (1, Phase.ACTION)


@pytest.mark.rule("SPL-13")
@pytest.mark.parametrize(
    "returning",
    [Tokens(), Tokens(white=1), Tokens(white=3), Tokens(black=2), Tokens(gold=2), Tokens(white=3, blue=-1)],
)
def test_what_a_take_returns_is_exactly_the_excess(returning: Tokens) -> None:
    state = four(4, 3, 2, 0, 0, 0)
    assert rule_against(state, Take(Gems(red=1, black=1, green=1), returning=returning)) == "SPL-13"


@pytest.mark.rule("SPL-13")
def test_returning_without_an_excess_is_refused_unless_it_is_nothing() -> None:
    state = four(4, 3, 0, 0, 0, 0)
    move = Take(Gems(red=1, black=1, green=1), returning=Tokens(white=1))
    assert rule_against(state, move) == "SPL-13"
    after, events = play(state, Take(Gems(red=1, black=1, green=1), returning=Tokens()))
    assert events == [GemsTaken(0, move.gems)]
    assert after.seat == 1


@pytest.mark.rule("SPL-13", "SPL-8")
def test_a_reservation_may_give_back_the_very_gold_it_brings() -> None:
    state = four(4, 3, 3, 0, 0, 0, grid={(1, 0): "L1-red-01"}, tops={1: "L1-red-02"})
    after, events = play(state, Reserve(card="L1-red-01", returning=Tokens(gold=1)))
    assert events == [
        CardReserved(0, "L1-red-01", 1, 0, 1),
        PlaceFilled(1, 0, "L1-red-02"),
        TokensReturned(0, Tokens(gold=1)),
    ]
    assert tokens_of(after, 0) == (4, 3, 3, 0, 0, 0)
    assert after.seat == 1


@pytest.mark.rule("SPL-13", "SPL-8")
def test_a_reservation_without_gold_leaves_no_excess() -> None:
    state = table(hand((4, 4, 2, 0, 0, 0)), hand(), grid={(1, 0): "L1-red-01"})
    assert rule_against(state, Reserve(card="L1-red-01", returning=Tokens(white=1))) == "SPL-13"
    assert rule_against(state, Reserve(level=1, returning=Tokens(gold=1))) == "SPL-13"
    after, _ = play(state, Reserve(card="L1-red-01"))
    assert (after.seat, after.phase) == (1, Phase.ACTION)


@pytest.mark.rule("SPL-13", "SPL-18")
def test_a_card_reserved_unseen_is_seen_before_tokens_are_given_back() -> None:
    state = four(4, 3, 3, 0, 0, 0, tops={2: "L2-red-02"})
    after, told = tell(state, Reserve(level=2))
    assert told == (Told(TopReserved(0, 2, 1)), Told(TopSeen("L2-red-02"), (0,)))
    assert (after.seat, after.phase) == (0, Phase.RETURN)
    assert GAME.view(after, 0).seats[0].reserved[0].card == "L2-red-02"


@pytest.mark.rule("SPL-13", "SPL-14")
def test_the_noble_comes_after_the_tokens_are_given_back() -> None:
    one = hand((4, 3, 3, 0, 0, 0), bought=bonus("white", 4) + bonus("blue", 4))
    state = table(one, hand(), hand(), hand(), nobles=("noble-06",))
    state, events = play(state, Take(Gems(red=2)))
    assert events == [GemsTaken(0, Gems(red=2))]
    state, events = play(state, ReturnTokens(Tokens(white=2)))
    assert events == [TokensReturned(0, Tokens(white=2)), NobleCame(0, "noble-06")]
    assert (state.seat, state.hands[0].prestige) == (1, 3)
