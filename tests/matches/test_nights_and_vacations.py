"""What players say of their calendar reaches their matches, and stops the right clocks."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any

import pytest

from engine.core.table import Window
from engine.core.waits import LAG
from matches import bridge, locking, timing
from matches.errors import ServiceError
from matches.models import Habits, Heartbeat, Match, MoveRecord, Position, Vacation
from matches.selectors import calendar_of
from matches.selectors import time as time_selectors
from matches.services import calendar, lobby, tending, upkeep
from matches.timing import millis
from tests.matches.factories import make_match, make_players, refusal, replayed, stored, table_of, take

pytestmark = pytest.mark.django_db

HOUR, DAY = 3_600_000, 86_400_000
THREE_DAYS = {"type": "per_move", "move_s": 3 * 86_400}
NIGHT = (time(22), time(6))


def utc(*when: int) -> int:
    return millis(datetime(*when, tzinfo=UTC))  # type: ignore[misc, arg-type]


# A Wednesday, at noon.
NOON = utc(2026, 6, 3, 12)


class Watch:
    """The time it is, for whoever asks; `pass_` lets it pass as the workers do."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOON
        for module in (calendar, lobby, time_selectors, timing):
            monkeypatch.setattr(module, "now_ms", lambda: self.now)
        lock = locking._lock

        def lock_now(statement: str, **arguments: Any) -> Any:
            return lock(statement, **{**arguments, "now": arguments.get("now") or self.now})

        monkeypatch.setattr(locking, "_lock", lock_now)

    def match(self, *players: Any, **fields: Any) -> Match:
        return make_match(*players, **{"control": THREE_DAYS, **fields})

    def tend(self) -> None:
        calendar.news_spread()
        tending.calendars_tend(now=self.now)

    def pass_(self, until: int, step: int = HOUR) -> None:
        """Until then, with workers that come by now and then."""
        while self.now < until:
            self.now = min(until, self.now + step)
            upkeep.settle_due(now=self.now)
            self.tend()


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


def windows(match: Match) -> list[Window]:
    return list(table_of(match).windows)


def stops(match: Match, seat: int = 0) -> list[str]:
    return list(table_of(match).seats[seat].clock.stops)


def left(match: Match, seat: int = 0) -> int | None:
    return table_of(match).seats[seat].clock.left


