"""Which moves are worth a try in Splendor, and how well a seat does when all play on from there for a few turns."""

from __future__ import annotations

from msgspec import Struct

from engine.bots.contract import AnyGame
from engine.bots.splendor.greedy import gem_wants, greedy_move, take_worth
from engine.bots.splendor.worth import Outlook, Weights, earliness, outlook, turns_to_pay
from engine.core.rng import Rng
from engine.games.splendor.catalogue import CARDS, NOBLES
from engine.games.splendor.legal import BUY, RESERVE_CARD, buyable, legal_moves
from engine.games.splendor.moves import SplendorMove
from engine.games.splendor.state import MOST_RESERVED, MOST_TOKENS, Hand, Phase, State
from engine.games.splendor.tokens import takes

TAKES = 4
RESERVES = 2
GOLD = 5
NEAR = 3
"""How many cards a seat may hope for at once."""
NOBLE_PROMISE = 0.6


class Lookahead(Struct, frozen=True):
    """Plays on greedily for so many `turns` of the table, then looks at how things stand."""

    game: AnyGame
    weights: Weights
    turns: int

    def play_on(self, seat: int, state: State, move: SplendorMove, rng: Rng) -> float:
        """How well `seat` does after this move: from -1 (lost) to 1 (won)."""
        until = state.turn + self.turns
        while True:
            state, _ = self.game.play(state, state.seat, move, 0, rng)
            if state.outcome is not None:
                return _result(state, seat)
            if state.turn > until and state.phase is Phase.ACTION:
                return self._standing(state, seat)
            move = greedy_move(state, self.weights)

    def _standing(self, state: State, seat: int) -> float:
        mine = self._prospects(state, seat)
        theirs = max(
            self._prospects(state, other) for other, left in enumerate(state.left) if other != seat and not left
        )
        ahead = mine - theirs
        return ahead / (abs(ahead) + 6)

    def _prospects(self, state: State, seat: int) -> float:
        """Prestige, and what bonuses, nobles and the nearest cards promise."""
        hand = state.hands[seat]
        wishes = outlook(state, seat, self.weights).wishes[:NEAR]
        near = sum([wish.worth / (wish.turns + 1.5 + place) for place, wish in enumerate(wishes)])
        return hand.prestige + earliness(state) * sum(hand.bonuses) + _nobles(state, hand) + near


def _nobles(state: State, hand: Hand) -> float:
    """The share of each noble that is there, in points; the last bonuses count most."""
    promised = 0.0
    for noble in state.board.nobles:
        of = NOBLES[noble]
        there = sum(map(min, hand.bonuses, of.asks)) / sum(of.asks)
        promised += of.points * there * there
    return promised * NOBLE_PROMISE


def _result(state: State, seat: int) -> float:
    """1 for the only winner, -1 for one who lost."""
    assert state.outcome is not None  # noqa: S101 - asked only when the match is over
    places = state.outcome.places
    if places[seat] > 1:
        return -1.0
    return 1.0 if places.count(1) == 1 else 0.0


def worth_a_try(state: State, weights: Weights) -> list[SplendorMove]:
    """The greedy move first, then what can be bought, the best gems, and cards to reserve before others do."""
    seat = state.seat
    first = greedy_move(state, weights)
    if state.phase is Phase.NOBLE:
        return list(legal_moves(state, seat))
    if state.phase is Phase.RETURN:
        return [first]
    board, hand = state.board, state.hands[seat]
    view = outlook(state, seat, weights)
    moves = [first, *(BUY[card] for card in buyable(board, hand))]
    wants = gem_wants(hand, view.wishes)
    room = MOST_TOKENS - sum(hand.tokens)
    ranked = sorted(takes(board.bank).values(), key=lambda take: -take_worth(take, wants, room))
    moves += ranked[:TAKES]
    if board.bank[GOLD] and len(hand.reserved) < MOST_RESERVED:
        # Without a gold to come with it a reserved card costs a whole turn.
        moves += [RESERVE_CARD[card] for card in _coveted(state, seat, view, weights)]
    return list(dict.fromkeys(moves))


def _coveted(state: State, seat: int, view: Outlook, weights: Weights) -> list[int]:
    """Open cards worth a place in the reserve: the own best ones, and one that the next seat is about to buy."""
    grid = state.board.grid
    cards = [wish.card for wish in view.wishes if wish.card in grid and wish.turns][:RESERVES]
    rival = (seat + 1) % len(state.hands)
    hand = state.hands[rival]
    threatened = [card for card in grid if card is not None and not turns_to_pay(state.board, hand, card)]
    if threatened:
        cards.append(max(threatened, key=lambda card: CARDS[card].points))
    return cards
