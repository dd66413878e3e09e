"""The close of a race, step by step in the order of RACE-6, and seats that leave.

A challenge takes its course between penalties and going out: penalties paid in its race lie in the pile that it is
about, and a seat that they put out can neither take the pile nor go on showing cards.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import race as races
from engine.core.events import public
from engine.core.race import Race, Verdict
from engine.games.slamwich.cards import NAMES, NUMBERS
from engine.games.slamwich.desk import Desk, Step
from engine.games.slamwich.moves import (
    ChallengeBegun,
    Claim,
    RaceClosed,
    SeatsOut,
    Taking,
)
from engine.games.slamwich.state import Challenge, ClosedRace, State


def close_race(state: State, race: Race, at: int) -> Step:
    """Judge the race and do all that follows; by reaction the table turns the next card too."""
    card, verdict, answers = state.pile[-1], races.judge(race), races.answered(race, Claim)
    moments = races.moments(race)
    desk = Desk(state, moments)
    desk.told = [*races.revealed(race, NAMES[card]), public(RaceClosed(race.number, answers))]
    desk.end_turn(race.turner)
    _award(desk, verdict)
    if desk.taker is None:
        _let_card_work(desk, race, card)
    _punish(desk, verdict, keeps_turn=desk.taker is not None or bool(NUMBERS[card]) or state.challenge is not None)
    _continue_challenge(desk)
    _go_out(desk)
    exits_told = len(desk.told)
    for moment in moments:
        _depart(desk, moment)
    _leave_somebody_in(desk, race)
    if desk.exited:
        desk.told.insert(exits_told, public(SeatsOut(tuple(desk.exited))))
    last = ClosedRace(
        number=race.number,
        turner=race.turner,
        card=card,
        seats=race.seats,
        answers=answers,
        taker=desk.taker,
        penalties=tuple(desk.penalties),
    )
    return desk.conclude(at, last)


def leave_between_races(state: State, seats: list[int], at: int) -> Step:
    """Seats leave while the next card isn't turned yet; a challenge of theirs is settled first (SLM-35)."""
    desk = Desk(state, (seats,))
    _depart(desk, seats)
    return desk.conclude(at, state.last)


def end_between_races(state: State, at: int) -> Step:
    """The time is up and nothing is left to settle (SLM-33)."""
    return Desk(state).conclude(at, state.last)


def _award(desk: Desk, verdict: Verdict) -> None:
    """The earliest right claim takes the pile, in a challenge too (SLM-11, SLM-17, SLM-23)."""
    if verdict.best:
        desk.take_pile(verdict.best[0].seat, Taking.SLAP)


def _let_card_work(desk: Desk, race: Race, card: int) -> None:
    """What an unclaimed card does to the challenge: a Muncher begins one or takes over, whatever it combines with
    (SLM-22, SLM-26 to SLM-28); a stopper stops it (SLM-28); any other card is one of those to show.
    """
    if NUMBERS[card]:
        responder = desk.opponent_of(race.turner)
        desk.challenge = Challenge(race.turner, responder, NUMBERS[card])
        if responder != race.turner:
            desk.tell(ChallengeBegun(race.turner, responder, NUMBERS[card]))
    elif race.right:
        desk.stop_muncher()
    elif desk.challenge is not None:
        desk.challenge = replace(desk.challenge, shown=desk.challenge.shown + 1)


def _punish(desk: Desk, verdict: Verdict, *, keeps_turn: bool) -> None:
    """Slip Slaps in order of time; the seat left of the last one turns, unless a challenge or a taken pile says who
    does (SLM-15, SLM-18 to SLM-21).
    """
    for wrong in verdict.wrong:
        desk.pay(wrong.seat)
        if not keeps_turn:
            desk.end_turn(wrong.seat)


def _continue_challenge(desk: Desk) -> None:
    """Who profits, or that it goes on: a Muncher seat that a penalty put out is stopped (SLM-20), enough cards shown or
    none left to show is a failure (SLM-25, SLM-29).
    """
    challenge = desk.challenge
    if challenge is None:
        return
    muncher, responder = challenge.muncher, challenge.responder
    if desk.exits[muncher]:
        desk.stop_muncher()
    elif muncher != responder and (challenge.shown >= challenge.number or not desk.stacks[responder]):
        desk.take_pile(muncher, Taking.MUNCHER)
    else:
        desk.give_turn(responder)


def _go_out(desk: Desk) -> None:
    """Seats without cards go out together, but for leavers and the Muncher seat of a challenge that goes on (SLM-30,
    SLM-31, ALL-4).
    """
    kept = desk.challenge.muncher if desk.challenge is not None else None
    staying = [seat for seat, step in enumerate(desk.exits) if step == 0 and seat != kept and seat not in desk.leaving]
    empty = [seat for seat in staying if not desk.stacks[seat]]
    if empty:
        desk.go_out(empty)


def _depart(desk: Desk, seats: list[int]) -> None:
    """Seats that are still in leave at one moment; a challenge is settled for the other side, for neither when both
    leave (SLM-35).
    """
    leavers = [seat for seat in seats if desk.exits[seat] == 0]
    challenge = desk.challenge
    if challenge is not None and challenge.muncher in leavers:
        desk.stop_muncher()
        desk.give_turn(challenge.responder)
    elif challenge is not None and challenge.responder in leavers:
        desk.take_pile(challenge.muncher, Taking.MUNCHER)
    if leavers:
        desk.depart(leavers)


def _leave_somebody_in(desk: Desk, race: Race) -> None:
    """If nobody is in, of those that didn't leave stays whose penalty came last, with its card; without a penalty the
    turner, or if that left, whoever went out last (SLM-32, ALL-4).
    """
    stayed = [seat for seat in desk.exited if seat not in desk.leaving]
    if any(desk.inside()) or not stayed:
        return
    paid = [penalty for penalty in desk.penalties if penalty.card is not None and penalty.seat in stayed]
    if paid:
        desk.give_back(paid[-1])
    elif race.turner in stayed:
        desk.stay(race.turner)
    else:
        step = max(desk.exits[seat] for seat in stayed)
        for seat in [seat for seat in stayed if desk.exits[seat] == step]:
            desk.stay(seat)
