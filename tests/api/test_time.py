"""Time over HTTP: clocks to count down from, offers, the calendar, notices."""

from __future__ import annotations

from typing import Any

import pytest

from matches.timing import now_ms
from tests.api.people import Person, begin_snap, problem

pytestmark = pytest.mark.django_db

DAY = 86_400_000


def test_a_match_shows_every_clock_as_numbers_to_count_down_from(anna: Person, ben: Person, nobody: Person) -> None:
    match = begin_snap(anna, ben, game="three_up_three_down")
    for who in (anna, ben, nobody):
        body = who.get(f"matches/{match}").json()["time"]
        view = who.get(f"matches/{match}/view").json()["table"]
        assert body["clocks"] == view["clocks"]
        assert body["awaited"] == view["awaited"]
        assert (body["stops"], body["windows"], body["offer"]) == ([], [], None)
        assert abs(body["now"] - now_ms()) < 60_000
        running = [clock for clock in body["clocks"] if clock["since"] is not None]
        assert running
        assert all(clock["left_ms"] == 3 * DAY and clock["since"] <= body["now"] for clock in running)


def test_lists_and_matches_that_do_not_run_have_no_clocks(anna: Person, ben: Person, match: str) -> None:
    lobby = anna.post("matches", {"game": "snap", "seats": 2}).json()
    assert lobby["time"] is None
    assert anna.get(f"matches/{lobby['id']}").json()["time"] is None
    assert [row["time"] for row in anna.get("me/matches").json()["matches"]] == [None, None]


def test_all_agree_on_a_pause_and_on_going_on(anna: Person, ben: Person, match: str) -> None:
    made = anna.post(f"matches/{match}/offers", {"kind": "pause", "pause_s": 3_600}).json()
    offer = made["view"]["table"]["offer"]
    assert (offer["kind"], offer["seat"], offer["pause_ms"], offer["agreed"]) == ("pause", 0, 3_600_000, [0])
    assert ben.get(f"matches/{match}").json()["time"]["offer"] == offer
    assert [one["kind"] for one in ben.get("me/notices").json()["notices"] if one["kind"] == "offer"] == ["offer"]
    agreed = ben.post(f"matches/{match}/offers/{offer['number']}/answer", {"agrees": True}).json()
    assert [entry["cause"] for entry in agreed["entries"]] == ["answer", "schedule", "stop"]
    assert agreed["view"]["table"]["stops"] == ["pause"]
    table = anna.get(f"matches/{match}/view").json()["table"]
    assert [clock["since"] for clock in table["clocks"]] == [None, None]
    assert table["windows"][0]["ends"] - table["windows"][0].get("begins", 0) > 3_600_000
    resumed = ben.post(f"matches/{match}/offers", {"kind": "resume"}).json()["view"]["table"]["offer"]
    back = anna.post(f"matches/{match}/offers/{resumed['number']}/answer", {"agrees": True}).json()
    assert back["view"]["table"]["stops"] == []


def test_all_agree_to_end_a_match_for_nobody(anna: Person, ben: Person, match: str) -> None:
    offer = anna.post(f"matches/{match}/offers", {"kind": "abort"}).json()["view"]["table"]["offer"]
    ben.post(f"matches/{match}/offers/{offer['number']}/answer", {"agrees": True})
    assert anna.get(f"matches/{match}").json()["status"] == "abandoned"


def test_one_who_does_not_agree_ends_an_offer(anna: Person, ben: Person, match: str) -> None:
    offer = anna.post(f"matches/{match}/offers", {"kind": "abort"}).json()["view"]["table"]["offer"]
    declined = ben.post(f"matches/{match}/offers/{offer['number']}/answer", {"agrees": False}).json()
    assert declined["view"]["table"]["offer"] is None
    assert problem(anna.post(f"matches/{match}/offers/{offer['number']}/answer", {"agrees": True})) == (
        409,
        "no_offer",
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"kind": "resume"}, (422, "offer_impossible")),
        ({"kind": "pause"}, (422, "offer_impossible")),
        ({"kind": "abort", "pause_s": 60}, (422, "offer_impossible")),
        ({"kind": "pause", "pause_s": 59}, (400, "malformed")),
        ({"kind": "peace"}, (400, "malformed")),
        ({"kind": "abort", "open_s": 259_201}, (400, "malformed")),
        ({}, (400, "malformed")),
    ],
)
def test_offers_that_make_no_sense(anna: Person, ben: Person, match: str, body: Any, expected: Any) -> None:
    before = anna.get(f"matches/{match}/log").json()
    assert problem(anna.post(f"matches/{match}/offers", body)) == expected
    assert anna.get(f"matches/{match}/log").json() == before


