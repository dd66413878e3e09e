"""Law 9 and law 16: nobody learns what the rules hide, by view, event, legal moves, refusal, timer or silence."""

from random import Random

import pytest
from hypothesis import settings

from tests.engine import laws
from tests.engine.cases import GAMES, cases_of
from tests.engine.conformance.matches import CASES, MOST, on_every_case, played, start
from tests.engine.driver import AnyGame, Case, Temper


@pytest.mark.rule("ALL-2", "RACE-5")
@on_every_case
@played()
def test_law_9a_what_is_hidden_does_not_show(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    random = Random(number)
    for moment in playing.moments(MOST):
        for viewer in random.sample(laws.viewers(moment.after), 2):
            laws.hidden_things_do_not_show(case.game, moment.after, viewer, random)


@pytest.mark.rule("ALL-2")
@on_every_case
@played()
def test_law_9a_one_may_play_on_from_what_a_viewer_imagines(case: Case, number: int, temper: Temper) -> None:
    playing = start(case, number, temper)
    random = Random(number)
    for moment in playing.moments(MOST):
        viewer = random.choice(laws.viewers(moment.after))
        imagined = laws.imagined(case.game, moment.after, viewer, random)
        laws.listed_moves_are_legal(case.game, imagined, random)
        for seat in case.game.awaited(imagined.state):
            default = case.game.default_move(imagined.state, seat)
            assert case.game.refuse(imagined.state, seat, default) is None


@pytest.mark.rule("ALL-2")
@on_every_case
@played()
def test_law_9b_events_name_only_what_is_seen(case: Case, number: int, temper: Temper) -> None:
    for moment in start(case, number, temper).moments(MOST):
        laws.events_name_only_what_is_seen(case.game, moment)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_law_9c_everything_hidden_lies_differently_now_and_then(game: AnyGame) -> None:
    hidden: set[str] = set()
    moving: set[str] = set()
    for number, case in enumerate(cases_of(game)):
        playing = start(case, number, tuple(Temper)[number % 3])
        random = Random(number)
        viewer = random.choice(laws.viewers(playing.table))
        seen = laws.cards_named(game, game.view(playing.table.state, viewer))
        for moment in playing.moments(MOST):
            seen |= laws.cards_named(game, game.view(moment.after.state, viewer))
            seen |= laws.cards_told(game, moment, viewer)
            if moment.entry.number % 8 == 0:
                some = laws.hidden_zones(game, moment.after, viewer, seen, random)
                hidden, moving = hidden | some[0], moving | some[1]
    assert hidden
    assert hidden == moving


@pytest.mark.rule("RACE-2")
@settings(max_examples=10)
@pytest.mark.parametrize(
    "case",
    [case for case in CASES if dict(case.values).get("race") == {"mode": "reaction"}],
    ids=lambda case: case.text,
)
@played()
def test_law_16_sealed_answers_move_nothing_for_the_others(case: Case, number: int, temper: Temper) -> None:
    sealed = 0
    for moment in start(case, number, temper).moments(2 * MOST):
        sealed += moment.after.sealed is not None
        laws.sealed_answers_move_nothing(case.game, moment)
    assert sealed
