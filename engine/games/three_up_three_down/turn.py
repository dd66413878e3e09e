"""One move of the seat in turn, made on a scratch copy: discards, clears, draws, pick-ups (TUD-7 to TUD-29)."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from engine.core.events import Told, private, public
from engine.games.three_up_three_down.cards import CLEAR, NAMES, NOTHING, names
from engine.games.three_up_three_down.flow import Happened, end, next_turn
from engine.games.three_up_three_down.moves import (
    AnyEvent,
    Discarded,
    DownTurned,
    DrawSkipped,
    Drew,
    ExtrasLost,
    MoreDiscards,
    OwnDrawn,
    PickedUp,
    PileCleared,
)
from engine.games.three_up_three_down.state import HAND, FailedDown, Fate, State, Turned

_Step = Literal["goes on", "over", "out"]


class Turn:
    """The turn that is being played, changed in place while one move of it is made."""

    __slots__ = (
        *("cleared", "discard", "down", "draw", "due", "events", "hand"),
        *("known", "may_draw", "seat", "state", "turned", "up"),
    )

    def __init__(self, state: State) -> None:
        seat = state.seat
        self.state = state
        self.seat = seat
        self.due = state.due
        self.may_draw = False
        self.draw = state.draw
        self.discard = state.discard
        self.cleared = state.cleared
        self.hand = list(state.hands[seat])
        self.up = list(state.ups[seat])
        self.down = list(state.downs[seat])
        self.known = state.known[seat]
        self.turned: Turned | None = None
        self.events: list[Told[AnyEvent]] = []

    def discard_cards(self, kind: int, count: int) -> Happened:
        """Lay equal cards from the hand, or from UP when it is empty (TUD-7, TUD-24)."""
        zone = self.hand or self.up
        source: Literal["hand", "up"] = "hand" if self.hand else "up"
        for _ in range(count):
            zone.remove(kind)
        self._tell(Discarded(self.seat, source, NAMES[kind], count))
        return self._close(self._lay(kind, count))

    def turn_down(self, slot: int) -> Happened:
        """Turn a DOWN card: it is played, or goes to the hand, or back, and the pile is picked up (TUD-26)."""
        kind = self.down[slot]
        if kind >= (self.discard[-1] if self.discard else NOTHING):
            self.down[slot] = NOTHING
            self._show(slot, kind, "played")
            return self._close(self._lay(kind, 1))
        if self.state.options.failed_down is FailedDown.STAYS:
            self.known |= 1 << slot
            self._show(slot, kind, "back")
        else:
            self.down[slot] = NOTHING
            self.hand.append(kind)
            self._show(slot, kind, "hand")
        return self.pick_up()

    def pick_up(self) -> Happened:
        """The whole pile goes to the hand; the turn ends without a draw, further extras are lost (TUD-11, TUD-20)."""
        self._tell(PickedUp(self.seat, names(self.discard)))
        self.hand.extend(self.discard)
        self.hand.sort()
        self.discard = ()
        if self.due > 1:
            self._tell(ExtrasLost(self.seat, self.due - 1))
        return self._close("over")

    def draw_first(self) -> Happened:
        """Draw back up to three before the extra discard (TUD-16)."""
        self._draw_up()
        return self._close("goes on")

    def skip_draw(self) -> Happened:
        """Leave the chance to draw; it is lost (TUD-16)."""
        self._tell(DrawSkipped(self.seat))
        return self._close("goes on")

    def _lay(self, kind: int, count: int) -> _Step:
        self.due -= 1
        self.discard += (kind,) * count
        extras = kind - CLEAR
        if extras >= 0:
            self._clear("clear_card")
            self.due += extras
        elif self.discard[-3:] == (kind, kind, kind):
            self._clear("equal_numbers")
        return self._go_on(may_draw=extras > 0)

    def _clear(self, cause: Literal["equal_numbers", "clear_card"]) -> None:
        """The pile is out of the game, with the cards that cleared it (TUD-14, TUD-15, TUD-18)."""
        self._tell(PileCleared(cause, len(self.discard)))
        self.cleared += self.discard
        self.discard = ()

    def _go_on(self, *, may_draw: bool) -> _Step:
        """What follows a play. `may_draw`: it was a Clear +1 or +2, whose chance to draw is now or never (TUD-16)."""
        if not self.hand and not self.up and not any(self.down):
            return "out"  # TUD-29
        if not self.due:
            self._draw_up()
            return "over"
        self._tell(MoreDiscards(self.seat, self.due))
        if self.draw and len(self.hand) < HAND:
            return self._before_extra(may_draw=may_draw)
        return "goes on"

    def _before_extra(self, *, may_draw: bool) -> _Step:
        if self.hand:
            self.may_draw = may_draw
        elif may_draw:  # TUD-22: with an empty hand there is nothing to decide
            self._draw_up()
        else:
            self._tell(ExtrasLost(self.seat, self.due))
            self._draw_up()
            return "over"
        return "goes on"

    def _draw_up(self) -> None:
        """Draw back up to three, or what there is (TUD-12, TUD-13)."""
        count = min(HAND - len(self.hand), len(self.draw))
        if count < 1:
            return
        drawn = self.draw[: -count - 1 : -1]
        self.draw = self.draw[:-count]
        self.hand.extend(drawn)
        self.hand.sort()
        self._tell(Drew(self.seat, count, len(self.draw)))
        self.events.append(private(OwnDrawn(names(drawn)), self.seat))

    def _show(self, slot: int, kind: int, fate: Fate) -> None:
        self.turned = Turned(self.seat, slot, kind, fate)
        self._tell(DownTurned(self.seat, slot, NAMES[kind], fate))

    def _tell(self, event: AnyEvent) -> None:
        self.events.append(public(event))

    def _close(self, step: _Step) -> Happened:
        before, seat = self.state, self.seat
        state = replace(
            before,
            due=self.due,
            may_draw=self.may_draw,
            draw=self.draw,
            discard=self.discard,
            cleared=self.cleared,
            hands=(*before.hands[:seat], tuple(self.hand), *before.hands[seat + 1 :]),
            ups=(*before.ups[:seat], tuple(self.up), *before.ups[seat + 1 :]),
            downs=(*before.downs[:seat], tuple(self.down), *before.downs[seat + 1 :]),
            known=(*before.known[:seat], self.known, *before.known[seat + 1 :]),
            turned=self.turned,
        )
        if step == "goes on":
            return state, tuple(self.events)
        state, more = end(state, "out") if step == "out" else next_turn(state)
        return state, (*self.events, *more)
