"""The events alone are enough to follow the table: a client that only adds them up shows what the view shows."""

from __future__ import annotations

from random import Random

import pytest

from engine.games.splendor import GAME
from engine.games.splendor import moves as happened
from engine.games.splendor.view import SeatView, SplendorView
from tests.engine.games.splendor.builders import rng

COLOURS = ("white", "blue", "green", "red", "black", "gold")
CATALOGUE = GAME.catalogue()
CARDS = {card["name"]: card for card in CATALOGUE["cards"]}
PRESTIGE = {thing["name"]: thing["points"] for thing in (*CATALOGUE["cards"], *CATALOGUE["nobles"])}


class Seat:
    """What one seat has; a reserved card is its level, whether it is secret, and its name if the viewer knows it."""

    def __init__(self) -> None:
        self.tokens = dict.fromkeys(COLOURS, 0)
        self.bought: list[str] = []
        self.nobles: list[str] = []
        self.reserved: list[tuple[int, bool, str | None]] = []


class Client:
    """One viewer's table, built from nothing but the events it is told."""

    def __init__(self, seats: int, viewer: int | None) -> None:
        self.viewer = viewer
        self.seats = [Seat() for _ in range(seats)]
        self.bank = dict.fromkeys(COLOURS, 0)
        self.levels: list[list[str | None]] = []
        self.decks = [36, 26, 16]
        self.nobles: list[str] = []
        self.box: list[str] = []
        self.secret = [0, 0, 0]
        self.ending: str | None = None
        self.is_over = False

    def tell(self, event: happened.SplendorEvent) -> None:  # noqa: C901, PLR0912 - one case an event
        match event:
            case happened.TableLaid(bank=bank, grid=grid, nobles=nobles):
                self.bank = {colour: getattr(bank, colour) for colour in COLOURS}
                self.levels = [list(grid[:4]), list(grid[4:8]), list(grid[8:])]
                self.nobles = list(nobles)
            case happened.GemsTaken(seat, gems):
                self.move(seat, gems, 1)
            case happened.CardReserved(seat, card, level, place, gold):
                assert self.levels[level - 1][place] == card
                self.seats[seat].reserved.append((level, False, card))
                self.move(seat, happened.Tokens(gold=gold), 1)
            case happened.TopReserved(seat, level, gold):
                self.decks[level - 1] -= 1
                self.seats[seat].reserved.append((level, True, None))
                self.move(seat, happened.Tokens(gold=gold), 1)
            case happened.TopSeen(card):
                assert self.viewer is not None
                level, _, _ = self.seats[self.viewer].reserved.pop()
                self.seats[self.viewer].reserved.append((level, True, card))
            case happened.CardBought(seat, card, level, payment, place, slot):
                self.buy(seat, card, level, place, slot)
                self.move(seat, payment, -1)
            case happened.PlaceFilled(level, place, card):
                self.levels[level - 1][place] = card
                self.decks[level - 1] -= card is not None
            case happened.TokensReturned(seat, tokens):
                self.move(seat, tokens, -1)
            case happened.NobleCame(seat, noble):
                self.nobles.remove(noble)
                self.seats[seat].nobles.append(noble)
            case happened.SeatLeft(seat, tokens):
                self.move(seat, tokens, -1)
                self.clear(seat)
            case happened.LastRound(reason):
                self.ending = reason
            case happened.MatchEnded():
                self.is_over = True
            case _:
                pass

    def move(self, seat: int, tokens: happened.Gems, sign: int) -> None:
        for colour in COLOURS:
            number = sign * getattr(tokens, colour, 0)
            self.seats[seat].tokens[colour] += number
            self.bank[colour] -= number

    def buy(self, seat: int, card: str, level: int, place: int | None, slot: int | None) -> None:
        if place is not None:
            assert self.levels[level - 1][place] == card
        else:
            assert slot is not None
            assert self.seats[seat].reserved.pop(slot)[2] in {card, None}
        self.seats[seat].bought.append(card)

    def clear(self, seat: int) -> None:
        gone = self.seats[seat]
        assert not any(gone.tokens.values())
        self.box += gone.bought + [card for _, is_secret, card in gone.reserved if not is_secret and card is not None]
        for level, is_secret, _ in gone.reserved:
            self.secret[level - 1] += is_secret
        self.seats[seat] = Seat()

    def agrees_with(self, view: SplendorView) -> None:
        assert {colour: getattr(view.bank, colour) for colour in COLOURS} == self.bank
        assert [list(level.places) for level in view.levels] == self.levels
        assert [level.deck for level in view.levels] == self.decks
        assert list(view.nobles) == self.nobles
        assert (list(view.box.cards), list(view.box.secret_cards)) == (self.box, self.secret)
        assert (view.last_round, view.turn_of is None) == (self.ending, self.is_over)
        for shown, seat in zip(view.seats, self.seats, strict=True):
            shows(shown, seat)


def shows(view: SeatView, seat: Seat) -> None:
    assert {colour: getattr(view.tokens, colour) for colour in COLOURS} == seat.tokens
    assert (list(view.bought), list(view.nobles)) == (seat.bought, seat.nobles)
    assert [(held.level, held.is_secret, held.card) for held in view.reserved] == seat.reserved
    assert view.prestige == sum(PRESTIGE[name] for name in (*seat.bought, *seat.nobles))
    bonuses = [CARDS[name]["bonus"] for name in seat.bought]
    assert [getattr(view.bonuses, gem) for gem in COLOURS[:5]] == [bonuses.count(gem) for gem in COLOURS[:5]]


@pytest.mark.rule("SPL-18", "ALL-2")
@pytest.mark.parametrize("preset", ["standard", "publisher"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_client_that_adds_up_events_shows_what_the_view_shows(seats: int, preset: str) -> None:
    for number in range(4):
        chance = Random(number)
        clients = [Client(seats, viewer) for viewer in (0, 1, None)]
        state, told = GAME.setup(seats, GAME.options({"turn_limit": 60}, preset), 0, rng(number))
        while True:
            for client in clients:
                for each in told:
                    if each.reaches(client.viewer):
                        client.tell(each.event)
                client.agrees_with(GAME.view(state, client.viewer))
            if GAME.outcome(state) is not None:
                break
            if chance.random() < 0.004:
                state, told = GAME.leave(state, (chance.randrange(seats),), 0, rng())
            else:
                moves = GAME.legal_moves(state, state.seat)
                buys = [move for move in moves if isinstance(move, happened.Buy)]
                state, told = GAME.play(state, state.seat, chance.choice(buys or moves), 0, rng())
