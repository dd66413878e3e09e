"""What cards, bonuses and tokens are worth to a seat of Splendor, in points of prestige.

It reads public things and the seat's own reserve only, so that it says the same of every position that the seat can't
tell apart.
"""

from __future__ import annotations

from msgspec import Struct

from engine.games.splendor.catalogue import ASKED, CARDS, NOBLES
from engine.games.splendor.state import Board, Hand, State
from engine.games.splendor.turns import ENOUGH_PRESTIGE


class Weights(Struct, frozen=True):
    """How much things count: a `bonus` by itself, and for each open card that asks for it (`demand`), `noble` for the
    share of a noble, `patience` for the turns that a card takes.
    """

    bonus: float = 0.8
    demand: float = 0.14
    noble: float = 2.06
    patience: float = 0.83


class Wish(Struct, frozen=True, gc=False):
    """A card that a seat could get: its worth, and in how many turns, with the gems that it lacks."""

    card: int
    worth: float
    turns: int
    rate: float


class Outlook(Struct, frozen=True):
    """A seat's wishes, the best first, and what one more bonus of each gem is worth to it."""

    wishes: list[Wish]
    bonuses: list[float]


def outlook(state: State, seat: int, weights: Weights) -> Outlook:
    """What this seat could go for."""
    board, hand = state.board, state.hands[seat]
    cards = [card for card in board.grid if card is not None]
    cards += [held.card for held in hand.reserved]
    bonuses = _bonus_worths(state, hand, cards, weights)
    wishes = []
    patience = weights.patience
    for card in cards:
        turns = turns_to_pay(board, hand, card)
        of = CARDS[card]
        worth = of.points + bonuses[of.bonus]
        wishes.append(Wish(card, worth, turns, worth / (turns + patience)))
    wishes.sort(key=_rate, reverse=True)
    return Outlook(wishes, bonuses)


def _rate(wish: Wish) -> float:
    return wish.rate


def _bonus_worths(state: State, hand: Hand, cards: list[int], weights: Weights) -> list[float]:
    """Less and less towards the end; more where open cards and nobles ask for it."""
    owned = hand.bonuses
    demand = [0, 0, 0, 0, 0]
    for card in cards:
        for gem, asked in ASKED[card]:
            if asked > owned[gem]:
                demand[gem] += 1
    early = earliness(state)
    bonus, by_demand = weights.bonus * early, weights.demand * early
    worths = [bonus + by_demand * number for number in demand]
    for noble in state.board.nobles:
        of = NOBLES[noble]
        lacking = [max(0, asked - owned[gem]) for gem, asked in enumerate(of.asks)]
        share = weights.noble * of.points / (sum(lacking) + 1)
        for gem in range(5):
            if lacking[gem]:
                worths[gem] += share
    return worths


def earliness(state: State) -> float:
    """How far the end is: from 1 at the beginning to 0 when a seat has enough prestige."""
    leader = max([hand.prestige for hand in state.hands])
    return max(0, ENOUGH_PRESTIGE - leader) / ENOUGH_PRESTIGE


def turns_to_pay(board: Board, hand: Hand, card: int) -> int:
    """In how many turns of taking gems this hand could pay for a card at the best; 0 now."""
    tokens, owned, bank = hand.tokens, hand.bonuses, board.bank
    lacking = most = slow = 0
    for gem, asked in ASKED[card]:
        due = asked - owned[gem] - tokens[gem]
        if due > 0:
            lacking += due
            if bank[gem] < due:
                slow = 1
            elif bank[gem] >= 4 and due > 1:
                due -= 1
            most = max(most, due)
    lacking -= tokens[5]
    if lacking <= 0:
        return 0
    return max((lacking + 2) // 3, min(most, lacking)) + slow
