"""What holds for a match as a whole: it ends, it can be replayed, nobody's leaving or lateness spoils it."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import settings

from engine.core.bookkeeping import FEWEST_MOVES
from engine.core.bots import is_drawn
from engine.core.errors import RefusalCode
from engine.core.race import RaceMode
from engine.core.referee import LAG
from engine.core.rng import Rng, Seed
from engine.core.table import EndedAs
from tests.engine import laws
from tests.engine.cases import short
from tests.engine.conformance.matches import MOST, on_every_case, played, start
from tests.engine.driver import AnyTable, Case, Playing, Temper, moves_and_timers, settled


@on_every_case
@played()
def test_law_7_seed_and_log_give_the_match_again(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    list(playing.moments(2 * MOST))
    laws.the_log_leads_to_the_table(playing)


@pytest.mark.rule("ALL-3", "ALL-5")
@settings(max_examples=3)
@on_every_case
@played(Temper.BRISK, Temper.SILENT, Temper.MIXED)
def test_law_10_every_match_ends_within_the_declared_bound(case: Case, number: int, temper: Temper) -> None:
    chosen = case if number % 8 == 0 else short(case)
    playing = Playing(chosen, number, temper)
    playing.play_out()
    assert moves_and_timers(playing.log) <= case.game.longest(case.seats, chosen.options)
    ending = playing.table.ending
    assert ending is not None
    assert ending.status is EndedAs.FINISHED or playing.table.moves < FEWEST_MOVES


@on_every_case
@played()
def test_law_13_settling_in_between_changes_nothing(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    for moment in playing.moments(MOST):
        if moment.after is playing.table:
            laws.settling_twice_is_settling_once(playing)


@settings(max_examples=8)
@on_every_case
@played()
def test_law_13_the_order_of_arrival_within_the_lag_changes_no_clock(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    random = Random(number)
    tried = 0
    for _ in playing.moments(MOST):
        seats = playing.open_seats()
        if len(seats) < 2 or something_comes_between(playing) or tried == 5:
            continue
        tried += 1
        chosen = random.sample(seats, min(3, len(seats)))
        asked = [(seat, playing.choose(seat), playing.now + spread(playing, random)) for seat in chosen]
        tables = [arrived(playing, order) for order in permutations(asked)]
        first = clocks_and_standing(tables[0], case)
        assert all(clocks_and_standing(table, case) == first for table in tables[1:]), f"{playing}: {asked!r}"


def something_comes_between(playing: Playing) -> bool:
    """Whether a limit or a stop falls among the requests: then one of them may find it come, and another not."""
    table = settled(playing.referee, playing.table, playing.now)
    due = playing.referee.due(table)
    waits_for_a_race = any(window.begins is not None for window in table.windows)
    return table.halted is not None or waits_for_a_race or (due is not None and due < playing.now + LAG)


def spread(playing: Playing, random: Random) -> int:
    """When a request comes in; by arrival all at once, as later ones may be too late for the first one's race."""
    race = getattr(playing.table.state, "race", None)
    is_arrival = race is not None and race.mode is RaceMode.ARRIVAL
    return 0 if is_arrival else random.randrange(LAG)


def arrived(playing: Playing, order: tuple[tuple[int, object, int], ...]) -> AnyTable:
    """The table once these requests have come in, in this order, all within the lag; then nothing happens for long."""
    table = settled(playing.referee, playing.table, playing.now)
    serials = {seat: at.decision.serial for seat, at in enumerate(playing.table.seats) if at.decision is not None}
    for seat, move, received in order:
        step = playing.referee.submit(
            table,
            seat=seat,
            serial=serials[seat],
            move=move,
            received=received,
            now=playing.now + LAG - 1,
            by_bot=playing.table.seats[seat].bot is not None and not is_drawn(playing.table.seats[seat]),
        )
        assert step.refusal is None or step.refusal.code is not RefusalCode.UNKNOWN_SERIAL
        table = step.table
    return table


def clocks_and_standing(table: AnyTable, case: Case) -> object:
    """What the order of arrival must not change."""
    clocks = [(at.clock, at.decision, at.strikes, at.has_left) for at in table.seats]
    return clocks, table.at, table.ending, case.game.standing(table.state)


@pytest.mark.rule("ALL-4")
@settings(max_examples=6)
@on_every_case
@played()
def test_law_14_any_seats_may_leave_at_any_moment(case: Case, number: int, temper: Temper) -> None:
    playing = Playing(short(case), number, temper)
    random = Random(number)
    list(playing.moments(random.randrange(MOST)))
    if playing.is_over:
        return
    staying = [seat for seat, at in enumerate(playing.table.seats) if not at.has_left]
    leaving = tuple(random.sample(staying, random.randrange(1, len(staying) + 1)))
    before = playing.table
    step = playing.referee.leave(before, leaving, received=playing.now, now=playing.now)
    if step.refusal is not None:
        assert step.refusal.code in {RefusalCode.MATCH_OVER, RefusalCode.SEAT_LEFT}
        return
    playing.take(step)
    again = playing.referee.leave(playing.table, leaving, received=playing.now, now=playing.now)
    assert again.refusal is not None
    assert again.table == playing.table
    rng = Rng(Seed.from_number(0), playing.table.drawn)
    assert case.game.leave(playing.table.state, leaving, playing.now, rng) == (playing.table.state, ())
    laws.something_is_awaited(case.game, playing.table)
    laws.awaited_seats_can_move(case.game, playing.table)
    if len(set(staying) - set(leaving)) < 2:
        assert not playing.open_seats(), "a match of one goes on"
    playing.temper = Temper.BRISK
    playing.play_out()
    laws.places_are_places(case.game, playing.table)


@on_every_case
@played()
def test_law_15_a_move_that_is_sent_again_changes_nothing(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    for moment in playing.moments(MOST):
        if moment.after is playing.table:
            laws.a_repeat_changes_nothing(playing)