def test_offers_are_for_those_who_sit_there(
    anna: Person, ben: Person, cleo: Person, nobody: Person, match: str
) -> None:
    assert problem(cleo.post(f"matches/{match}/offers", {"kind": "abort"})) == (403, "not_seated")
    assert problem(nobody.post(f"matches/{match}/offers", {"kind": "abort"})) == (401, "not_authenticated")
    anna.post(f"matches/{match}/offers", {"kind": "abort"})
    assert problem(cleo.post(f"matches/{match}/offers/2/answer", {"agrees": True})) == (403, "not_seated")
    assert problem(ben.post(f"matches/{match}/offers", {"kind": "abort"})) == (409, "offer_open")


def test_a_calendar_of_ones_own(anna: Person, ben: Person) -> None:
    calendar = anna.get("me/calendar").json()
    assert (calendar["zone"], calendar["night"], calendar["vacations"]) == ("UTC", None, [])
    assert calendar["vacation_left_ms"] == 30 * DAY
    night = {"begins": "22:30", "ends": "06:45"}
    calendar = anna.put("me/calendar", {"zone": "Europe/Berlin", "night": night}).json()
    assert (calendar["zone"], calendar["night"]) == ("Europe/Berlin", night)
    assert anna.get("me/calendar").json() == calendar
    assert ben.get("me/calendar").json()["night"] is None
    assert anna.put("me/calendar", {"zone": "Europe/Berlin", "night": None}).json()["night"] is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"zone": "Atlantis", "night": None}, (422, "bad_calendar")),
        ({"zone": "UTC", "night": {"begins": "22:00", "ends": "22:00"}}, (422, "bad_calendar")),
        ({"zone": "UTC", "night": {"begins": "24:00", "ends": "06:00"}}, (400, "malformed")),
        ({"zone": "UTC", "night": {"begins": "22:00"}}, (400, "malformed")),
        ({"zone": "UTC"}, (400, "malformed")),
    ],
)
def test_a_calendar_that_cannot_be(anna: Person, body: Any, expected: Any) -> None:
    before = anna.get("me/calendar").json()
    assert problem(anna.put("me/calendar", body)) == expected
    assert anna.get("me/calendar").json() == before


def test_a_vacation_is_announced_and_called_off(anna: Person, ben: Person) -> None:
    begins = now_ms() + DAY
    answer = anna.post("me/vacations", {"begins": begins, "ends": begins + 2 * DAY})
    assert answer.status_code == 201
    (vacation,) = answer.json()["vacations"]
    assert (vacation["begins"], vacation["ends"]) == (begins, begins + 2 * DAY)
    again = anna.post("me/vacations", {"begins": begins, "ends": begins + 2 * DAY})
    assert problem(again) == (409, "vacation_taken")
    assert problem(ben.delete(f"me/vacations/{vacation['id']}")) == (404, "not_found")
    assert anna.delete(f"me/vacations/{vacation['id']}").json()["vacations"] == []
    assert problem(anna.post("me/vacations", {"begins": 0, "ends": DAY})) == (422, "bad_calendar")


def test_notices_are_for_their_player_alone(anna: Person, ben: Person, nobody: Person, match: str) -> None:
    found = [(who, notice) for who in (anna, ben) for notice in who.get("me/notices").json()["notices"]]
    ((who, notice),) = [(who, notice) for who, notice in found if notice["kind"] == "turn"]
    assert (notice["match"], notice["game"], notice["kind"], notice["serial"]) == (match, "snap", "turn", 1)
    assert notice["seat"] == (0 if who is anna else 1)
    assert problem(nobody.get("me/notices")) == (401, "not_authenticated")
    assert problem(anna.get("me/notices?limit=0")) == (400, "malformed")
