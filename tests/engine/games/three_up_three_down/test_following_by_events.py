"""The events alone are enough to follow the table: a client that only adds them up shows what the view shows."""

from __future__ import annotations

from random import Random

import pytest

from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down import moves as happened
from engine.games.three_up_three_down.view import View
from tests.engine.games.three_up_three_down.sheet import rng


class Client:
    """One viewer's table, built from nothing but the events it is told."""

    def __init__(self, seats: int, viewer: int | None) -> None:
        self.viewer = viewer
        self.hands = [6] * seats
        self.own: list[str] = []
        self.up: list[list[str]] = [[] for _ in range(seats)]
        self.down: list[dict[int, str | None]] = [dict.fromkeys(range(3)) for _ in range(seats)]
        self.pile: list[str] = []
        self.cleared: list[str] = []
        self.draw = 0
        self.seat: int | None = None
        self.due = 0
        self.reason = ""

    def tell(self, event: happened.AnyEvent) -> None:  # noqa: C901, PLR0912 - one case an event
        match event:
            case happened.Dealt(draw_pile=draw):
                self.draw = draw
            case happened.HandDealt(cards=cards) | happened.OwnDrawn(cards=cards):
                self.own += cards
            case happened.UpRevealed(cards=ups):
                self.up = [list(up) for up in ups]
                self.hands = [hand - 3 if up else hand for hand, up in zip(self.hands, ups, strict=True)]
                for card in ups[self.viewer] if self.viewer is not None else ():
                    self.own.remove(card)
            case happened.TurnBegan(seat=seat):
                self.seat, self.due = seat, 1
            case happened.MoreDiscards(due=due):
                self.due = due
            case happened.Discarded(seat, source, card, count):
                self.take(seat, source, card, count)
                self.pile += [card] * count
            case happened.DownTurned(seat, slot, card, fate):
                self.turn_down(seat, slot, card, fate)
            case happened.PileCleared():
                self.cleared += self.pile
                self.pile = []
            case happened.Drew(seat, count, draw):
                self.hands[seat] += count
                self.draw = draw
            case happened.PickedUp(seat, cards):
                self.give(seat, *cards)
                self.pile = []
            case happened.SeatLeft(seat=seat):
                self.hands[seat], self.up[seat], self.down[seat] = 0, [], {}
                self.own = [] if seat == self.viewer else self.own
            case happened.MatchEnded(reason=reason):
                self.seat, self.due, self.reason = None, 0, reason
            case _:
                pass

    def take(self, seat: int, source: str, card: str, count: int) -> None:
        if source == "hand":
            self.hands[seat] -= count
        for _ in range(count):
            if source == "up":
                self.up[seat].remove(card)
            elif seat == self.viewer:
                self.own.remove(card)

    def give(self, seat: int, *cards: str) -> None:
        self.hands[seat] += len(cards)
        self.own += cards if seat == self.viewer else ()

    def turn_down(self, seat: int, slot: int, card: str, fate: str) -> None:
        if fate == "back":
            self.down[seat][slot] = card
            return
        del self.down[seat][slot]
        if fate == "hand":
            self.give(seat, card)
        else:
            self.pile.append(card)

    def agrees_with(self, view: View) -> None:
        assert [seat.hand for seat in view.seats] == self.hands
        assert [list(seat.up) for seat in view.seats] == self.up
        assert [{place.slot: place.card for place in seat.down} for seat in view.seats] == self.down
        assert sorted(view.hand) == sorted(self.own)
        assert (list(view.discard_pile), list(view.cleared), view.draw_pile) == (self.pile, self.cleared, self.draw)
        assert (view.seat, view.discards_due, view.reason) == (self.seat, self.due, self.reason)


@pytest.mark.rule("TUD-32", "ALL-2")
@pytest.mark.parametrize("failed_down", ["hand", "stays"])
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_client_that_adds_up_events_shows_what_the_view_shows(seats: int, failed_down: str) -> None:
    for number in range(6):
        chance = Random(number)
        options = GAME.options({"failed_down": failed_down, "turn_limit": 150})
        clients = [Client(seats, viewer) for viewer in (0, 1, None)]
        state, told = GAME.setup(seats, options, 0, rng(number))
        while True:
            for client in clients:
                for each in told:
                    if each.reaches(client.viewer):
                        client.tell(each.event)
                client.agrees_with(GAME.view(state, client.viewer))
            if GAME.outcome(state) is not None:
                break
            if chance.random() < 0.002:
                state, told = GAME.leave(state, (chance.randrange(seats),), 0, rng())
            else:
                seat = chance.choice(list(GAME.awaited(state)))
                state, told = GAME.play(state, seat, chance.choice(GAME.legal_moves(state, seat)), 0, rng())
