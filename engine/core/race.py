"""Races: who claims a turned card first (RACE-1 to RACE-6). The games say which claims are right and what they win."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.core.errors import Refusal, illegal
from engine.core.events import Event, Told, private, public
from engine.core.game import LOOK, RACE, Occasion, Timer
from engine.core.rng import Rng

C = TypeVar("C", bound=StrEnum)

TIMER = "race"
LOOK_TIMER = "look:"


class RaceMode(StrEnum):
    """How claims are timed: by arrival at the server (RACE-1), or by each seat's own stopwatch (RACE-2)."""

    ARRIVAL = "arrival"
    REACTION = "reaction"


class RaceRules(Struct, frozen=True, forbid_unknown_fields=True):
    """How races of a match are decided; milliseconds. `tie_ms` None is the game's own default."""

    mode: RaceMode = RaceMode.ARRIVAL
    window_ms: Annotated[int, Meta(ge=500, le=60_000)] = 2500
    react_ms: Annotated[int, Meta(ge=500, le=60_000)] = 5000
    tie_ms: Annotated[int, Meta(ge=0, le=1000)] | None = None


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's one answer to a race. `claim` None is a pass.

    `time` is match time in `arrival`, and milliseconds since the seat's look in `reaction`.
    """

    seat: int
    time: int
    claim: str | None = None


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat was shown the card at this match time (`reaction`)."""

    seat: int
    at: int


class Race(Struct, frozen=True, forbid_unknown_fields=True):
    """One open race.

    `right` are the claims that win and `idle` those that neither win nor cost, both fixed when the card is turned
    (RACE-4). `seats` may answer. `leaving` are those that left while it was open, with the time of it.
    """

    number: int
    turner: int
    opened: int
    mode: RaceMode
    window_ms: int
    react_ms: int
    tie_ms: int
    seats: tuple[int, ...]
    right: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    looks: tuple[Look, ...] = ()
    answers: tuple[Answer, ...] = ()
    leaving: tuple[Look, ...] = ()


class Verdict(Struct, frozen=True):
    """A closed race: right claims simultaneous with the best one (RACE-3), best first, and the wrong ones in order."""

    best: tuple[Answer, ...]
    wrong: tuple[Answer, ...]


class Answered(Struct, Generic[C], frozen=True, forbid_unknown_fields=True):
    """One answer of a closed race: `claim` is None for a pass.

    `time_ms` has passed since the card was turned (`arrival`) or since the seat's own look (`reaction`); it is None for
    a pass without a look.
    """

    seat: int
    claim: C | None
    time_ms: int | None


class CardSeen(Event, frozen=True):
    """What card was turned for this race; only for the seats in it, and not before they see it (RACE-2)."""

    race: int
    card: str


class AnswerTaken(Event, frozen=True):
    """A seat has answered the race; what it answered comes with the close (RACE-4)."""

    race: int
    seat: int


class RaceView(Struct, frozen=True):
    """An open race as one viewer may know it (RACE-5): who may answer, and what the viewer itself did.

    `answered` are the seats known to have answered: in `arrival` all that have, in `reaction` the viewer only.
    `may_look` and `may_answer` speak of the viewer; `claim` is its own claim, None for a pass or no answer.
    """

    number: int
    mode: RaceMode
    turner: int
    seats: tuple[int, ...]
    answered: tuple[int, ...]
    may_look: bool
    may_answer: bool
    claim: str | None


def open_race(
    rules: RaceRules,
    tie_ms: int,
    *,
    number: int,
    turner: int,
    opened: int,
    seats: tuple[int, ...],
    right: tuple[str, ...],
    idle: tuple[str, ...] = (),
) -> Race:
    """Turning a card opens a race. `tie_ms` is the game's default, which the rules may override."""
    tie = tie_ms if rules.tie_ms is None else rules.tie_ms
    return Race(number, turner, opened, rules.mode, rules.window_ms, rules.react_ms, tie, seats, right, idle)


def answer_of(race: Race, seat: int) -> Answer | None:
    """The answer this seat has given."""
    return next((answer for answer in race.answers if answer.seat == seat), None)


def look_of(race: Race, seat: int) -> Look | None:
    """When this seat has looked."""
    return next((look for look in race.looks if look.seat == seat), None)


def may_answer(race: Race, seat: int) -> bool:
    """Whether this seat still owes the race its answer; one that has left has passed."""
    return seat in race.seats and answer_of(race, seat) is None and not _has_left(race, seat)


def unanswered(race: Race) -> tuple[int, ...]:
    """The seats that may still answer."""
    return tuple(seat for seat in race.seats if may_answer(race, seat))


def must_look(race: Race, seat: int) -> bool:
    """Whether this seat hasn't seen the card yet: it may look, or pass unseen (RACE-2)."""
    return race.mode is RaceMode.REACTION and look_of(race, seat) is None


def looking(race: Race) -> tuple[int, ...]:
    """The seats that have looked and not answered: their stopwatch runs."""
    return tuple(seat for seat in unanswered(race) if look_of(race, seat) is not None)


