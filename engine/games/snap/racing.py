"""A card is turned, a race is closed, a match ends."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.core import race as races
from engine.core.cards import name_of
from engine.core.events import Told, public
from engine.core.race import Race, RaceMode, Verdict
from engine.core.rng import Rng
from engine.core.seating import next_in
from engine.games.snap.moves import CardTurned, Claim, GameEnded, RaceClosed, SnapEvent
from engine.games.snap.piles import Piles
from engine.games.snap.state import ClosedRace, State, matching_piles, right_claims

Step = tuple[State, tuple[Told[SnapEvent], ...]]


def turn_card(state: State, at: int) -> Step:
    """The seat whose turn it is turns its next card, which opens a race (SNP-5, SNP-6, RACE-4)."""
    seat = state.turn
    face_down, face_up = list(state.face_down), list(state.face_up)
    turn_over = not face_down[seat]
    if turn_over:
        face_down[seat], face_up[seat] = face_up[seat], ()
    card, *rest = face_down[seat]
    face_down[seat] = tuple(rest)
    face_up[seat] += (card,)
    race = races.open_race(
        state.options.race,
        state.options.tie_ms,
        number=state.turned + 1,
        turner=seat,
        opened=at,
        seats=state.seats,
        right=right_claims(state.options, face_up, state.pot, seat),
    )
    turned = replace(
        state, face_down=tuple(face_down), face_up=tuple(face_up), turned=race.number, turn=seat, race=race
    )
    return turned, (public(CardTurned(race.number, seat, turn_over)), *races.shown(race, name_of(card)))


def close_race(state: State, race: Race, at: int, rng: Rng) -> Step:
    """Judge the race and do all that follows, in the order of RACE-6; by reaction the table turns the next card too."""
    card = state.face_up[race.turner][-1]
    verdict = _without_ties(state, races.judge(race), rng)
    piles = Piles(state)
    _award(piles, race, verdict)
    for wrong in verdict.wrong:
        piles.pay(wrong.seat, race.turner)
    moments = races.moments(race)
    broke = piles.exit(moments)
    answers = races.answered(race, Claim)
    last = ClosedRace(
        number=race.number,
        turner=race.turner,
        card=card,
        seats=race.seats,
        answers=answers,
        best=tuple([answer.seat for answer in verdict.best]),
        wrong=tuple([answer.seat for answer in verdict.wrong]),
    )
    told: list[Told[SnapEvent]] = [*races.revealed(race, name_of(card)), public(RaceClosed(race.number, answers))]
    closed = _settled(state, piles, last, at, left=bool(moments), broke=bool(broke))
    told.extend(piles.told)
    if closed.reason is not None:
        told.append(public(GameEnded(closed.reason, closed.places)))
    elif race.mode is RaceMode.REACTION:
        closed, more = turn_card(closed, at)
        told.extend(more)
    return closed, tuple(told)


def leave_between_races(state: State, leavers: Sequence[int]) -> Step:
    """Deal the leavers' piles to the others (SNP-26); the match ends with one seat left (ALL-4)."""
    piles = Piles(state)
    piles.exit([list(leavers)])
    inside = piles.inside
    after = replace(
        state,
        face_down=tuple(piles.face_down),
        face_up=tuple(piles.face_up),
        exits=tuple(piles.exits),
        turn=state.turn if inside[state.turn] or not any(inside) else next_in(state.turn, inside),
    )
    reason = ending(sum(inside), left=True, broke=False)
    if reason is None:
        return after, tuple(piles.told)
    ended, told = finish(after, reason)
    return ended, (*piles.told, *told)


def finish(state: State, reason: str) -> Step:
    """End the match between two races."""
    ended = replace(state, reason=reason)
    return ended, (public(GameEnded(reason, ended.places)),)


def ending(inside: int, *, left: bool, broke: bool) -> str | None:
    """Why nobody plays on when so many seats are in (SNP-22, ALL-4); None when they do.

    `left` and `broke` say whether seats have just left, or gone out.
    """
    if inside > 1:
        return None
    if left:
        return "others_left" if inside or broke else "all_left"
    return "all_cards" if inside else "no_cards"


def _without_ties(state: State, verdict: Verdict, rng: Rng) -> Verdict:
    """With an index card there are no ties: of equal times one is drawn (SNP-24)."""
    if not state.options.index_card or len(verdict.best) < 2:
        return verdict
    return replace(verdict, best=(verdict.best[rng.below(len(verdict.best))],))


def _award(piles: Piles, race: Race, verdict: Verdict) -> None:
    """Piles and pot go to the one best caller, or onto the pot when there are several (SNP-7 to SNP-15)."""
    if not verdict.best:
        return
    matching = matching_piles(piles.face_up, race.turner) or (race.turner,)
    if len(verdict.best) > 1:
        piles.tie([answer.seat for answer in verdict.best], matching)
    else:
        best = verdict.best[0]
        piles.win(best.seat, matching, with_pot=best.claim == Claim.SNAP_POT)


def _settled(state: State, piles: Piles, last: ClosedRace, at: int, *, left: bool, broke: bool) -> State:
    """The state after the close: over, or with the next seat to turn (SNP-21, SNP-22, SNP-25)."""
    inside = piles.inside
    reason = ending(sum(inside), left=left, broke=broke)
    time_is_up = state.time_is_up or (state.deadline is not None and at >= state.deadline)
    if reason is None and time_is_up:
        reason = "time_limit"
    if reason is None and last.number >= state.options.last_turn:
        reason = "turn_limit"
    return replace(
        state,
        face_down=tuple(piles.face_down),
        face_up=tuple(piles.face_up),
        pot=piles.pot,
        exits=tuple(piles.exits),
        turn=state.turn if reason else next_in(state.turn, inside),
        race=None,
        last=last,
        time_is_up=time_is_up,
        reason=reason,
    )
