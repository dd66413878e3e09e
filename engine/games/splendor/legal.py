"""Which moves a seat may make: the canonical ones, prebuilt and used again."""

from __future__ import annotations

from collections.abc import Sequence
from operator import ge

from engine.games.splendor.catalogue import ASKED, CARDS, FEWEST_ASKED, LEVELS, NOBLES, WITHIN, Five
from engine.games.splendor.moves import Buy, ChooseNoble, Pass, Reserve, SplendorMove
from engine.games.splendor.state import MOST_RESERVED, Board, Counts, Hand, Phase, State
from engine.games.splendor.tokens import returns, takes

PASS = Pass()
RESERVE_CARD = tuple(Reserve(card=card.name) for card in CARDS)
RESERVE_TOP = tuple(Reserve(level=level) for level in LEVELS)
BUY = tuple(Buy(card.name) for card in CARDS)
CHOOSE_NOBLE = tuple(ChooseNoble(noble.name) for noble in NOBLES)


def legal_moves(state: State, seat: int) -> Sequence[SplendorMove]:
    """Every move of this seat, without the free fields `payment` and `returning`."""
    if seat != state.seat or state.outcome is not None:
        return ()
    hand = state.hands[seat]
    if state.phase is Phase.ACTION:
        return actions(state.board, hand)
    if state.phase is Phase.RETURN:
        return returns(hand.tokens)
    return [CHOOSE_NOBLE[noble] for noble in willing(state.board, hand)]


def actions(board: Board, hand: Hand) -> list[SplendorMove]:
    """The actions of a turn; a pass only when there is no other (SPL-12)."""
    grid = board.grid
    moves: list[SplendorMove] = [*takes(board.bank).values()]
    if len(hand.reserved) < MOST_RESERVED:
        moves += [RESERVE_CARD[card] for card in grid if card is not None]
        moves += [RESERVE_TOP[level] for level, deck in enumerate(board.decks) if deck]
    moves += [BUY[card] for card in buyable(board, hand)]
    return moves or [PASS]


def buyable(board: Board, hand: Hand) -> list[int]:
    """The cards of the grid, then of the own reserve, that this hand can pay for (SPL-9)."""
    reach = _within_reach(hand)
    cards = [card for card in board.grid if card is not None and reach >> card & 1]
    for held in hand.reserved:
        if reach >> held.card & 1:
            cards.append(held.card)
    gold = hand.tokens[5]
    return [card for card in cards if price(hand, card)[5] <= gold] if gold else cards


def _within_reach(hand: Hand) -> int:
    """The cards of the catalogue, a bit each, that could be paid for if the gold stood for every gem at once."""
    white, blue, green, red, black, gold = hand.tokens
    bonuses = hand.bonuses
    return (
        WITHIN[0][white + bonuses[0] + gold]
        & WITHIN[1][blue + bonuses[1] + gold]
        & WITHIN[2][green + bonuses[2] + gold]
        & WITHIN[3][red + bonuses[3] + gold]
        & WITHIN[4][black + bonuses[4] + gold]
    )


def price(hand: Hand, card: int) -> Counts:
    """What this hand pays for a card with the least gold, its gold being as much as is needed (SPL-9, SPL-10)."""
    tokens, bonuses = hand.tokens, hand.bonuses
    paid = [0, 0, 0, 0, 0, 0]
    for gem, asked in ASKED[card]:
        due = asked - bonuses[gem]
        if due > 0:
            paid[gem] = min(due, tokens[gem])
            paid[5] += due - paid[gem]
    white, blue, green, red, black, gold = paid
    return white, blue, green, red, black, gold


def net_cost(hand: Hand, card: int) -> Five:
    """The cost of a card less the own bonuses, never below zero a gem (SPL-9, SPL-15)."""
    a, b, c, d, e = CARDS[card].cost
    u, v, w, x, y = hand.bonuses
    return max(0, a - u), max(0, b - v), max(0, c - w), max(0, d - x), max(0, e - y)


def willing(board: Board, hand: Hand) -> list[int]:
    """The nobles that would come to this hand (SPL-14, SPL-15)."""
    if len(hand.bought) < FEWEST_ASKED:
        return []
    bonuses = hand.bonuses
    return [noble for noble in board.nobles if all(map(ge, bonuses, NOBLES[noble].asks))]
