"""A match of Snap as one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from engine.core.cards import rank_of
from engine.core.outcome import places_of
from engine.core.race import Answered, RaceMode, RaceRules
from engine.core.race_game import RaceState
from engine.games.snap.moves import Claim

Pile = tuple[int, ...]

TURN_LIMIT = {RaceMode.ARRIVAL: 2000, RaceMode.REACTION: 300}
TIE_MS = {RaceMode.ARRIVAL: 40, RaceMode.REACTION: 60}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """How this match is played. `turn_limit` None is 2000 turned cards in `arrival` and 300 in `reaction` (SNP-25)."""

    race: RaceRules = RaceRules()
    index_card: bool = False
    time_limit_s: Annotated[int, Meta(ge=30, le=31_536_000)] | None = None
    turn_limit: Annotated[int, Meta(ge=1, le=100_000)] | None = None

    @property
    def last_turn(self) -> int:
        """After how many turned cards the standing decides (SNP-25)."""
        return TURN_LIMIT[self.race.mode] if self.turn_limit is None else self.turn_limit

    @property
    def tie_ms(self) -> int:
        """Within how many milliseconds right claims are simultaneous unless `race.tie_ms` says so (RACE-3, SNP-24)."""
        return 0 if self.index_card else TIE_MS[self.race.mode]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Everything that may be claimed, rightly or not (RACE-5, SNP-24)."""
        return (Claim.HAND,) if self.index_card else (Claim.SNAP, Claim.SNAP_POT)


class ClosedRace(Struct, frozen=True, forbid_unknown_fields=True):
    """The race that closed last: its card, who was in it, and what became of it.

    `best` are the seats whose right calls came first: one wins, several are a tie. `wrong` called wrongly.
    """

    number: int
    turner: int
    card: int
    seats: tuple[int, ...]
    answers: tuple[Answered[Claim], ...]
    best: tuple[int, ...]
    wrong: tuple[int, ...]


class State(RaceState, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything on the table; piles by seat.

    `face_down` piles lie in the order in which they will be turned, `face_up` piles and the `pot` in the order in which
    they were laid, the top last: a won or turned-over pile is appended as it is (SNP-8). The match ends at the first
    close from `deadline` on.
    """

    options: Options
    face_down: tuple[Pile, ...]
    face_up: tuple[Pile, ...]
    pot: Pile = ()
    last: ClosedRace | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat has in both piles."""
        return tuple(len(down) + len(up) for down, up in zip(self.face_down, self.face_up, strict=True))

    @property
    def places(self) -> tuple[int, ...]:
        """Places as they are now: most cards first, then the latest to go out or leave (SNP-22, SNP-23)."""
        return places_of(self.counts, self.exits)


def matching_piles(face_up: Sequence[Pile], turner: int) -> tuple[int, ...]:
    """Whose face-up piles match the turner's top card, in the order of SNP-8, the turner last; none without a match.

    Only tops of different seats match (SNP-9), and all that do (SNP-10).
    """
    rank = rank_of(face_up[turner][-1])
    others = (*range(turner + 1, len(face_up)), *range(turner))
    matching = tuple([seat for seat in others if face_up[seat] and rank_of(face_up[seat][-1]) == rank])
    return (*matching, turner) if matching else ()


def right_claims(options: Options, face_up: Sequence[Pile], pot: Pile, turner: int) -> tuple[str, ...]:
    """What may rightly be claimed of the turner's top card (SNP-7, SNP-12, SNP-15, SNP-24)."""
    right: list[str] = []
    if matching_piles(face_up, turner):
        right.append(Claim.HAND.value if options.index_card else Claim.SNAP.value)
    if pot and rank_of(pot[-1]) == rank_of(face_up[turner][-1]):
        right.append(Claim.SNAP_POT.value)
    return tuple(right)
