"""How a bot of Gnoming A Round decides; `Taste` says what it minds."""

from __future__ import annotations

from msgspec import Struct

from engine.bots.gnoming_a_round.layouts import best_place, open_cards, unseen, with_card, worth
from engine.games.gnoming_a_round.cards import FACE_DOWN
from engine.games.gnoming_a_round.moves import AnyMove, Bounce, Decline, Discard, Draw, Place, TurnUp, TurnUpOne
from engine.games.gnoming_a_round.scoring import OUT_BONUS
from engine.games.gnoming_a_round.state import Phase, Pile, Source, State, next_seat, seats_in

_LAST_TURN_GAIN = 2.0
_DOUBT = 8.0


class Taste(Struct, frozen=True):
    """What a bot minds.

    `promise` is how likely it takes lines to be completed while there is time. `weighs_pile`: it knows what the draw
    pile is worth, rather than taking discards that save three points. `minds_others`: it thinks of the price of going
    out, and of what it leaves for the next seat.
    """

    promise: float
    weighs_pile: bool
    minds_others: bool


PLAIN = Taste(promise=0.0, weighs_pile=False, minds_others=False)
KEEN = Taste(promise=0.35, weighs_pile=True, minds_others=True)
_WORTH_TAKING = 3.0


class Deciding(Struct, frozen=True):
    """One decision of `seat`, which sees what lies open and the card in its hand."""

    state: State
    seat: int
    taste: Taste
    cards: tuple[int, ...]
    promise: float

    def move(self, moves: tuple[AnyMove, ...]) -> AnyMove:
        """One of these moves."""
        match self.state.phase:
            case Phase.DRAW:
                return self._draw(moves)
            case Phase.PLAY:
                return self._play(moves)
            case Phase.REPLACED:
                return self._replaced(moves)
            case Phase.HAZARD:
                return self._hazard(moves)
            case _:
                return TurnUp((0, 1))

    def _draw(self, moves: tuple[AnyMove, ...]) -> AnyMove:
        tops = {Source.LEFT: self.state.left_pile[-1:], Source.RIGHT: self.state.right_pile[-1:]}
        gain, source = max(
            [(self._gain(top[0]), source) for source, top in tops.items() if top], default=(0.0, Source.PILE)
        )
        wanted = self._pile_gain() if self.taste.weighs_pile else _WORTH_TAKING
        return Draw(source) if gain > wanted and Draw(source) in moves else Draw(Source.PILE)

    def _gain(self, card: int) -> float:
        return best_place(self.cards, card, self.promise)[0]

    def _pile_gain(self) -> float:
        """What a card of the draw pile saves on average; one that saves nothing is discarded."""
        left = unseen(self.state, self.seat)
        return sum(number * max(0.0, self._gain(card)) for card, number in left.items()) / max(1, left.total())

    def _play(self, moves: tuple[AnyMove, ...]) -> AnyMove:
        card = self.state.hand
        assert card is not None  # noqa: S101 - the drawn card is in hand
        now = worth(self.cards, self.promise)
        gains = {
            move: now - self._after(with_card(self.cards, move.slot, card)) for move in moves if isinstance(move, Place)
        }
        best = max(gains, key=lambda move: gains[move])
        discard = self._discard(moves)
        return best if discard is None or gains[best] > 0 else discard

    def _after(self, cards: tuple[int, ...]) -> float:
        """What a layout is worth at the end of this turn, with the price or prize of going out first (GNO-23)."""
        points = worth(cards, self.promise)
        if not self.taste.minds_others or FACE_DOWN in cards or self.state.out_first is not None:
            return points
        points = worth(cards, 0.0)
        others = [
            worth(open_cards(self.state, seat), 0.0) - _LAST_TURN_GAIN
            for seat in seats_in(self.state)
            if seat != self.seat
        ]
        ahead = (min(others) - points) / _DOUBT
        return points - OUT_BONUS * max(-1.0, min(1.0, ahead))

    def _replaced(self, moves: tuple[AnyMove, ...]) -> AnyMove:
        card = self.state.hand
        assert card is not None  # noqa: S101 - the replaced card is in hand
        best, least = self._discard(moves), self._after(self.cards)
        for move in moves:
            if isinstance(move, Bounce):
                points = self._after(with_card(self.cards, move.slot, card))
                if best is None or points < least:
                    best, least = move, points
        return best or moves[0]

    def _discard(self, moves: tuple[AnyMove, ...]) -> AnyMove | None:
        """Where the discard serves the next seat least."""
        discards = [move for move in moves if isinstance(move, Discard)]
        if len(discards) < 2 or not self.taste.minds_others:
            return discards[0] if discards else None
        follower = next_seat(self.state, self.seat)
        theirs = open_cards(self.state, follower)
        return min(discards, key=lambda move: self._served(theirs, move))

    def _served(self, theirs: tuple[int, ...], move: Discard) -> float:
        kept = self.state.right_pile if move.pile is Pile.LEFT else self.state.left_pile
        tops = [card for card in (self.state.hand, *kept[-1:]) if card is not None]
        return max(best_place(theirs, card, self.taste.promise)[0] for card in tops)

    def _hazard(self, moves: tuple[AnyMove, ...]) -> AnyMove:
        """The seat that is behind doesn't hurry the end (GNO-11)."""
        if self.taste.minds_others:
            others = [worth(open_cards(self.state, seat), 0.0) for seat in seats_in(self.state) if seat != self.seat]
            if worth(self.cards, 0.0) < min(others):
                return next((move for move in moves if isinstance(move, TurnUpOne)), moves[0])
        return Decline()


def decide(state: State, seat: int, moves: tuple[AnyMove, ...], taste: Taste) -> AnyMove:
    """The move of a seat that is asked something."""
    return Deciding(state, seat, taste, open_cards(state, seat), taste.promise * _time_left(state, seat)).move(moves)


def _time_left(state: State, seat: int) -> float:
    """How much of the round is still to come for a line to be completed in: from 1 to 0 in a last turn."""
    if state.out_first is not None or state.cut is not None:
        return 0.0
    nearest = min(open_cards(state, other).count(FACE_DOWN) for other in seats_in(state))
    return min(1.0, nearest / 4)
