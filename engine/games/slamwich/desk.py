"""A match while it is settled: stacks, pile and challenge on the way from one state to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.core.events import Told, public
from engine.core.race import RaceMode
from engine.core.seating import clockwise, next_in
from engine.games.slamwich.moves import (
    CardKept,
    GameEnded,
    MuncherStopped,
    PileTaken,
    SeatLeft,
    SlamwichEvent,
    SlipSlap,
    Taking,
    TurnPassed,
)
from engine.games.slamwich.state import ClosedRace, Penalty, State
from engine.games.slamwich.turning import turn_card

Step = tuple[State, tuple[Told[SlamwichEvent], ...]]


class Desk:
    """What a settlement works on; `told` is what it has told so far.

    The next to turn is `turn`, or the seat left of it if `turn_is_over`, or if it isn't in any more. `exited` are the
    seats that went out in this settlement, in order; those that `departed` left in it. `moments` are the seats that
    leave in it, by moment; `leaving` has their steps, which are below those of all that go out in it (ALL-4).
    """

    def __init__(self, state: State, moments: Sequence[Sequence[int]] = ()) -> None:
        self.state = state
        last = max(state.exits)
        self.leaving = {seat: step for step, seats in enumerate(moments, start=last + 1) for seat in seats}
        self._last_step = last + len(moments)
        self.stacks = list(state.stacks)
        self.pile = state.pile
        self.exits = list(state.exits)
        self.challenge = state.challenge
        self.turn = state.turn
        self.turn_is_over = False
        self.taker: int | None = None
        self.penalties: list[Penalty] = []
        self.exited: list[int] = []
        self.departed: list[int] = []
        self.told: list[Told[SlamwichEvent]] = []

    def tell(self, event: SlamwichEvent) -> None:
        """Tell everybody."""
        self.told.append(public(event))

    def inside(self) -> list[bool]:
        """Which seats are still in."""
        return [step == 0 for step in self.exits]

    def give_turn(self, seat: int) -> None:
        """This seat turns next, or if it isn't in any more the one left of it."""
        self.turn, self.turn_is_over = seat, False

    def end_turn(self, seat: int) -> None:
        """The seat left of this one turns next."""
        self.turn, self.turn_is_over = seat, True

    def opponent_of(self, seat: int) -> int:
        """The next seat with cards; the seat itself when nobody else has any (SLM-30)."""
        for other in clockwise(seat, len(self.stacks)):
            if self.exits[other] == 0 and self.stacks[other]:
                return other
        return seat

    def take_pile(self, seat: int, by: Taking) -> None:
        """The pile goes under the stack as a block, which settles a challenge; its taker turns (SLM-11, SLM-15)."""
        self.tell(PileTaken(seat, len(self.pile), by))
        self.stacks[seat] += self.pile
        self.pile = ()
        self.challenge = None
        self.taker = seat
        self.give_turn(seat)

    def stop_muncher(self) -> None:
        """The pile stays, and the seat left of the responder turns (SLM-28)."""
        if self.challenge is not None:
            self.tell(MuncherStopped(self.challenge.muncher))
            self.end_turn(self.challenge.responder)
            self.challenge = None

    def pay(self, seat: int) -> None:
        """The top card goes to the bottom of the pile; a seat without one now, or before, is out (SLM-18, SLM-20)."""
        card, *rest = self.stacks[seat] or (None,)
        self.tell(SlipSlap(seat, card is not None))
        self.penalties.append(Penalty(seat, card))
        if card is not None:
            self.stacks[seat], self.pile = tuple(rest), (card, *self.pile)
        if not rest:
            self.go_out((seat,))

    def go_out(self, seats: Iterable[int]) -> None:
        """These seats go out in one step; a leaver's place is that of its leaving (SLM-31, SLM-32, ALL-4)."""
        self._last_step += 1
        for seat in seats:
            self.exits[seat] = self.leaving.get(seat, self._last_step)
            self.exited.append(seat)

    def stay(self, seat: int) -> None:
        """This seat hasn't gone out after all (SLM-32)."""
        self.exits[seat] = 0
        self.exited.remove(seat)

    def give_back(self, penalty: Penalty) -> None:
        """The seat keeps the card that it paid last, and is in (SLM-32)."""
        if penalty.card is not None:
            lowest = self.pile.index(penalty.card)
            self.pile = (*self.pile[:lowest], *self.pile[lowest + 1 :])
            self.stacks[penalty.seat] = (penalty.card,)
            self.tell(CardKept(penalty.seat))
            self.stay(penalty.seat)

    def depart(self, seats: Iterable[int]) -> None:
        """These seats leave at one moment; their stacks go to the bottom of the pile as blocks, face up (SLM-35)."""
        for seat in seats:
            self.tell(SeatLeft(seat, len(self.stacks[seat])))
            self.pile = (*self.stacks[seat], *self.pile)
            self.stacks[seat] = ()
            self.exits[seat] = self.leaving[seat]
            self.departed.append(seat)

    def conclude(self, at: int, last: ClosedRace | None) -> Step:
        """Test the end, then say who turns next; by reaction the table turns that card (RACE-6, SLM-32 to SLM-34)."""
        inside = self.inside()
        deadline = self.state.deadline
        time_is_up = self.state.time_is_up or (deadline is not None and at >= deadline)
        reason = self._ending(sum(inside), time_is_up=time_is_up)
        state = replace(
            self.state,
            stacks=tuple(self.stacks),
            pile=self.pile,
            exits=tuple(self.exits),
            turn=self.turn if reason else self._next_turn(inside),
            race=None,
            challenge=None if reason else self.challenge,
            last=last,
            reason=reason,
        )
        if reason is not None:
            self.tell(GameEnded(reason, state.places))
        elif state.options.race.mode is RaceMode.REACTION:
            state, turned = turn_card(state, at)
            self.told.extend(turned)
        else:
            self.tell(TurnPassed(state.turn))
        return state, tuple(self.told)

    def _ending(self, inside: int, *, time_is_up: bool) -> str | None:
        """Why no other turn begins; limits wait until a challenge is settled (SLM-32 to SLM-34, ALL-4)."""
        if inside == 0:
            return "all_left"
        if inside == 1:
            return "others_left" if self.departed else "last_in"
        if self.challenge is not None:
            return None
        if time_is_up:
            return "time_limit"
        return "turn_limit" if self.state.turned >= self.state.options.last_turn else None

    def _next_turn(self, inside: list[bool]) -> int:
        stays = inside[self.turn] and not self.turn_is_over
        return self.turn if stays else next_in(self.turn, inside)
