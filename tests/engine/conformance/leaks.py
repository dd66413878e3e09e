"""Games that tell what they should keep to themselves, each by another channel."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from msgspec.structs import replace

from engine.core.events import Event, public
from engine.core.game import Timer
from engine.core.outcome import Standing
from tests.engine.driver import AnyGame
from tests.engine.laws import cards_named, zone_kind


class Whispered(Event, frozen=True):
    """Names a card to everybody."""

    card: str


class Leaky:
    """A game that is true to the original in everything but what a subclass changes."""

    def __init__(self, game: AnyGame) -> None:
        self.original = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def secrets(self, state: Any, viewer: int | None) -> tuple[str, ...]:
        """The cards that the viewer isn't shown, in the order in which they lie."""
        shown = cards_named(self.original, self.original.view(state, viewer))
        zones = self.original.census(state).values()
        return tuple(card for cards in zones for card in cards if card in self.original.card_names - shown)

    def mark(self, state: Any, viewer: int | None) -> int:
        """A number that depends on what is hidden."""
        return crc32(" ".join(self.secrets(state, viewer)).encode())


class InView(Leaky):
    """Shows where the hidden cards lie."""

    def view(self, state: Any, viewer: int | None) -> Any:
        return self.original.view(state, viewer), self.secrets(state, viewer)


class InOneZone(Leaky):
    """Shows what lies hidden in one kind of zone."""

    def __init__(self, game: AnyGame, kind: str) -> None:
        super().__init__(game)
        self.kind = kind

    def view(self, state: Any, viewer: int | None) -> Any:
        zones = self.original.census(state).items()
        return self.original.view(state, viewer), [cards for zone, cards in zones if zone_kind(zone) == self.kind]


class InLegalMoves(Leaky):
    """Lists the legal moves in an order that depends on what is hidden."""

    def legal_moves(self, state: Any, seat: int) -> Any:
        moves = list(self.original.legal_moves(state, seat))
        return moves[::-1] if self.mark(state, seat) % 2 else moves


class InRefusals(Leaky):
    """Says more than it should when it refuses."""

    def refuse(self, state: Any, seat: int, move: Any) -> Any:
        refusal = self.original.refuse(state, seat, move)
        return refusal and replace(refusal, reason=f"{refusal.reason} ({self.mark(state, seat)})")


class InDefaults(Leaky):
    """Chooses for a silent seat with knowledge that the seat lacks."""

    def default_move(self, state: Any, seat: int) -> Any:
        moves = self.original.legal_moves(state, seat)
        return moves[self.mark(state, seat) % len(moves)]


class InStanding(Leaky):
    """Counts what is hidden."""

    def standing(self, state: Any) -> Standing:
        standing = self.original.standing(state)
        return Standing(standing.places, tuple(score + self.mark(state, None) % 7 for score in standing.scores))


class InTimers(Leaky):
    """Waits longer when something is worth it."""

    def known_timers(self, state: Any, viewer: int | None) -> tuple[Timer, ...]:
        return (*self.original.known_timers(state, viewer), Timer("think", self.mark(state, viewer)))


class InEvents(Leaky):
    """Names a hidden card to everybody when a move is made."""

    def play(self, state: Any, seat: int, move: Any, at: int, rng: Any) -> Any:
        after, told = self.original.play(state, seat, move, at, rng)
        secrets = self.secrets(after, None)
        return after, (*told, *(public(Whispered(card)) for card in secrets[:1]))