def test_the_next_night_of_each_seat_is_announced_when_a_match_begins(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    watch.pass_(NOON + 12 * HOUR)
    match = watch.match(anna, ben)
    watch.tend()
    assert windows(match) == [Window("night", utc(2026, 6, 4, 22), utc(2026, 6, 5, 6), (0,))]
    assert Position.objects.get(match=match).calendar_at == utc(2026, 6, 4, 22) + LAG + 1_000


def test_in_the_night_a_clock_stands_and_the_player_may_move(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    match = watch.match(anna, ben)
    watch.tend()
    watch.pass_(utc(2026, 6, 5, 2))
    assert stops(match) == ["night"]
    assert left(match) == 3 * DAY - 34 * HOUR
    watch.pass_(utc(2026, 6, 5, 7))
    assert stops(match) == []
    assert windows(match) == [Window("night", utc(2026, 6, 5, 22), utc(2026, 6, 6, 6), (0,))]
    assert bridge.flag_at(table_of(match), 0) == NOON + 3 * DAY + 8 * HOUR
    assert table_of(match) == replayed(match)


def test_a_clock_that_crosses_three_nights_is_neither_refilled_nor_lost(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    watch.pass_(NOON + 12 * HOUR)
    begun = watch.now
    match = watch.match(anna, ben)
    watch.tend()
    watch.pass_(begun + 5 * DAY)
    flag = MoveRecord.objects.get(match=match, cause="flag")
    # Three days of waking hours: of sixteen a day, from midnight of a Thursday on.
    assert flag.at == begun + 3 * DAY + 4 * 8 * HOUR
    assert table_of(match) == replayed(match)


def test_a_worker_that_is_an_hour_late_gives_the_same_clocks(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = []
    for step in (HOUR // 4, 5 * HOUR):
        watch.now = NOON
        anna, ben = make_players(2)
        calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
        match = watch.match(anna, ben)
        watch.tend()
        watch.pass_(NOON + 6 * DAY, step)
        rows = MoveRecord.objects.filter(match=match).exclude(cause="schedule").order_by("number")
        logs.append(list(rows.values_list("cause", "seat", "at", "received")))
    assert logs[0] == logs[1]
    assert "flag" in {cause for cause, *_ in logs[0]}


def test_a_change_counts_twelve_hours_later(watch: Watch) -> None:
    anna, ben = make_players(2)
    match = watch.match(anna, ben)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    watch.tend()
    assert windows(match) == [Window("night", utc(2026, 6, 4, 22), utc(2026, 6, 5, 6), (0,))]


def test_a_player_who_changes_zone_in_mid_match_sleeps_by_the_new_one_after_the_night_announced(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="Europe/Berlin", night=NIGHT)
    match = watch.match(anna, ben)
    watch.tend()
    berlin = Window("night", utc(2026, 6, 4, 20), utc(2026, 6, 5, 4), (0,))
    assert windows(match) == [berlin]
    watch.pass_(utc(2026, 6, 4, 14))
    calendar.habits_set(player_id=anna.pk, zone="America/New_York", night=NIGHT)
    watch.tend()
    assert windows(match) == [berlin]
    watch.pass_(utc(2026, 6, 5, 5))
    assert windows(match) == [Window("night", utc(2026, 6, 6, 2), utc(2026, 6, 6, 10), (0,))]
    assert table_of(match) == replayed(match)


def test_who_needs_no_night_any_more_has_none(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    match = watch.match(anna, ben)
    watch.tend()
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=None)
    watch.tend()
    assert windows(match) == []
    watch.pass_(NOON + 2 * DAY)
    assert left(match) == 3 * DAY


def test_saying_the_same_again_is_no_news(watch: Watch) -> None:
    (anna,) = make_players(1)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    calendar.news_spread()
    watch.now += HOUR
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    habits = Habits.objects.get(player=anna)
    assert (habits.is_news, habits.counts_from) == (False, NOON + 12 * HOUR)


def test_fast_matches_know_no_nights(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    match = watch.match(anna, ben, control={"type": "per_move", "move_s": 3_600})
    watch.tend()
    assert windows(match) == []
    assert Position.objects.get(match=match).calendar_at is None


def test_a_vacation_stops_the_clocks_of_its_player_and_the_others_play_on(watch: Watch) -> None:
    anna, ben = make_players(2)
    match = watch.match(anna, ben)
    vacation = calendar.vacation_announce(player_id=ben.pk, begins=NOON + HOUR, ends=NOON + 8 * DAY)
    watch.tend()
    assert windows(match) == [Window("vacation", vacation.begins, vacation.ends, (1,))]
    watch.pass_(NOON + 2 * HOUR)
    take(match, anna, 1, received=watch.now)
    table = table_of(match)
    assert (stops(match, 1), table.seats[1].clock.since) == (["vacation"], None)
    watch.pass_(NOON + 8 * DAY + 2 * HOUR)
    assert stops(match, 1) == []
    assert left(match, 1) == 3 * DAY
    assert table_of(match) == replayed(match)


def test_a_match_that_begins_in_a_vacation_knows_of_it(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.vacation_announce(player_id=anna.pk, begins=NOON + HOUR, ends=NOON + 8 * DAY)
    watch.now = NOON + 3 * HOUR
    match = watch.match(anna, ben)
    watch.now += 1_000
    watch.tend()
    watch.pass_(NOON + 4 * HOUR)
    assert stops(match) == ["vacation"]
    watch.pass_(NOON + 8 * DAY + HOUR)
    assert stops(match) == []


def test_who_is_back_early_has_the_days_again(watch: Watch) -> None:
    anna, ben = make_players(2)
    match = watch.match(anna, ben)
    vacation = calendar.vacation_announce(player_id=anna.pk, begins=NOON + HOUR, ends=NOON + HOUR + 10 * DAY)
    watch.tend()
    watch.pass_(NOON + HOUR + 2 * DAY)
    assert stops(match) == ["vacation"]
    calendar.vacation_end(player_id=anna.pk, vacation_id=vacation.pk)
    watch.tend()
    assert stops(match) == []
    assert calendar_of(player_id=anna.pk).vacation_left_ms == 28 * DAY
    assert Position.objects.get(match=match).due_at == NOON + HOUR + 2 * DAY + 3 * DAY - HOUR + LAG
    assert table_of(match) == replayed(match)


def test_a_vacation_that_has_not_begun_is_called_off(watch: Watch) -> None:
    anna, ben = make_players(2)
    match = watch.match(anna, ben)
    vacation = calendar.vacation_announce(player_id=anna.pk, begins=NOON + DAY, ends=NOON + 3 * DAY)
    watch.tend()
    calendar.vacation_end(player_id=anna.pk, vacation_id=vacation.pk)
    watch.tend()
    assert windows(match) == []
    assert not Vacation.objects.exists()


@pytest.mark.parametrize(
    ("begins", "ends", "code"),
    [
        (NOON + HOUR - 1, NOON + 2 * DAY, "bad_calendar"),
        (NOON + HOUR, NOON + DAY, "bad_calendar"),
        (NOON + HOUR, NOON + 31 * DAY, "bad_calendar"),
        (NOON + HOUR, NOON, "bad_calendar"),
        (NOON + 367 * DAY, NOON + 369 * DAY, "bad_calendar"),
        (NOON + 15 * DAY, NOON + 16 * DAY, "vacation_taken"),
        (NOON + 60 * DAY, NOON + 81 * DAY, "vacation_spent"),
    ],
)
def test_a_vacation_that_is_not_possible(watch: Watch, begins: int, ends: int, code: str) -> None:
    (anna,) = make_players(1)
    calendar.vacation_announce(player_id=anna.pk, begins=NOON + 10 * DAY, ends=NOON + 20 * DAY)
    before = list(Vacation.objects.values())
    error = refusal(lambda: calendar.vacation_announce(player_id=anna.pk, begins=begins, ends=ends))
    assert error.code == code
    assert list(Vacation.objects.values()) == before


def test_the_allowance_is_that_of_each_year(watch: Watch) -> None:
    (anna,) = make_players(1)
    calendar.vacation_announce(player_id=anna.pk, begins=utc(2026, 12, 1), ends=utc(2026, 12, 31))
    over = {"begins": utc(2026, 12, 31), "ends": utc(2027, 1, 5)}
    assert refusal(lambda: calendar.vacation_announce(player_id=anna.pk, **over)).code == "vacation_spent"
    calendar.vacation_announce(player_id=anna.pk, begins=utc(2027, 1, 1), ends=utc(2027, 1, 31))
    assert calendar_of(player_id=anna.pk).vacation_left_ms == 0


@pytest.mark.parametrize(
    ("zone", "night"),
    [
        ("Atlantis", NIGHT),
        ("UTC", (time(22), time(22))),
        ("UTC", (time(20), time(6, 1))),
        ("UTC", (time(22), time(22, 59))),
    ],
)
def test_habits_that_nobody_has(zone: str, night: tuple[time, time]) -> None:
    (anna,) = make_players(1)
    assert refusal(lambda: calendar.habits_set(player_id=anna.pk, zone=zone, night=night)).code == "bad_calendar"
    assert not Habits.objects.exists()


def test_at_weekends_all_clocks_of_a_match_stand_and_everybody_may_play(watch: Watch) -> None:
    anna, ben = make_players(2)
    match = watch.match(anna, ben, policy={"weekends": "Europe/Berlin"})
    watch.tend()
    assert windows(match) == [Window("weekend", utc(2026, 6, 5, 22), utc(2026, 6, 7, 22), (0, 1))]
    watch.pass_(utc(2026, 6, 6, 12))
    assert (stops(match, 0), stops(match, 1)) == (["weekend"], ["weekend"])
    assert left(match) == 3 * DAY - 58 * HOUR
    take(match, anna, 1, received=watch.now)
    watch.pass_(utc(2026, 6, 8, 12))
    assert stops(match, 1) == []
    assert left(match, 1) == 3 * DAY
    assert windows(match) == [Window("weekend", utc(2026, 6, 12, 22), utc(2026, 6, 14, 22), (0, 1))]
    assert table_of(match) == replayed(match)


def test_a_zone_that_is_none_is_refused() -> None:
    anna, ben = make_players(2)
    error = refusal(lambda: make_match(anna, ben, policy={"weekends": "Atlantis"}))
    assert error.code == "bad_options"


def test_tending_twice_changes_nothing(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    match = watch.match(anna, ben)
    watch.tend()
    before = stored(match)
    Position.objects.filter(match=match).update(calendar_at=0)
    tending.calendars_tend(now=watch.now)
    assert stored(match) == before


def test_news_that_a_dead_process_left_are_spread_by_the_next(watch: Watch) -> None:
    anna, ben = make_players(2)
    match = watch.match(anna, ben)
    watch.tend()
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    assert Habits.objects.get(player=anna).is_news
    watch.tend()
    assert len(windows(match)) == 1
    assert not Habits.objects.get(player=anna).is_news


def test_nothing_is_announced_while_nobody_can_play(watch: Watch) -> None:
    anna, ben = make_players(2)
    calendar.habits_set(player_id=anna.pk, zone="UTC", night=NIGHT)
    match = watch.match(anna, ben)
    watch.tend()
    Heartbeat.objects.create(beaten_at=NOON + HOUR)
    watch.now = NOON + 5 * DAY
    assert upkeep.settle_due(now=watch.now) == 0
    tending.calendars_tend(now=watch.now)
    assert stops(match) == []


def test_nobody_else_ends_a_vacation(watch: Watch) -> None:
    anna, ben = make_players(2)
    vacation = calendar.vacation_announce(player_id=anna.pk, begins=NOON + HOUR, ends=NOON + 2 * DAY)
    with pytest.raises(ServiceError, match="not_found"):
        calendar.vacation_end(player_id=ben.pk, vacation_id=vacation.pk)
    assert Vacation.objects.filter(pk=vacation.pk).exists()
