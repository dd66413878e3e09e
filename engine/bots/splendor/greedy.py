"""The next step towards the card that is worth most for the turns it takes: Splendor without looking ahead."""

from __future__ import annotations

from engine.bots.splendor.worth import Outlook, Weights, Wish, outlook
from engine.games.splendor.catalogue import ASKED, CARDS
from engine.games.splendor.legal import BUY, PASS, RESERVE_CARD, buyable, legal_moves
from engine.games.splendor.moves import ReturnTokens, SplendorMove, Take, Tokens
from engine.games.splendor.state import MOST_RESERVED, MOST_TOKENS, Board, Hand, Phase, State
from engine.games.splendor.tokens import counts_of_gems, excess, takes
from engine.games.splendor.turns import ENOUGH_PRESTIGE

WISHES = 3
"""For how many cards gems are gathered at once."""


def greedy_move(state: State, weights: Weights) -> SplendorMove:
    """A good move of the seat in turn."""
    seat = state.seat
    hand = state.hands[seat]
    if state.phase is Phase.NOBLE:
        return legal_moves(state, seat)[0]
    view = outlook(state, seat, weights)
    if state.phase is Phase.RETURN:
        return give_back(hand, view.wishes)
    return _bought(state, hand, view) or _gathered(state.board, hand, view) or PASS


def _bought(state: State, hand: Hand, view: Outlook) -> SplendorMove | None:
    """A card that ends the match, or the best one if nothing better is near."""
    affordable = set(buyable(state.board, hand))
    if not affordable:
        return None
    for wish in view.wishes:
        if wish.card in affordable and hand.prestige + CARDS[wish.card].points >= ENOUGH_PRESTIGE:
            return BUY[wish.card]
    best = view.wishes[0]
    return BUY[best.card] if best.card in affordable else None


def _gathered(board: Board, hand: Hand, view: Outlook) -> SplendorMove | None:
    """Gems for the cards wished for; the best of these into the reserve where no gems help."""
    wants = gem_wants(hand, view.wishes)
    room = MOST_TOKENS - sum(hand.tokens)
    options = list(takes(board.bank).values())
    best = max(options, key=lambda take: take_worth(take, wants, room), default=None)
    if best is not None and take_worth(best, wants, room) > 0:
        return best
    affordable = buyable(board, hand)
    for wish in view.wishes:
        if wish.card in affordable:
            return BUY[wish.card]
    if len(hand.reserved) < MOST_RESERVED:
        for wish in view.wishes:
            if wish.card in board.grid:
                return RESERVE_CARD[wish.card]
    return best


def gem_wants(hand: Hand, wishes: list[Wish]) -> list[tuple[float, float]]:
    """What a first and a second gem of each kind are worth to the best wishes."""
    first = [0.0] * 5
    second = [0.0] * 5
    tokens, owned = hand.tokens, hand.bonuses
    for wish in wishes[:WISHES]:
        for gem, asked in ASKED[wish.card]:
            due = asked - owned[gem] - tokens[gem]
            if due > 0:
                first[gem] += wish.rate
                if due > 1:
                    first[gem] += wish.rate * 0.3 * (due - 1)
                    second[gem] += wish.rate
    return list(zip(first, second, strict=True))


def take_worth(take: Take, wants: list[tuple[float, float]], room: int) -> float:
    """What these gems are worth, of which only as many as there is room for can be kept."""
    gems = counts_of_gems(take.gems)
    worths = []
    for gem in range(5):
        if gems[gem]:
            worths.append(wants[gem][0])
            if gems[gem] > 1:
                worths.append(wants[gem][1])
    if len(worths) > room:
        worths.sort(reverse=True)
        worths = worths[:room]
    return sum(worths)


def give_back(hand: Hand, wishes: list[Wish]) -> ReturnTokens:
    """What the wishes need least, one by one; gold last of all."""
    kept = list(hand.tokens)
    owned = hand.bonuses
    needs = [[0.0] * (MOST_TOKENS + 4) for _ in range(5)]
    for wish in wishes[:WISHES]:
        for gem, asked in ASKED[wish.card]:
            for number in range(1, min(asked - owned[gem], kept[gem]) + 1):
                needs[gem][number] += wish.rate
    for _ in range(excess(hand.tokens)):
        gem = min((gem for gem in range(5) if kept[gem]), key=lambda gem: (needs[gem][kept[gem]], -kept[gem]))
        kept[gem] -= 1
    return ReturnTokens(Tokens(*(before - after for before, after in zip(hand.tokens, kept, strict=True))))