def has_seen(race: Race, viewer: int | None) -> bool:
    """Whether this viewer may know the turned card: everybody in `arrival`, in `reaction` those who looked."""
    return race.mode is RaceMode.ARRIVAL or (viewer is not None and look_of(race, viewer) is not None)


def is_sealed(race: Race | None) -> bool:
    """Whether anything lies in this race that others may not know of (RACE-2)."""
    return race is not None and race.mode is RaceMode.REACTION and bool(race.looks or race.answers or race.leaving)


def look(race: Race, seat: int, at: int) -> Race:
    """The seat is shown the card; its stopwatch starts (RACE-2)."""
    return replace(race, looks=(*race.looks, Look(seat, at)))


def answer(race: Race, seat: int, at: int, claim: str | None) -> Race:
    """Take the seat's one answer, received at `at`; None is a pass."""
    seen = look_of(race, seat)
    start = race.opened if race.mode is RaceMode.ARRIVAL or seen is None else seen.at
    elapsed = max(0, at - start)
    time = race.opened + elapsed if race.mode is RaceMode.ARRIVAL else elapsed
    return replace(race, answers=(*race.answers, Answer(seat, time, claim)))


def awaited(race: Race) -> dict[int, Occasion]:
    """The seats whose clocks run: by reaction those that haven't looked. By arrival only the window does."""
    occasion = Occasion(RACE, race.number)
    return {seat: occasion for seat in unanswered(race) if must_look(race, seat)}


def reacting(race: Race) -> dict[int, Occasion]:
    """The seats that may answer by arrival, or by reaction those whose stopwatch runs."""
    if race.mode is RaceMode.ARRIVAL:
        return dict.fromkeys(unanswered(race), Occasion(RACE, race.number))
    return dict.fromkeys(looking(race), Occasion(LOOK, race.number))


def refuse_turn(race: Race, claiming: str) -> Refusal:
    """Why no card is turned in a race; `claiming` is the game's verb for it."""
    if race.mode is RaceMode.REACTION:
        return illegal("RACE-2", "the table itself turns the next card when all have answered; look or pass")
    return illegal("RACE-1", f"the next card may not be turned before the race is closed; {claiming} or pass")


def refuse_look(race: Race, seat: int, claiming: str) -> Refusal | None:
    """Why this seat may not look (RACE-2)."""
    if race.mode is RaceMode.ARRIVAL:
        return illegal("RACE-2", f"everybody sees the card in races by arrival; {claiming} or pass")
    return None if must_look(race, seat) else illegal("RACE-2", f"you have looked; {claiming} or pass")


def refuse_claim(race: Race, seat: int, claiming: str) -> Refusal | None:
    """Why this seat may not claim anything yet (RACE-2)."""
    if must_look(race, seat):
        return illegal("RACE-2", f"look at the card before you {claiming}, or pass unseen")
    return None


def drop_out(race: Race, seat: int, at: int) -> Race:
    """The seat leaves while the race is open: it leaves at the close (RACE-6)."""
    return replace(race, leaving=(*race.leaving, Look(seat, at)))


def leave(race: Race, seats: Iterable[int], at: int) -> tuple[Race, bool]:
    """These seats leave at the same moment: the race after it and whether it closes.

    With one seat left the match doesn't go on (ALL-4), so neither does its race.
    """
    for seat in seats:
        if not _has_left(race, seat):
            race = drop_out(race, seat, at)
    return race, is_complete(race) or len(race.seats) - len(race.leaving) < 2


def is_complete(race: Race) -> bool:
    """Whether all seats in have answered."""
    return not unanswered(race)


def closes_at(race: Race) -> int:
    """When an `arrival` race closes by itself (RACE-1); a claim exactly `tie_ms` after the first right one counts.

    A right claim whose seat left before it closed the race closes nothing (RACE-6).
    """
    window = race.opened + race.window_ms
    for claim in sorted((a for a in race.answers if a.claim in race.right), key=lambda a: a.time):
        close = min(window, claim.time + race.tie_ms + 1)
        if not _left(race, claim.seat, close):
            return close
    return window


def timers(race: Race) -> tuple[Timer, ...]:
    """The waits of an open race. What an opponent's answer made of them is secret (RACE-5): show `known_timers`."""
    if race.mode is RaceMode.ARRIVAL:
        return (Timer(TIMER, closes_at(race), unanswered(race)),)
    return tuple(_look_timer(race, seat) for seat in looking(race))


def known_timers(race: Race, viewer: int | None) -> tuple[Timer, ...]:
    """What a viewer may know of them: the window, or its own look."""
    if race.mode is RaceMode.ARRIVAL:
        return (Timer(TIMER, race.opened + race.window_ms, race.seats),)
    return tuple(_look_timer(race, seat) for seat in looking(race) if seat == viewer)


