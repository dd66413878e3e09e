"""What users of such systems complain about most, staged here: clicks at the same moment, and what leaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from engine.export import verify
from matches.models import MoveRecord, Seat
from matches.services import wake
from tests.api.people import Answer, Person, begin_snap, make_moves, person, problem, to_move
from tests.contract.sent import listen
from tests.contract.worlds import everything, stop_time
from tests.matches.factories import at_once

TUD = {"game": "three_up_three_down"}
together = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is called."""
    monkeypatch.setattr(wake, "settle_later", lambda **_: None)


def people(*names: str) -> list[Person]:
    return [person(name) for name in names]


def asked_of(who: Person, match: str) -> Any:
    return who.get(f"matches/{match}/view").json()["table"]["decision"]


def choice_of(who: Person, match: str) -> dict[str, Any]:
    """The body of the last of this person's legal moves."""
    decision = asked_of(who, match)
    return {"serial": decision["serial"], "move": decision["moves"][-1]}


def moves_of(match: str) -> Counter[int | None]:
    """How many moves each seat has made."""
    return Counter(MoveRecord.objects.filter(match_id=match, cause="move").values_list("seat", flat=True))


def all_at_once(number: int, work: Callable[[int], Answer]) -> list[Answer]:
    """The answers to so many requests at the same moment."""
    answers: list[Any] = list(at_once(number, work))
    return answers


