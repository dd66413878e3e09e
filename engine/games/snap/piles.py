"""The piles while a step of the rules is worked out: lists that change, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Told, public
from engine.core.seating import clockwise, previous_in
from engine.games.snap.moves import PenaltyPaid, PilesPotted, PilesWon, SeatLeft, SeatsOut, SnapEvent
from engine.games.snap.state import State


class Piles:
    """A scratch copy of all piles and exits of a state; the state itself is never changed."""

    __slots__ = ("exits", "face_down", "face_up", "pot", "told")

    def __init__(self, state: State) -> None:
        self.face_down = list(state.face_down)
        self.face_up = list(state.face_up)
        self.pot = state.pot
        self.exits = list(state.exits)
        self.told: list[Told[SnapEvent]] = []

    @property
    def inside(self) -> list[bool]:
        """By seat, whether it is still in."""
        return [step == 0 for step in self.exits]

    def win(self, seat: int, piles: Sequence[int], *, with_pot: bool) -> None:
        """Put the pot, then these seats' face-up piles, under the winner's face-down pile (SNP-8)."""
        won = self.pot if with_pot else ()
        for owner in piles:
            won += self.face_up[owner]
            self.face_up[owner] = ()
        if with_pot:
            self.pot = ()
        self.face_down[seat] += won
        self.told.append(public(PilesWon(seat, tuple(piles), with_pot, len(won))))

    def tie(self, callers: Sequence[int], piles: Sequence[int]) -> None:
        """Put these seats' face-up piles onto the pot in this order (SNP-11, SNP-13, SNP-14)."""
        before = len(self.pot)
        for owner in piles:
            self.pot += self.face_up[owner]
            self.face_up[owner] = ()
        self.told.append(public(PilesPotted(tuple(sorted(callers)), tuple(piles), len(self.pot) - before)))

    def pay(self, seat: int, turner: int) -> None:
        """A wrong caller pays the turner, the turner pays the seat on its right (SNP-17 to SNP-19).

        A caller without a card pays nothing (RACE-6).
        """
        if self.face_down[seat]:
            card, *rest = self.face_down[seat]
            self.face_down[seat] = tuple(rest)
            from_face_up = False
        elif self.face_up[seat]:
            card, *rest = self.face_up[seat]
            self.face_up[seat] = tuple(rest)
            from_face_up = True
        else:
            return
        to = turner if seat != turner else previous_in(turner, self.inside)
        self.face_down[to] += (card,)
        self.told.append(public(PenaltyPaid(seat, to, from_face_up)))

    def exit(self, moments: Sequence[Sequence[int]]) -> list[int]:
        """Let leavers leave and seats without cards go out (SNP-16, SNP-26, RACE-6); return those that went out.

        `moments` are the leavers by moment, the earliest first. A leaver comes below a seat that went out in the same
        race, for that one stayed until the close (ALL-4).
        """
        leavers = [seat for together in moments for seat in together]
        broke = [
            seat
            for seat, step in enumerate(self.exits)
            if step == 0 and seat not in leavers and not self.face_down[seat] and not self.face_up[seat]
        ]
        last = max(self.exits)
        for step, together in enumerate((*moments, broke), start=last + 1):
            for seat in together:
                self.exits[seat] = step
        if broke:
            self.told.append(public(SeatsOut(tuple(broke))))
        for seat in leavers:
            self._deal_out(seat)
        return broke

    def _deal_out(self, leaver: int) -> None:
        """Deal a leaver's piles to the seats still in (SNP-26); with nobody in they stay where they are."""
        heirs = [seat for seat in clockwise(leaver, len(self.exits)) if self.exits[seat] == 0]
        dealt = [0] * len(self.exits)
        if heirs:
            cards = self.face_down[leaver] + self.face_up[leaver]
            self.face_down[leaver] = self.face_up[leaver] = ()
            for place, heir in enumerate(heirs):
                share = cards[place :: len(heirs)]
                self.face_down[heir] += share
                dealt[heir] = len(share)
        self.told.append(public(SeatLeft(leaver, tuple(dealt))))
