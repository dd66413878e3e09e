"""A card is turned, a race is closed, a match ends."""

from __future__ import annotations

from itertools import groupby

from msgspec.structs import replace

from engine.core import race as races
from engine.core.cards import name_of
from engine.core.events import Told, private, public
from engine.core.race import Race, RaceMode, Verdict
from engine.core.rng import Rng
from engine.core.seating import next_in
from engine.games.snap.moves import Answered, CardSeen, CardTurned, Claim, GameEnded, RaceClosed, SnapEvent
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
    told: list[Told[SnapEvent]] = [public(CardTurned(race.number, seat, turn_over))]
    if race.mode is RaceMode.ARRIVAL:
        told.append(private(CardSeen(race.number, name_of(card)), *race.seats))
    turned = replace(
        state, face_down=tuple(face_down), face_up=tuple(face_up), turned=race.number, turn=seat, race=race
    )
    return turned, tuple(told)


def close_race(state: State, race: Race, at: int, rng: Rng) -> Step:
    """Judge the race and do all that follows, in the order of RACE-6; by reaction the table turns the next card too."""
    card = state.face_up[race.turner][-1]
    verdict = _without_ties(state, races.judge(race), rng)
    piles = Piles(state)
    _award(piles, race, verdict)
    for wrong in verdict.wrong:
        piles.pay(wrong.seat, race.turner)
    moments = _moments(race)
    broke = piles.exit(moments)
    answers = _answers(race)
    last = ClosedRace(
        number=race.number,
        turner=race.turner,
        card=card,
        seats=race.seats,
        answers=answers,
        best=tuple([answer.seat for answer in verdict.best]),
        wrong=tuple([answer.seat for answer in verdict.wrong]),
    )
    told = _reveal(race, card, answers)
    closed = _settled(state, piles, last, at, left=bool(moments), broke=bool(broke))
    told.extend(piles.told)
    if closed.reason is not None:
        told.append(public(GameEnded(closed.reason, closed.places)))
    elif race.mode is RaceMode.REACTION:
        closed, more = turn_card(closed, at)
        told.extend(more)
    return closed, tuple(told)


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


def _moments(race: Race) -> list[list[int]]:
    """Who left during the race, those of one moment together, the earliest first."""
    leaving = sorted((gone.at, gone.seat) for gone in race.leaving)
    return [[seat for _, seat in together] for _, together in groupby(leaving, key=lambda gone: gone[0])]


def _answers(race: Race) -> tuple[Answered, ...]:
    """All answers for everybody to see, the quickest first, those without a look last."""
    start = race.opened if race.mode is RaceMode.ARRIVAL else 0
    unseen = [answer for answer in race.answers if not races.has_seen(race, answer.seat)]
    timed = sorted((a for a in race.answers if a not in unseen), key=lambda a: a.time)
    return (
        *(Answered(a.seat, None if a.claim is None else Claim(a.claim), a.time - start) for a in timed),
        *(Answered(a.seat, None, None) for a in unseen),
    )


def _reveal(race: Race, card: int, answers: tuple[Answered, ...]) -> list[Told[SnapEvent]]:
    """The close shows the card to whoever was in the race without seeing it, and everybody's answers to all."""
    told: list[Told[SnapEvent]] = []
    unseen = [seat for seat in race.seats if not races.has_seen(race, seat)]
    if unseen:
        told.append(private(CardSeen(race.number, name_of(card)), *unseen))
    told.append(public(RaceClosed(race.number, answers)))
    return told


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