def statuses(answers: list[Answer]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


@together
def test_two_who_choose_at_the_same_moment_have_both_chosen() -> None:
    anna, ben = people("anna", "ben")
    match = begin_snap(anna, ben, **TUD)
    bodies = [choice_of(anna, match), choice_of(ben, match)]
    answers = all_at_once(2, lambda number: (anna, ben)[number].post(f"matches/{match}/moves", bodies[number]))
    assert statuses(answers) == [200, 200]
    assert moves_of(match) == {0: 1, 1: 1}


@together
def test_five_identical_submissions_among_anothers_are_one_move() -> None:
    anna, ben = people("anna", "ben")
    match = begin_snap(anna, ben, **TUD)
    bodies = [choice_of(anna, match), choice_of(ben, match)]

    def send(number: int) -> Answer:
        is_ben = number == 3
        return (ben if is_ben else anna).post(f"matches/{match}/moves", bodies[is_ben])

    answers = all_at_once(6, send)
    busy = [answer for answer in answers if answer.status_code == 503]
    assert all(problem(answer) == (503, "try_again") for answer in busy)
    played = [answer.json()["repeated"] for answer in answers if answer.status_code == 200]
    assert len(played) + len(busy) == 6
    # Whoever was told to try again does, and nothing is played twice.
    again = [send(number) for number in (0, 3)]
    assert statuses(again) == [200, 200]
    assert moves_of(match) == {0: 1, 1: 1}


@together
def test_repeated_clicks_on_join_seat_nobody_twice() -> None:
    anna, ben = people("anna", "ben")
    lobby = anna.post("matches", {"game": "snap", "seats": 4}).json()["id"]
    answers = all_at_once(6, lambda _: ben.post(f"matches/{lobby}/join"))
    assert statuses(answers) == [200] * 6
    assert Seat.objects.filter(match_id=lobby).count() == 2


@together
def test_the_last_seat_is_taken_by_one_of_two() -> None:
    anna, ben, cleo = people("anna", "ben", "cleo")
    lobby = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    answers = all_at_once(2, lambda number: (ben, cleo)[number].post(f"matches/{lobby}/join"))
    assert statuses(answers) == [200, 409]
    seated = list(Seat.objects.filter(match_id=lobby).values_list("player__name", flat=True))
    assert seated in (["anna", "ben"], ["anna", "cleo"])


@together
def test_both_who_ask_for_a_rematch_at_once_get_the_same_match() -> None:
    anna, ben = people("anna", "ben")
    match = begin_snap(anna, ben, **TUD)
    make_moves(match, 2, anna, ben)
    anna.post(f"matches/{match}/resign")
    answers = all_at_once(2, lambda number: (anna, ben)[number].post(f"matches/{match}/rematch"))
    assert statuses(answers) == [200, 200]
    assert len({answer.json()["id"] for answer in answers}) == 1
    rematch = anna.get(f"matches/{answers[0].json()['id']}").json()
    assert sorted(seat["player"]["name"] for seat in rematch["seats"]) == ["anna", "ben"]


@pytest.mark.django_db
def test_who_resigns_in_the_middle_of_a_turn_leaves_a_match_that_goes_on() -> None:
    three = people("anna", "ben", "cleo")
    match = begin_snap(*three, game="gnoming_a_round")
    who, decision = to_move(match, *three)
    while decision["moves"][0]["type"] != "draw":
        make_moves(match, 1, *three)
        who, decision = to_move(match, *three)
    make_moves(match, 1, who)
    assert asked_of(who, match)["moves"][0]["type"] != "draw"
    assert who.post(f"matches/{match}/resign").status_code == 200
    rest = [other for other in three if other is not who]
    make_moves(match, 6, *rest)
    assert rest[0].post(f"matches/{match}/resign").status_code == 200
    assert verify(rest[1].get(f"matches/{match}/export").content).ending is not None


@pytest.mark.django_db
def test_a_match_ends_though_the_last_seat_leaves_on_the_last_turn_of_the_round() -> None:
    three = people("anna", "ben", "cleo")
    match = begin_snap(*three, game="splendor", options={"turn_limit": 1})
    for _ in range(2):
        who, _decision = to_move(match, *three)
        make_moves(match, 1, who)
    last, _decision = to_move(match, *three)
    assert last.post(f"matches/{match}/resign").status_code == 200
    body = last.get(f"matches/{match}").json()
    assert body["status"] == "finished"
    assert [seat["place"] for seat in body["seats"]].count(3) == 1
    assert body["seats"][body["your_seat"]]["place"] == 3
    assert verify(last.get(f"matches/{match}/export").content).ending is not None


@pytest.mark.django_db
def test_neither_the_first_position_nor_an_export_tells_the_deck_while_the_match_runs() -> None:
    anna, ben, cleo = people("anna", "ben", "cleo")
    match = begin_snap(anna, ben, **TUD)
    make_moves(match, 3, anna, ben)
    for who in (anna, ben, cleo, Person("nobody")):
        assert problem(who.get(f"matches/{match}/history/0")) == (404, "not_found")
        assert problem(who.get(f"matches/{match}/export")) == (409, "match_not_over")
        for path in ("", "/view", "/log", "/history/1"):
            body = who.get(f"matches/{match}{path}").content
            assert b'"secret"' not in body
            assert b'"salt' not in body


@pytest.mark.django_db
@pytest.mark.parametrize("watching", ["opponent", "spectator"])
@pytest.mark.parametrize("game", ["snap", "slamwich"])
def test_nothing_moves_for_others_while_a_seat_looks_and_answers(
    game: str, watching: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a race by reaction: not the log, not the horizon, no entity tag, no time, no list, no count, mail or push."""
    three = people("anna", "ben", "cleo")
    clock = stop_time(monkeypatch)
    listen(monkeypatch, three)
    match = begin_snap(*three, game=game, options={"race": {"mode": "reaction"}})
    racer, _decision = to_move(match, *three)
    clock.now += 1_000
    other = next(who for who in three if who is not racer) if watching == "opponent" else Person("nobody")
    own = racer.get(f"matches/{match}/view").headers["ETag"]
    before = everything(other, match, tuple(three))
    for move in ({"type": "look"}, {"type": "pass"}):
        body = {"serial": asked_of(racer, match)["serial"], "move": move}
        answer = racer.post(f"matches/{match}/moves", body)
        assert answer.status_code == 200, answer.content
        assert everything(other, match, tuple(three)) == before
    assert racer.get(f"matches/{match}/view").headers["ETag"] != own
