"""The time limit and the limit of turned cards (SLM-33, SLM-34)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.errors import BadOptions
from engine.core.game import Timer
from engine.core.rng import Rng, Seed
from engine.games.slamwich import GAME
from engine.games.slamwich.moves import GameEnded, TimeUp
from engine.games.slamwich.state import State
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position

DEADLINE = 61_000


def limited(*stacks: str, **options: Any) -> State:
    return replace(position(*stacks, **options), deadline=DEADLINE)


@pytest.mark.rule("SLM-33", "ALL-5")
def test_the_limit_counts_from_the_beginning_and_ends_nobodys_decision() -> None:
    state, _ = GAME.setup(3, GAME.options({"time_limit_s": 60}), 1000, Rng(Seed.from_number(1)))
    assert GAME.timers(state) == GAME.known_timers(state, None) == (Timer("time_limit", DEADLINE),)
    without, _ = GAME.setup(3, GAME.options(), 1000, Rng(Seed.from_number(1)))
    assert GAME.timers(without) == ()


@pytest.mark.rule("SLM-33")
def test_between_turns_most_cards_win_and_the_pile_counts_for_nobody() -> None:
    sheet = Sheet(limited("F G", "H B C", "P M", "", pile="K T", exits=(0, 0, 0, 1)))
    sheet.expire("time_limit", DEADLINE)
    assert sheet.ending == ("time_limit", (2, 1, 2, 4))
    assert sheet.pile == "K T"
    assert sheet.events == [GameEnded("time_limit", (2, 1, 2, 4))]
    assert GAME.timers(sheet.state) == ()


@pytest.mark.rule("SLM-33")
def test_a_running_race_is_settled_first() -> None:
    sheet = Sheet(limited("F G", "H B C", pile="F")).turn(DEADLINE - 100).expire("time_limit", DEADLINE)
    assert sheet.events == [TimeUp()]
    assert [timer.key for timer in GAME.timers(sheet.state)] == ["race"]
    sheet.slap(0, DEADLINE + 50).close()
    assert sheet.ending == ("time_limit", (1, 1))
    assert sheet.stacks == ["G F F", "H B C"]


@pytest.mark.rule("SLM-33")
def test_a_running_challenge_is_settled_first() -> None:
    sheet = Sheet(limited("2 G", "H B C", pile="K")).turn(DEADLINE - 3000).close()
    sheet.expire("time_limit", DEADLINE)
    assert sheet.events == [TimeUp()]
    assert GAME.view(sheet.state, None).time_is_up
    sheet.unclaimed()
    assert sheet.state.reason is None
    sheet.unclaimed()
    assert sheet.ending == ("time_limit", (1, 2))
    assert sheet.stacks == ["G K 2 H B", "C"]


@pytest.mark.rule("SLM-33", "SLM-28")
def test_a_stopped_muncher_settles_it_too() -> None:
    sheet = Sheet(limited("2 G", "c B C", pile="K")).turn(DEADLINE - 3000).close()
    sheet.expire("time_limit", DEADLINE).turn(DEADLINE).close()
    assert sheet.ending == ("time_limit", (2, 1))


@pytest.mark.rule("SLM-33")
def test_no_ordinary_turn_begins_at_the_deadline_though_its_timer_hasnt_fired() -> None:
    before = Sheet(limited("F G", "H B C", pile="K")).turn(DEADLINE - 1)
    assert before.state.race is not None
    at = Sheet(limited("F G", "H B C", pile="K")).turn(DEADLINE)
    assert (at.ending, at.stacks) == (("time_limit", (2, 1)), ["F G", "H B C"])
    challenged = Sheet(limited("G", "H B C", pile="K 2", turn=1, challenge=(0, 1, 2, 0))).turn(DEADLINE)
    assert challenged.state.race is not None


@pytest.mark.rule("SLM-33")
def test_a_leaver_that_settles_the_challenge_after_the_time_ends_the_match() -> None:
    start = limited("G", "H B C", "P M", pile="K 2", turn=1, challenge=(0, 1, 2, 0))
    sheet = Sheet(start).expire("time_limit", DEADLINE).leave(0, at=DEADLINE + 5)
    assert sheet.ending == ("time_limit", (3, 1, 2))


@pytest.mark.rule("SLM-33", "RACE-2")
def test_by_reaction_the_race_that_runs_is_the_last_one() -> None:
    sheet = Sheet(limited("F G", "H B C", pile="K", **REACTION)).turn()
    sheet.expire("time_limit", DEADLINE).skip(0, 1, at=90_000_000)
    assert sheet.ending == ("time_limit", (2, 1))
    assert sheet.stacks == ["G", "H B C"]


@pytest.mark.rule("SLM-33")
def test_going_out_comes_before_the_limit() -> None:
    sheet = Sheet(limited("F", "H B C", pile="K")).turn(DEADLINE - 100).expire("time_limit", DEADLINE).close()
    assert sheet.ending == ("last_in", (2, 1))


@pytest.mark.rule("SLM-34")
def test_after_the_last_turned_card_the_standing_decides() -> None:
    sheet = Sheet(position("F G", "H B C", pile="K", turned=8, turn_limit=10)).unclaimed()
    assert (sheet.state.reason, sheet.state.turned) == (None, 9)
    sheet.unclaimed()
    assert sheet.ending == ("turn_limit", (2, 1))
    assert sheet.stacks == ["G", "B C"]


@pytest.mark.rule("SLM-34")
def test_a_challenge_goes_on_past_the_last_turned_card() -> None:
    sheet = Sheet(position("2 G", "H B C", pile="K", turned=9, turn_limit=10)).unclaimed().unclaimed()
    assert (sheet.state.reason, sheet.state.turned) == (None, 11)
    sheet.unclaimed()
    assert sheet.ending == ("turn_limit", (1, 2))


@pytest.mark.rule("SLM-34")
def test_the_default_is_3000_cards_by_arrival_and_300_by_reaction() -> None:
    assert GAME.options().last_turn == 3000
    assert GAME.options(REACTION).last_turn == 300
    assert GAME.options({**REACTION, "turn_limit": 3000}).last_turn == 3000


@pytest.mark.rule("SLM-33", "SLM-34")
@pytest.mark.parametrize(
    "wrong", [{"time_limit_s": 29}, {"turn_limit": 0}, {"race": {"mode": "shouting"}}, {"gold": 1}]
)
def test_options_out_of_bounds_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOptions, match=f"options of Slamwich: .*{next(iter(wrong))}"):
        GAME.options(wrong)
