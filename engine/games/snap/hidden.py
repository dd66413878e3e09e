"""States that a viewer can't tell apart (ALL-2)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import race as races
from engine.core.rng import Rng
from engine.games.snap.state import Pile, State, right_claims
from engine.games.snap.view import unseen_by


def shuffled(state: State, viewer: int | None, rng: Rng) -> State:
    """Permute all cards this viewer doesn't see, and forget what it doesn't know of the others' answers."""
    unseen = unseen_by(state, viewer)
    seen = {pile[-1] for seat, pile in enumerate(state.face_up) if pile and seat != unseen}
    if unseen is not None:
        seen.update(state.face_up[unseen][-2:-1])
    seen.update(state.pot[-1:])
    swaps = _swaps(state, seen, rng)

    def moved(pile: Pile) -> Pile:
        return tuple([swaps.get(card, card) for card in pile])

    face_up, pot = tuple(map(moved, state.face_up)), moved(state.pot)
    race, last = state.race, state.last
    if race is not None:
        right = right_claims(state.options, face_up, pot, race.turner)
        race = replace(races.forgotten(race, viewer, state.options.claims, rng), right=right)
    if last is not None and viewer not in last.seats:
        last = replace(last, card=swaps.get(last.card, last.card))
    return replace(state, face_down=tuple(map(moved, state.face_down)), face_up=face_up, pot=pot, race=race, last=last)


def _swaps(state: State, seen: set[int], rng: Rng) -> dict[int, int]:
    """Which hidden card lies where which other one did."""
    piles = (*state.face_down, *state.face_up, state.pot)
    hidden = [card for pile in piles for card in pile if card not in seen]
    return dict(zip(hidden, rng.shuffle(hidden), strict=True))
