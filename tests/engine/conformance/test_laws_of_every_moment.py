"""What holds at every moment of every match of every game."""

from collections import Counter
from random import Random

import pytest
from hypothesis import settings

from tests.engine import laws
from tests.engine.cases import BROKEN
from tests.engine.conformance.matches import MOST, on_every_case, played, start
from tests.engine.driver import Case, Playing, Temper


def test_every_game_can_be_imported() -> None:
    assert BROKEN == {}


@on_every_case
@played()
def test_law_1_a_running_match_waits_for_a_seat_or_a_timer(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    laws.something_is_awaited(case.game, playing.table)
    for moment in playing.moments(MOST):
        laws.something_is_awaited(case.game, moment.after)


@pytest.mark.rule("ALL-6")
@on_every_case
@played()
def test_law_2_awaited_seats_have_a_legal_move_and_a_legal_default(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    laws.awaited_seats_can_move(case.game, playing.table)
    for moment in playing.moments(MOST):
        laws.awaited_seats_can_move(case.game, moment.after)


@on_every_case
@played(Temper.BRISK, Temper.STORMY, Temper.MIXED)
def test_law_3_an_ended_match_offers_nothing_and_refuses_everything(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, 2 * number + 1, temper)
    playing.play_out()
    laws.an_ended_match_is_over(case.game, playing.table, Random(number))


@on_every_case
@played()
def test_laws_4_and_5_what_is_listed_is_accepted_and_changes_no_input(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    for moment in playing.moments(MOST):
        laws.listed_moves_are_legal(case.game, moment.after, Random(number))


@on_every_case
@played()
def test_law_4_everything_else_is_refused_with_a_reason(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    random = Random(number)
    pool = [case.game.legal_moves(playing.table.state, seat) for seat in playing.open_seats()]
    known = {move for moves in pool for move in moves}
    for moment in playing.moments(MOST // 2):
        laws.other_moves_are_refused_with_a_reason(case.game, moment.after, random, sorted(known, key=repr), tries=5)
        known.update(request.move for request in playing.requests[-3:])


@on_every_case
@played()
def test_law_6_state_moves_events_and_views_survive_json(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    for moment in playing.moments(MOST):
        if moment.entry.number % 4 == number % 4 or moment.after.is_over:
            laws.everything_survives_json(case.game, moment)


@pytest.mark.rule("ALL-1")
@on_every_case
@played()
def test_law_8_no_card_is_lost_or_won(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    for moment in playing.moments(MOST):
        laws.nothing_is_lost(case.game, moment)


@on_every_case
@played()
def test_law_11_a_timer_that_is_gone_changes_nothing(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    keys = {timer.key for timer in case.game.timers(playing.table.state)}
    for moment in playing.moments(MOST):
        keys |= {timer.key for timer in case.game.timers(moment.before.state)}
        laws.a_timer_that_is_gone_changes_nothing(case.game, moment.after, keys)


@on_every_case
@played()
def test_law_12_every_seat_has_one_place(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    for moment in playing.moments(MOST):
        laws.places_are_places(case.game, moment.after)


@on_every_case
@played()
def test_law_17_an_occasion_never_comes_again(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    seen: dict[int, list[object]] = {}
    for moment in playing.moments(2 * MOST):
        laws.occasions_never_come_again(seen, case.game, moment.after)


@settings(max_examples=12)
@on_every_case
@played(Temper.STORMY, Temper.SILENT, Temper.MIXED)
def test_only_known_codes_refuse(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    for _ in playing.moments(MOST):
        pass
    allowed = {"late_move", "match_over", "match_paused", "seat_left", "unknown_serial", "try_again"}
    allowed |= {"offer_open", "offer_impossible", "no_offer", "grant_impossible"}
    assert set(playing.refusals) <= allowed, Counter(playing.refusals)


def test_a_match_is_the_same_whenever_it_is_played_again() -> None:
    case = next(iter(on_every_case.args[1]))
    logs = []
    for _ in range(2):
        playing = Playing(case, 7, Temper.STORMY)
        list(playing.moments(MOST))
        logs.append(playing.log)
    assert logs[0] == logs[1]
