"""The time limit and the turn limit (SNP-25, ALL-5)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.errors import BadOptions
from engine.core.game import Timer
from engine.core.outcome import Outcome
from engine.core.rng import Rng, Seed
from engine.games.snap import GAME
from engine.games.snap.moves import CardTurned, GameEnded, TimeUp
from engine.games.snap.state import Options
from tests.engine.games.snap.sheet import REACTION, Sheet, position

UNEVEN = ("QS 2C | 7D", "3H 6S | 4H 5H", "8C | 9C")


@pytest.mark.rule("SNP-25")
def test_a_match_is_two_thousand_cards_by_arrival_and_three_hundred_by_reaction() -> None:
    assert Options().last_turn == 2000
    assert GAME.options(REACTION).last_turn == 300
    assert GAME.options({**REACTION, "turn_limit": 17}).last_turn == 17
    assert Options().time_limit_s is None


@pytest.mark.rule("SNP-25")
@pytest.mark.parametrize("values", [{"turn_limit": 0}, {"time_limit_s": 29}, {"cards": 52}])
def test_absurd_options_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(BadOptions, match="options of Snap"):
        GAME.options(values)


@pytest.mark.rule("SNP-25")
def test_after_the_last_card_most_cards_in_both_piles_win() -> None:
    sheet = Sheet(position(*UNEVEN, turn_limit=2)).turn().skip(0, 1, 2)
    assert GAME.outcome(sheet.state) is None
    sheet.turn().skip(0, 1, 2)
    assert GAME.outcome(sheet.state) == Outcome("turn_limit", (2, 1, 3), (3, 4, 2))
    assert sheet.events[-1] == GameEnded("turn_limit", (2, 1, 3))


@pytest.mark.rule("SNP-25")
def test_equal_counts_share_the_place_and_seats_that_are_out_come_last() -> None:
    sheet = Sheet(position("QS 2C |", "3H | 4H", "8C |", "|", exits=(0, 0, 0, 1), turn_limit=1)).turn().skip(0, 1, 2)
    assert GAME.outcome(sheet.state) == Outcome("turn_limit", (1, 1, 3, 4), (2, 2, 1, 0))


@pytest.mark.rule("SNP-25", "RACE-6")
def test_the_last_race_is_still_awarded() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", "8C | 9C", turn_limit=1)).turn().call(2, 90).close()
    assert GAME.outcome(sheet.state) == Outcome("turn_limit", (3, 2, 1), (1, 2, 5))


@pytest.mark.rule("SNP-25", "SNP-22")
def test_winning_all_cards_in_the_last_race_is_winning_all_cards() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | QH", turn_limit=1)).turn().call(0, 90).close()
    assert GAME.outcome(sheet.state) == Outcome("all_cards", (1, 2), (4, 0))


@pytest.mark.rule("SNP-25")
def test_by_reaction_the_table_turns_no_card_after_the_last() -> None:
    sheet = Sheet(position(*UNEVEN, turn_limit=1, **REACTION)).turn().skip(0, 1, 2)
    assert GAME.outcome(sheet.state) == Outcome("turn_limit", (2, 1, 3), (3, 4, 2))
    assert not [event for event in sheet.events if isinstance(event, CardTurned)]


@pytest.mark.rule("SNP-25", "ALL-5")
def test_the_time_runs_from_the_deal_and_ends_nobodys_decision() -> None:
    state, _ = GAME.setup(2, GAME.options({"time_limit_s": 600}), 5000, Rng(Seed.from_number(1)))
    assert GAME.timers(state) == (Timer("time_limit", 605_000),)
    assert GAME.known_timers(state, None) == (Timer("time_limit", 605_000),)


@pytest.mark.rule("SNP-25")
def test_without_a_limit_no_time_runs() -> None:
    state, _ = GAME.setup(2, GAME.options(), 5000, Rng(Seed.from_number(1)))
    assert GAME.timers(state) == ()


def timed(**options: Any) -> Sheet:
    """A match whose time is up at 60,000."""
    return Sheet(replace(position(*UNEVEN, time_limit_s=60, **options), deadline=60_000))


@pytest.mark.rule("SNP-25")
def test_between_races_the_match_ends_at_once() -> None:
    sheet = timed().expire("time_limit", 60_000)
    assert GAME.outcome(sheet.state) == Outcome("time_limit", (2, 1, 3), (3, 4, 2))
    assert sheet.events == [GameEnded("time_limit", (2, 1, 3))]


@pytest.mark.rule("SNP-25")
def test_a_running_race_closes_by_itself_first() -> None:
    sheet = timed().turn(59_000).expire("time_limit", 60_000)
    assert sheet.heard(None) == [TimeUp()]
    assert GAME.timers(sheet.state) == (Timer("race", 61_500, (0, 1, 2)),)
    sheet.call(2, 60_100).close()
    assert GAME.outcome(sheet.state) == Outcome("time_limit", (1, 1, 3), (4, 4, 1))


@pytest.mark.rule("SNP-25", "RACE-2")
def test_by_reaction_too_and_no_further_card_is_turned() -> None:
    sheet = timed(**REACTION).turn().skip(0, at=100).expire("time_limit", 60_000).skip(1, 2, at=90_000)
    assert GAME.outcome(sheet.state) == Outcome("time_limit", (2, 1, 3), (3, 4, 2))


@pytest.mark.rule("SNP-25", "RACE-2")
@pytest.mark.parametrize(("at", "over"), [(59_999, False), (60_000, True)])
def test_a_race_that_closes_when_the_time_is_up_is_the_last(at: int, *, over: bool) -> None:
    sheet = timed(**REACTION).turn().skip(0, 1, 2, at=at)
    assert (GAME.outcome(sheet.state) is not None) is over


@pytest.mark.rule("SNP-25")
@pytest.mark.parametrize(("at", "over"), [(59_999, False), (60_000, True)])
def test_no_turn_begins_when_the_time_is_up_even_if_nobody_has_noticed_yet(at: int, *, over: bool) -> None:
    sheet = timed().turn(at)
    assert (GAME.outcome(sheet.state) is not None) is over
    assert sheet.state.turned == (0 if over else 1)


@pytest.mark.rule("SNP-25")
@pytest.mark.parametrize("key", ["time_limit", "race", "look:0", "nonsense", ""])
def test_a_wait_that_is_not_there_changes_nothing(key: str) -> None:
    for sheet in (
        Sheet(position(*UNEVEN)),
        timed().turn(1000).skip(0, 1, 2).expire("time_limit", 60_000),
        timed(**REACTION).turn(1000).expire("time_limit", 60_000),
    ):
        before = sheet.state
        assert sheet.expire(key, 99_000).state == before
        assert sheet.told == ()
