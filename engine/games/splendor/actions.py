"""The actions of a turn: each takes the board and a hand, and gives both back changed, with what is told."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from engine.core.events import Told, private, public
from engine.games.splendor.catalogue import CARD_BY_NAME, CARDS, Five
from engine.games.splendor.legal import price
from engine.games.splendor.moves import (
    Buy,
    CardBought,
    CardReserved,
    GemsTaken,
    PlaceFilled,
    Reserve,
    SplendorEvent,
    Take,
    Tokens,
    TokensReturned,
    TopReserved,
    TopSeen,
)
from engine.games.splendor.state import PLACES, Board, Counts, Hand, Held
from engine.games.splendor.tokens import counts_of, counts_of_gems, minus, plus

Tale: TypeAlias = list[Told[SplendorEvent]]
"""What is told of a move, in the order in which it happens."""

_ONE_GOLD = (0, 0, 0, 0, 0, 1)
_NO_GOLD = (0, 0, 0, 0, 0, 0)


def take(board: Board, hand: Hand, seat: int, move: Take) -> tuple[Board, Hand, Tale]:
    """SPL-6, SPL-7: gems go from the bank to the hand."""
    gems = counts_of_gems(move.gems)
    board = replace(board, bank=minus(board.bank, gems))
    return board, replace(hand, tokens=plus(hand.tokens, gems)), [public(GemsTaken(seat, move.gems))]


def reserve(board: Board, hand: Hand, seat: int, move: Reserve) -> tuple[Board, Hand, Tale]:
    """SPL-8: a card goes to the reserve, and one gold to the hand if there is any."""
    gold = _ONE_GOLD if board.bank[5] else _NO_GOLD
    bank = minus(board.bank, gold)
    tale: Tale
    if move.level is not None:
        held = Held(board.decks[move.level - 1][-1], is_secret=True)
        board = replace(board, bank=bank, decks=_drawn(board, move.level - 1))
        tale = [public(TopReserved(seat, move.level, gold[5])), private(TopSeen(CARDS[held.card].name), seat)]
    else:
        held = Held(CARD_BY_NAME[move.card or ""], is_secret=False)
        place = board.grid.index(held.card)
        tale = [public(CardReserved(seat, CARDS[held.card].name, place // PLACES + 1, place % PLACES, gold[5]))]
        board = _refilled(board, bank, place, tale)
    return board, replace(hand, tokens=plus(hand.tokens, gold), reserved=(*hand.reserved, held)), tale


def buy(board: Board, hand: Hand, seat: int, move: Buy) -> tuple[Board, Hand, Tale]:
    """SPL-9, SPL-10: a card of the grid or the reserve is paid for and counts from now on (SPL-15)."""
    card = CARD_BY_NAME[move.card]
    paid = price(hand, card) if move.payment is None else counts_of(move.payment)
    payment = Tokens(*paid) if move.payment is None else move.payment
    bank = plus(board.bank, paid)
    reserved = hand.reserved
    tale: Tale
    if card in board.grid:
        place = board.grid.index(card)
        tale = [public(CardBought(seat, move.card, CARDS[card].level, payment, place % PLACES, None))]
        board = _refilled(board, bank, place, tale)
    else:
        slot = [held.card for held in reserved].index(card)
        reserved = reserved[:slot] + reserved[slot + 1 :]
        tale = [public(CardBought(seat, move.card, CARDS[card].level, payment, None, slot))]
        board = replace(board, bank=bank)
    return board, _with_card(hand, card, minus(hand.tokens, paid), reserved), tale


def give_back(board: Board, hand: Hand, seat: int, tokens: Tokens) -> tuple[Board, Hand, Told[SplendorEvent]]:
    """SPL-13: what was over ten goes back to the bank."""
    counts = counts_of(tokens)
    board = replace(board, bank=plus(board.bank, counts))
    return board, replace(hand, tokens=minus(hand.tokens, counts)), public(TokensReturned(seat, tokens))


def _with_card(hand: Hand, card: int, tokens: Counts, reserved: tuple[Held, ...]) -> Hand:
    return replace(
        hand,
        tokens=tokens,
        bonuses=_one_more(hand.bonuses, CARDS[card].bonus),
        prestige=hand.prestige + CARDS[card].points,
        bought=(*hand.bought, card),
        reserved=reserved,
    )


def _one_more(bonuses: Five, gem: int) -> Five:
    white, blue, green, red, black = bonuses
    return white + (gem == 0), blue + (gem == 1), green + (gem == 2), red + (gem == 3), black + (gem == 4)


def _drawn(board: Board, level: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The decks without the top card of this one."""
    low, middle, high = board.decks
    if level == 0:
        return low[:-1], middle, high
    return (low, middle[:-1], high) if level == 1 else (low, middle, high[:-1])


def _refilled(board: Board, bank: Counts, place: int, tale: Tale) -> Board:
    """SPL-11: the next card of its deck comes to an empty place of the grid, while there is one."""
    level = place // PLACES
    deck = board.decks[level]
    card = deck[-1] if deck else None
    grid = (*board.grid[:place], card, *board.grid[place + 1 :])
    tale.append(public(PlaceFilled(level + 1, place % PLACES, None if card is None else CARDS[card].name)))
    return replace(board, bank=bank, grid=grid, decks=_drawn(board, level) if deck else board.decks)
