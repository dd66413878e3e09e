"""Why a move isn't taken: quick for a legal one, at length for any other."""

from __future__ import annotations

from engine.core.errors import Refusal, illegal, not_your_turn
from engine.games.splendor.catalogue import CARD_BY_NAME, LEVELS, NOBLE_BY_NAME, NOBLES
from engine.games.splendor.legal import actions, net_cost, price, willing
from engine.games.splendor.moves import Buy, ChooseNoble, Pass, Reserve, ReturnTokens, SplendorMove, Take, Tokens
from engine.games.splendor.state import MOST_RESERVED, Board, Counts, Hand, Phase, State
from engine.games.splendor.tokens import COLOURS, counts_of, counts_of_gems, excess, plus, takes


def refuse(state: State, seat: int, move: SplendorMove) -> Refusal | None:
    """Why this move of this seat isn't taken, or None."""
    if state.outcome is not None:
        return not_your_turn("the match is over")
    if seat != state.seat:
        return not_your_turn(f"it is the turn of seat {state.seat}")
    hand = state.hands[seat]
    if state.phase is Phase.ACTION:
        return _refuse_action(state.board, hand, move)
    if state.phase is Phase.RETURN:
        return _refuse_return_tokens(hand, move)
    return _refuse_choose_noble(state.board, hand, move)


def _refuse_action(board: Board, hand: Hand, move: SplendorMove) -> Refusal | None:
    if isinstance(move, Take):
        return _refuse_take(board, hand, move)
    if isinstance(move, Reserve):
        return _refuse_reserve(board, hand, move)
    if isinstance(move, Buy):
        return _refuse_buy(board, hand, move)
    if isinstance(move, Pass):
        return _refuse_pass(board, hand)
    if isinstance(move, ReturnTokens):
        return illegal("SPL-13", "tokens are given back at the end of a turn, and only what is over ten")
    return illegal("SPL-14", "a noble is chosen at the end of a turn, and only when several would come")


def _refuse_pass(board: Board, hand: Hand) -> Refusal | None:
    if isinstance(actions(board, hand)[0], Pass):
        return None
    return illegal("SPL-12", "only a seat that can neither take, reserve nor buy may pass")


def _refuse_take(board: Board, hand: Hand, move: Take) -> Refusal | None:
    if move.gems not in takes(board.bank):
        return _why_not_taken(counts_of_gems(move.gems), board.bank)
    if move.returning is None:
        return None
    return _refuse_returning(plus(hand.tokens, counts_of_gems(move.gems)), move.returning)


def _why_not_taken(gems: Counts, bank: Counts) -> Refusal:
    """SPL-6, SPL-7: for gems that can't be taken from this bank."""
    number = max(gems)
    if number == 2 and sum(gems) == 2 and min(gems) == 0:
        colour = COLOURS[gems.index(2)]
        return illegal("SPL-7", f"two {colour} need four in the bank, there are {bank[gems.index(2)]}")
    if number > 1 or min(gems) < 0:
        return illegal("SPL-6", "take one each of different kinds, or two of one kind and nothing else")
    for colour, wanted, there in zip(COLOURS, gems, bank, strict=True):
        if wanted > there:
            return illegal("SPL-6", f"there is no {colour} in the bank")
    kinds = sum(pile > 0 for pile in bank[:5])
    if not kinds:
        return illegal("SPL-6", "there are no gems in the bank")
    return illegal("SPL-6", f"take one each of exactly {min(3, kinds)} different kinds, not of {sum(gems)}")


def _refuse_reserve(board: Board, hand: Hand, move: Reserve) -> Refusal | None:
    if len(hand.reserved) >= MOST_RESERVED:
        return illegal("SPL-8", "three reserved cards in hand are the most: buy one first")
    if (move.card is None) == (move.level is None):
        return illegal("SPL-8", "name either a face-up card or the level of a deck, and not both")
    if move.card is not None and not _lies_open(board, move.card):
        return illegal("SPL-8", f"{move.card} does not lie face up in the grid")
    if move.level is not None and move.level not in LEVELS:
        return illegal("SPL-8", f"the levels are 1 to 3, not {move.level}")
    if move.level is not None and not board.decks[move.level - 1]:
        return illegal("SPL-11", f"the deck of level {move.level} is empty")
    if move.returning is None:
        return None
    return _refuse_returning(plus(hand.tokens, (0, 0, 0, 0, 0, min(1, board.bank[5]))), move.returning)


def _lies_open(board: Board, name: str) -> bool:
    card = CARD_BY_NAME.get(name)
    return card is not None and card in board.grid


def _refuse_buy(board: Board, hand: Hand, move: Buy) -> Refusal | None:
    card = CARD_BY_NAME.get(move.card)
    if card is None or (card not in board.grid and all(held.card != card for held in hand.reserved)):
        return illegal("SPL-9", f"{move.card} lies neither face up in the grid nor in your reserve")
    if move.payment is not None:
        return _refuse_payment(hand, card, move.payment)
    missing = price(hand, card)[5] - hand.tokens[5]
    return illegal("SPL-9", f"{move.card} costs {missing} more than you can pay") if missing > 0 else None


def _refuse_payment(hand: Hand, card: int, payment: Tokens) -> Refusal | None:
    """SPL-10: each gem of the cost is paid once, by itself or by gold, and nothing more."""
    paid = counts_of(payment)
    for colour, given, held in zip(COLOURS, paid, hand.tokens, strict=True):
        if not 0 <= given <= held:
            return illegal("SPL-9", f"of the {held} {colour} you hold you can't pay {given}")
    cost = net_cost(hand, card)
    for colour, given, asked in zip(COLOURS[:5], paid[:5], cost, strict=True):
        if given > asked:
            return illegal("SPL-10", f"{asked} {colour} are to be paid after your bonuses, not {given}")
    due = sum(cost) - sum(paid[:5])
    if paid[5] > due:
        return illegal("SPL-10", f"beside these gems {due} gold are to be paid, not {paid[5]}")
    if paid[5] < due:
        return illegal("SPL-9", f"this pays {sum(paid)} of the {sum(cost)} that are to be paid after your bonuses")
    return None


def _refuse_returning(tokens: Counts, returning: Tokens) -> Refusal | None:
    """SPL-13: what a seat that would hold these tokens gives back is part of them, and exactly what is over ten."""
    counts = counts_of(returning)
    for colour, given, held in zip(COLOURS, counts, tokens, strict=True):
        if not 0 <= given <= held:
            return illegal("SPL-13", f"of the {held} {colour} you hold you can't give back {given}")
    if sum(counts) != excess(tokens):
        return illegal("SPL-13", f"give back exactly {excess(tokens)}, not {sum(counts)}: ten tokens are kept")
    return None


def _refuse_return_tokens(hand: Hand, move: SplendorMove) -> Refusal | None:
    if not isinstance(move, ReturnTokens):
        return illegal("SPL-13", f"give back {excess(hand.tokens)} of your tokens first (return_tokens)")
    return _refuse_returning(hand.tokens, move.tokens)


def _refuse_choose_noble(board: Board, hand: Hand, move: SplendorMove) -> Refusal | None:
    nobles = willing(board, hand)
    names = ", ".join(NOBLES[noble].name for noble in nobles)
    if not isinstance(move, ChooseNoble):
        return illegal("SPL-14", f"choose a noble first (choose_noble): {names}")
    if NOBLE_BY_NAME.get(move.noble) not in nobles:
        return illegal("SPL-14", f"{move.noble} would not come to you: choose one of {names}")
    return None
