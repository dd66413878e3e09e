"""While a race by reaction is open, an offer tells nothing of who has looked: not by its number, nor by where it is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.api.people import Person, begin_snap, person

pytestmark = pytest.mark.django_db
REACTION = {"race": {"mode": "reaction"}}
MOMENT = re.compile(rb"\b\d{13}\b|\b259[12]\d{5}\b|[0-9a-f-]{36,}|\d{4}-\d\d-\d\dT[0-9:.]+Z")


def seen(who: Person, match: str) -> list[bytes]:
    """Everything that somebody may ask about the match, but for ids and moments."""
    paths = ["", "/view", "/log", "/history/1", "/history/2", "/history/3", "/legal-moves"]
    answers = [who.get(f"matches/{match}{path}") for path in paths]
    notices = [notice for notice in who.get("me/notices").json()["notices"] if notice["match"] == match]
    return [MOMENT.sub(b"*", told) for told in (*(answer.content for answer in answers), json.dumps(notices).encode())]


def told(people: list[Person], looks: int, then: list[tuple[int, str, Any]]) -> list[Any]:
    """What all but seat 0 see, and what those who act are answered, after so many of the moves of seat 0 and this."""
    match = begin_snap(*people, seed="the same deal", options=REACTION)
    for serial, move in ((1, "look"), (2, "pass"))[:looks]:
        assert people[0].post(f"matches/{match}/moves", {"serial": serial, "move": {"type": move}}).status_code == 200
    answers = []
    for seat, path, body in then:
        answer = people[seat].post(f"matches/{match}/{path}", body)
        answers.append((answer.status_code, MOMENT.sub(b"*", answer.content)))
    shown = [seen(who, match) for who in people[1:]]
    return [answers, shown]


@pytest.mark.parametrize(
    "then",
    [
        [],
        [(2, "offers", {"kind": "pause", "pause_s": 60})],
        [(2, "offers", {"kind": "abort"}), (1, "offers/1/answer", {"agrees": True})],
        [(2, "offers", {"kind": "abort"}), (1, "offers/1/answer", {"agrees": False}), (1, "offers", {"kind": "abort"})],
        [(2, "offers", {"kind": "resume"})],
        [(2, "moves", {"serial": 1, "move": {"type": "look"}}), (2, "offers", {"kind": "abort"})],
        [(2, "resign", None)],
    ],
)
def test_what_is_offered_in_a_race_looks_the_same_whoever_has_looked(
    anna: Person, ben: Person, then: list[tuple[int, str, Any]]
) -> None:
    people = [anna, ben, person("dora")]
    nobody, looked, passed = (told(people, looks, then) for looks in range(3))
    assert nobody == looked == passed
    assert all(status < 500 for status, _ in nobody[0])


def test_when_the_race_is_over_the_offer_is_in_the_log(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, options=REACTION)
    assert ben.post(f"matches/{match}/offers", {"kind": "abort"}).json()["entries"] == []
    assert anna.get(f"matches/{match}/view").json()["table"]["offer"]["number"] == 1
    assert anna.get(f"matches/{match}/log").json()["horizon"] == 1
    for who in (anna, ben):
        assert who.post(f"matches/{match}/moves", {"serial": 1, "move": {"type": "pass"}}).status_code == 200
    log = anna.get(f"matches/{match}/log").json()
    assert [entry["cause"] for entry in log["entries"]] == ["open", "offer", "move", "move"]
    assert log["horizon"] == 4
