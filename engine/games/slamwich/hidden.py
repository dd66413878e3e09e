"""States that a viewer can't tell apart (ALL-2)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core import race as races
from engine.core.rng import Rng
from engine.games.slamwich.moves import Claim
from engine.games.slamwich.state import ClosedRace, State
from engine.games.slamwich.turning import right_and_idle
from engine.games.slamwich.view import TOPS, hides_card

_CLAIMS = tuple(claim.value for claim in Claim)


def shuffled(state: State, viewer: int | None, rng: Rng) -> State:
    """Permute all cards this viewer doesn't see, and forget what it doesn't know of the others' answers."""
    under = max(0, len(state.pile) - TOPS)
    seen = state.pile[under:-1] if hides_card(state, viewer) else state.pile[under:]
    unseen = state.pile[under + len(seen) :]
    hidden = rng.shuffle((*unseen, *state.pile[:under], *(card for stack in state.stacks for card in stack)))
    dealt = iter(hidden)
    top = _deal(dealt, len(unseen))
    pile = (*_deal(dealt, under), *seen, *top)
    stacks = tuple([_deal(dealt, len(stack)) for stack in state.stacks])
    race, last = state.race, state.last
    if race is not None:
        right, idle = right_and_idle(pile, free_shout=state.options.free_shout)
        race = replace(races.forgotten(race, viewer, _CLAIMS, rng), right=right, idle=idle)
    if last is not None and viewer not in last.seats:
        last = _unknown(last, hidden, rng)
    return replace(state, stacks=stacks, pile=pile, race=race, last=last)


def _deal(cards: Iterator[int], count: int) -> tuple[int, ...]:
    return tuple([next(cards) for _ in range(count)])


def _unknown(last: ClosedRace, hidden: tuple[int, ...], rng: Rng) -> ClosedRace:
    """The race as somebody knows it who wasn't in it: any hidden cards may have been turned and paid (SLM-36)."""
    if not hidden:
        return last
    penalties = [
        paid if paid.card is None else replace(paid, card=hidden[rng.below(len(hidden))]) for paid in last.penalties
    ]
    return replace(last, card=hidden[rng.below(len(hidden))], penalties=tuple(penalties))