def view(race: Race, viewer: int | None) -> RaceView:
    """The open race for one viewer (a seat, or None for a spectator)."""
    own = None if viewer is None else answer_of(race, viewer)
    everyone = race.mode is RaceMode.ARRIVAL
    return RaceView(
        number=race.number,
        mode=race.mode,
        turner=race.turner,
        seats=race.seats,
        answered=tuple(a.seat for a in race.answers if everyone or a.seat == viewer),
        may_look=viewer is not None and may_answer(race, viewer) and must_look(race, viewer),
        may_answer=viewer is not None and may_answer(race, viewer),
        claim=None if own is None else own.claim,
    )


def expire(race: Race, key: str) -> tuple[Race, bool] | None:
    """A timer of the race fires: the race after it and whether it closes. None when it has no such timer."""
    if not any(timer.key == key for timer in timers(race)):
        return None
    if key == TIMER:
        return race, True
    seat = int(key.removeprefix(LOOK_TIMER))
    passed = replace(race, answers=(*race.answers, Answer(seat, race.react_ms)))
    return passed, is_complete(passed)


def judge(race: Race) -> Verdict:
    """Judge all claims at once (RACE-3, RACE-4, RACE-6).

    A right claim of a seat that left is a pass; its wrong one stands. In `arrival`, what came in at the close or later
    counts for nothing, right or wrong.
    """
    claims = [a for a in race.answers if a.claim is not None and a.claim not in race.idle]
    end = None
    if race.mode is RaceMode.ARRIVAL:
        end = closes_at(race)
        claims = [a for a in claims if a.time < end]
    claims.sort(key=lambda a: (a.time, _after(race, a.seat)))
    right = [a for a in claims if a.claim in race.right and not _left(race, a.seat, end)]
    best = tuple(a for a in right if a.time - right[0].time <= race.tie_ms)
    return Verdict(best, tuple(a for a in claims if a.claim not in race.right))


def moments(race: Race) -> list[list[int]]:
    """Who left during the race, those of one moment together, the earliest first (ALL-4)."""
    leaving = sorted((gone.at, gone.seat) for gone in race.leaving)
    return [[seat for _, seat in together] for _, together in groupby(leaving, key=lambda gone: gone[0])]


def answered(race: Race, claims: type[C]) -> tuple[Answered[C], ...]:
    """All answers of a closed race for everybody to see, the quickest first, those without a look last."""
    start = race.opened if race.mode is RaceMode.ARRIVAL else 0
    unseen = [answer for answer in race.answers if not has_seen(race, answer.seat)]
    timed = sorted((a for a in race.answers if a not in unseen), key=lambda a: a.time)
    return (
        *(Answered(a.seat, None if a.claim is None else claims(a.claim), a.time - start) for a in timed),
        *(Answered(a.seat, None, None) for a in unseen),
    )


def taken(race: Race, seat: int) -> Told[AnswerTaken]:
    """That a seat has answered is public by arrival, and its own secret by reaction (RACE-2, RACE-4)."""
    event = AnswerTaken(race.number, seat)
    return public(event) if race.mode is RaceMode.ARRIVAL else private(event, seat)


def shown(race: Race, card: str) -> tuple[Told[CardSeen], ...]:
    """The turned card is shown to the seats in the race; by reaction not before each looks (RACE-2)."""
    return (private(CardSeen(race.number, card), *race.seats),) if race.mode is RaceMode.ARRIVAL else ()


def revealed(race: Race, card: str) -> tuple[Told[CardSeen], ...]:
    """The close shows the card to whoever was in the race without seeing it."""
    unseen = [seat for seat in race.seats if not has_seen(race, seat)]
    return (private(CardSeen(race.number, card), *unseen),) if unseen else ()


def forgotten(race: Race, viewer: int | None, claims: Sequence[str], rng: Rng) -> Race:
    """A race that this viewer can't tell from this one: by reaction the others did nothing, by arrival they passed or
    claimed anything of `claims` (RACE-2, RACE-4).
    """
    if race.mode is RaceMode.REACTION:
        return replace(
            race,
            looks=tuple(look for look in race.looks if look.seat == viewer),
            answers=tuple(answer for answer in race.answers if answer.seat == viewer),
            leaving=tuple(gone for gone in race.leaving if gone.seat == viewer),
        )
    said = (None, *claims)
    answers = tuple(a if a.seat == viewer else replace(a, claim=said[rng.below(len(said))]) for a in race.answers)
    return replace(race, answers=answers)


def _has_left(race: Race, seat: int) -> bool:
    return any(gone.seat == seat for gone in race.leaving)


def _left(race: Race, seat: int, end: int | None) -> bool:
    """Whether the seat left before the race closed at `end`; at any time when that is None (`reaction`)."""
    return any(gone.seat == seat and (end is None or gone.at < end) for gone in race.leaving)


def _after(race: Race, seat: int) -> int:
    """How far clockwise from the turner a seat sits; the turner itself comes last."""
    return (seat - race.turner - 1) % 64


def _look_timer(race: Race, seat: int) -> Timer:
    seen = look_of(race, seat)
    assert seen is not None  # noqa: S101 - only called for seats that are looking
    return Timer(f"{LOOK_TIMER}{seat}", seen.at + race.react_ms, (seat,))
