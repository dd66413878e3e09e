"""Turning a card, which opens its race (SLM-7)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.events import Told, public
from engine.core.race import open_race, shown
from engine.games.slamwich.cards import NAMES, is_combination, is_thief
from engine.games.slamwich.moves import CardTurned, Claim, SlamwichEvent
from engine.games.slamwich.state import TIE_MS, State

_SLAP, _SHOUT = Claim.SLAP.value, Claim.SLAP_AND_SHOUT.value


def right_and_idle(pile: tuple[int, ...], *, free_shout: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The claims that win the pile, and those that claim nothing and cost nothing (SLM-8 to SLM-14).

    A Thief needs the shout whatever it makes with others (SLM-14). `free_shout` makes a needless shout just a slap.
    """
    if is_thief(pile[-1]):
        return (_SHOUT,), (_SLAP,)
    if is_combination(pile):
        return ((_SLAP, _SHOUT) if free_shout else (_SLAP,)), ()
    return (), ()


def turn_card(state: State, at: int) -> tuple[State, tuple[Told[SlamwichEvent], ...]]:
    """The seat whose turn it is turns its top card; what can be claimed is fixed with it (SLM-7, SLM-13, RACE-4).

    Its face is told to the seats in the race, in `reaction` not before each looks.
    """
    options, seat, number = state.options, state.turn, state.turned + 1
    card, *rest = state.stacks[seat]
    pile = (*state.pile, card)
    right, idle = right_and_idle(pile, free_shout=options.free_shout)
    race = open_race(
        options.race, TIE_MS, number=number, turner=seat, opened=at, seats=state.seats, right=right, idle=idle
    )
    stacks = (*state.stacks[:seat], tuple(rest), *state.stacks[seat + 1 :])
    after = replace(state, stacks=stacks, pile=pile, turned=number, race=race)
    return after, (public(CardTurned(number, seat)), *shown(race, NAMES[card]))
