"""The default move (ALL-6): what a silent seat is taken to do."""

from __future__ import annotations

from engine.games.splendor.catalogue import CARDS
from engine.games.splendor.legal import BUY, CHOOSE_NOBLE, PASS, RESERVE_CARD, RESERVE_TOP, buyable, price, willing
from engine.games.splendor.moves import ReturnTokens, SplendorMove, Take, Tokens
from engine.games.splendor.state import MOST_RESERVED, MOST_TOKENS, Board, Counts, Hand, Phase, State
from engine.games.splendor.tokens import counts_of_gems, excess, takes


def default_move(state: State) -> SplendorMove:
    """The default move of the seat in turn."""
    hand = state.hands[state.seat]
    if state.phase is Phase.RETURN:
        return _returned(hand.tokens)
    if state.phase is Phase.NOBLE:
        return CHOOSE_NOBLE[willing(state.board, hand)[0]]
    return _taken(state.board, hand) or _bought(state.board, hand) or _reserved(state.board, hand) or PASS


def _taken(board: Board, hand: Hand) -> Take | None:
    """The largest take that needs no return, else the largest; of the kinds with most in the bank, in gem order."""
    room = MOST_TOKENS - sum(hand.tokens)
    every = list(takes(board.bank).values())
    fitting = [take for take in every if sum(counts_of_gems(take.gems)) <= room]

    def worth(take: Take) -> tuple[int, int]:
        gems = counts_of_gems(take.gems)
        return sum(gems), sum(number * there for number, there in zip(gems, board.bank, strict=True))

    return max(fitting or every, key=worth, default=None)


def _bought(board: Board, hand: Hand) -> SplendorMove | None:
    """The cheapest affordable card: fewest tokens, then lowest level, then the grid before the reserve, then place."""
    cards = buyable(board, hand)
    return BUY[min(cards, key=lambda card: (sum(price(hand, card)), CARDS[card].level))] if cards else None


def _reserved(board: Board, hand: Hand) -> SplendorMove | None:
    """The first face-up card, lowest level first, else the top of the lowest deck."""
    if len(hand.reserved) >= MOST_RESERVED:
        return None
    for card in board.grid:
        if card is not None:
            return RESERVE_CARD[card]
    return next((RESERVE_TOP[level] for level, deck in enumerate(board.decks) if deck), None)


def _returned(tokens: Counts) -> ReturnTokens:
    """One by one the most plentiful gem, ties in gem order; there are always gems enough to keep all gold."""
    kept = list(tokens)
    for _ in range(excess(tokens)):
        most = max(range(5), key=lambda gem: (kept[gem], -gem))
        kept[most] -= 1
    return ReturnTokens(Tokens(*(before - after for before, after in zip(tokens, kept, strict=True))))
