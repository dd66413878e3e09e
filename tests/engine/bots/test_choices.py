"""What bots do in positions with a right answer."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bots import Level, bot_for
from engine.bots.gnoming_a_round.layouts import UNSEEN, worth
from engine.bots.splendor.worth import turns_to_pay
from engine.games.gnoming_a_round import moves as gnomes
from engine.games.gnoming_a_round.cards import FACE_DOWN
from engine.games.gnoming_a_round.state import Phase as GnomePhase
from engine.games.gnoming_a_round.state import Pile, Source
from engine.games.splendor.catalogue import CARD_BY_NAME, CARDS
from engine.games.splendor.moves import Buy, ReturnTokens, Take, Tokens
from engine.games.splendor.state import Phase, State
from engine.games.three_up_three_down.moves import ChooseUp, Discard, Draw
from tests.engine.bots.cases import sight_in, stream
from tests.engine.cases import GAMES
from tests.engine.driver import Case
from tests.engine.games.gnoming_a_round.sheet import numbers
from tests.engine.games.gnoming_a_round.sheet import position as layouts
from tests.engine.games.splendor.builders import bonus, hand, table
from tests.engine.games.three_up_three_down.sheet import Cards, choosing, others, position

good = pytest.mark.parametrize("level", [Level.NORMAL, Level.HARD])


def chosen(key: str, state: Any, level: Level, seats: int = 2) -> Any:
    """What the bot of seat 0 does."""
    case = Case(GAMES[key], seats, values={"two_seats": True} if key == "gnoming_a_round" else {})
    return bot_for(case.game, level).choose(sight_in(case, state, 0, 1), stream(1))


def nearly_won() -> State:
    """Seat 0 has twelve points and can pay for a card of three, and for others."""
    rich = hand(
        tokens=(1, 1, 1, 1, 1, 0),
        bought=(*bonus("white", 6), *bonus("blue", 6), *bonus("green", 6)),
        nobles=("noble-01", "noble-02", "noble-03", "noble-04"),
    )
    return table(rich, hand(), grid={(2, 0): "L2-white-06"})


@good
def test_splendor_the_card_that_wins_is_bought(level: Level) -> None:
    state = nearly_won()
    assert state.hands[0].prestige == 12
    assert Buy("L2-white-06") in GAMES["splendor"].legal_moves(state, 0)

    assert chosen("splendor", state, level) == Buy("L2-white-06")


@good
def test_splendor_the_first_turn_takes_three_gems(level: Level) -> None:
    move = chosen("splendor", table(hand(), hand()), level)

    assert isinstance(move, Take)
    assert sum((move.gems.white, move.gems.blue, move.gems.green, move.gems.red, move.gems.black)) == 3


@good
def test_splendor_gold_is_given_back_last(level: Level) -> None:
    state = table(hand(tokens=(3, 3, 3, 1, 0, 2)), hand(), hand(), hand(), phase=Phase.RETURN)

    move = chosen("splendor", state, level, seats=4)

    assert isinstance(move, ReturnTokens)
    assert move.tokens.gold == 0
    assert move.tokens != Tokens()


@pytest.mark.parametrize(
    ("tokens", "turns"),
    [
        ((0, 1, 1, 1, 1, 0), 0),
        ((0, 1, 1, 1, 0, 1), 0),
        ((0, 0, 1, 1, 1, 0), 1),
        ((0, 0, 0, 0, 1, 0), 1),
        ((0, 0, 0, 0, 0, 0), 2),
    ],
)
def test_splendor_turns_until_a_card_can_be_paid_for(tokens: tuple[int, int, int, int, int, int], turns: int) -> None:
    state = table(hand(tokens=tokens), hand(), hand(), hand())
    asks_for_four = next(card.name for card in CARDS if card.level == 1 and card.cost == (0, 1, 1, 1, 1))

    assert turns_to_pay(state.board, state.hands[0], CARD_BY_NAME[asks_for_four]) == turns


def test_three_up_the_highest_cards_lie_up() -> None:
    state = choosing("1 3 5 7 9 c", "1 2 3 4 5 6")

    assert chosen("three_up_three_down", state, Level.NORMAL) == ChooseUp(("7", "9", "clear"))


def test_three_up_the_lowest_cards_go_first_and_all_of_them() -> None:
    state = position(Cards("4 4 9", "8 8 9", "2 3 4"), *others(), discard="3", draw="1 2")

    assert chosen("three_up_three_down", state, Level.NORMAL) == Discard("4", 2)


def test_three_up_a_clear_is_kept_while_a_number_goes() -> None:
    state = position(Cards("9 c", "8 8 9", "2 3 4"), *others(), discard="3", draw="1 2")

    assert chosen("three_up_three_down", state, Level.NORMAL) == Discard("9", 1)


@good
def test_three_up_a_last_card_is_played(level: Level) -> None:
    state = position(Cards("9 9", "", ". . ."), *others(), discard="3")

    assert chosen("three_up_three_down", state, level) == Discard("9", 2)


def test_three_up_a_draw_on_offer_is_made() -> None:
    state = position(Cards("9", "8 8 9", "2 3 4"), *others(), draw="1 2 3", due=1, may_draw=True)

    assert chosen("three_up_three_down", state, Level.NORMAL) == Draw()


OPEN = "9 2 (3) / (4) (6) (7) / (8) (9) (10)"
OTHER = "1 2 (3) / (4) (6) (7) / (8) (9) (10)"


@good
def test_gnomes_a_negative_card_that_lies_open_is_taken(level: Level) -> None:
    assert chosen("gnoming_a_round", layouts(OPEN, OTHER, left="-4"), level) == gnomes.Draw(Source.LEFT)


@good
def test_gnomes_a_low_card_replaces_the_highest_open_one(level: Level) -> None:
    state = layouts(OPEN, OTHER, hand="-3", source=Source.PILE)

    assert chosen("gnoming_a_round", state, level) == gnomes.Place(0)


@good
def test_gnomes_a_high_card_is_discarded(level: Level) -> None:
    state = layouts(OPEN, OTHER, hand="10", source=Source.PILE)

    assert isinstance(chosen("gnoming_a_round", state, level), gnomes.Discard)


def test_gnomes_hard_completes_a_line_even_of_tens() -> None:
    state = layouts("10 10 1 / (4) (6) (7) / (8) (9) (10)", OTHER, hand="10", source=Source.PILE)

    assert chosen("gnoming_a_round", state, Level.HARD) == gnomes.Place(2)


def test_gnomes_hard_covers_the_card_that_the_next_seat_wants() -> None:
    state = layouts(OPEN, OTHER, left="-4", right="9", hand="10", phase=GnomePhase.PLAY, source=Source.PILE)

    assert chosen("gnoming_a_round", state, Level.HARD) == gnomes.Discard(Pile.LEFT)


def test_gnomes_hard_does_not_go_out_when_others_have_less() -> None:
    last = "9 8 7 / 10 6 5 / 8 9 (10)"
    state = layouts(last, "-4 -3 1 / 1 2 -2 / -1 -1 (3)", hand="4", source=Source.PILE)

    assert chosen("gnoming_a_round", state, Level.HARD) != gnomes.Place(8)


@pytest.mark.parametrize(
    ("cards", "promise", "points"),
    [
        ("1 2 3 4 5 6 7 8 9", 0.0, 45.0),
        ("5 5 5 1 2 3 4 6 7", 0.0, 18.0),
        ("5 5 1 2 3 4 6 7 8", 0.5, 41.0 - 0.5 * 16),
    ],
)
def test_gnomes_what_a_layout_is_worth(cards: str, promise: float, points: float) -> None:
    assert worth(numbers(cards), promise) == pytest.approx(points)


def test_gnomes_an_unseen_card_is_worth_the_average() -> None:
    assert pytest.approx(431 / 110) == UNSEEN
    assert worth((*numbers("1 2 3 4 5 6 7 8"), FACE_DOWN), 0.0) == pytest.approx(36 + 431 / 110)
