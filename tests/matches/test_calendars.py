"""Nights and weekends by the clock on the wall, through the days on which that clock is changed."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from matches.calendars import HOUR_MS, Night, Span, next_night, next_weekend, used_in, years_of
from matches.timing import millis


def utc(*when: int) -> int:
    return millis(datetime(*when, tzinfo=UTC))  # type: ignore[misc, arg-type]


BERLIN = Night("Europe/Berlin", time(22), time(6))


def test_a_night_of_winter_and_one_of_summer() -> None:
    assert next_night(BERLIN, utc(2026, 1, 10, 12)) == Span(utc(2026, 1, 10, 21), utc(2026, 1, 11, 5))
    assert next_night(BERLIN, utc(2026, 7, 10, 12)) == Span(utc(2026, 7, 10, 20), utc(2026, 7, 11, 4))


def test_the_night_in_which_clocks_go_forward_has_seven_hours_and_the_one_in_which_they_go_back_nine() -> None:
    spring, autumn = next_night(BERLIN, utc(2026, 3, 28, 12)), next_night(BERLIN, utc(2026, 10, 24, 12))
    assert spring == Span(utc(2026, 3, 28, 21), utc(2026, 3, 29, 4))
    assert autumn == Span(utc(2026, 10, 24, 20), utc(2026, 10, 25, 5))
    assert [(span.ends - span.begins) // HOUR_MS for span in (spring, autumn)] == [7, 9]


def test_a_night_that_begins_in_an_hour_left_out_begins_when_the_clocks_have_gone_forward() -> None:
    night = Night("Europe/Berlin", time(2, 30), time(8))
    assert next_night(night, utc(2026, 3, 28, 20)) == Span(utc(2026, 3, 29, 1, 30), utc(2026, 3, 29, 6))


def test_a_night_that_begins_in_an_hour_that_comes_twice_begins_in_the_first() -> None:
    night = Night("Europe/Berlin", time(2, 30), time(8))
    assert next_night(night, utc(2026, 10, 24, 20)) == Span(utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 7))


def test_in_a_night_the_next_one_is_this_one_until_it_is_over() -> None:
    assert next_night(BERLIN, utc(2026, 1, 11, 4, 59)).begins == utc(2026, 1, 10, 21)
    assert next_night(BERLIN, utc(2026, 1, 11, 5)).begins == utc(2026, 1, 11, 21)


@pytest.mark.parametrize(
    ("zone", "begins"),
    [
        ("Pacific/Kiritimati", utc(2026, 6, 1, 8)),
        ("Pacific/Niue", utc(2026, 6, 1, 9)),
        ("Asia/Kathmandu", utc(2026, 6, 1, 16, 15)),
        ("UTC", utc(2026, 6, 1, 22)),
    ],
)
def test_nights_anywhere_on_earth(zone: str, begins: int) -> None:
    assert next_night(Night(zone, time(22), time(6)), utc(2026, 6, 1, 7)) == Span(begins, begins + 8 * HOUR_MS)


def test_a_night_within_one_day() -> None:
    assert next_night(Night("UTC", time(1), time(9)), utc(2026, 6, 1)) == Span(utc(2026, 6, 1, 1), utc(2026, 6, 1, 9))


def test_a_weekend_is_saturday_and_sunday_where_the_match_says() -> None:
    # 2026-06-05 is a Friday.
    expected = Span(utc(2026, 6, 5, 22), utc(2026, 6, 7, 22))
    assert next_weekend("Europe/Berlin", utc(2026, 6, 1)) == expected
    assert next_weekend("Europe/Berlin", utc(2026, 6, 7, 21, 59)) == expected
    assert next_weekend("Europe/Berlin", utc(2026, 6, 7, 22)).begins == utc(2026, 6, 12, 22)


def test_a_weekend_in_which_clocks_are_changed_is_an_hour_shorter_or_longer() -> None:
    spring, autumn = (next_weekend("Europe/Berlin", utc(2026, *day)) for day in ((3, 26), (10, 22)))
    assert [(span.ends - span.begins) // HOUR_MS for span in (spring, autumn)] == [47, 49]


def test_a_vacation_over_new_year_counts_for_both_years() -> None:
    span = Span(utc(2026, 12, 30), utc(2027, 1, 3))
    assert list(years_of(span)) == [2026, 2027]
    assert [used_in(year, [span]) // HOUR_MS for year in (2025, 2026, 2027, 2028)] == [0, 48, 48, 0]
    assert list(years_of(Span(utc(2026, 12, 30), utc(2027, 1, 1)))) == [2026]
