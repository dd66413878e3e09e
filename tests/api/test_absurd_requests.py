"""Requests that make no sense are refused, not failed."""

from __future__ import annotations

import pytest

from tests.api.people import PASSWORD, Person, problem

pytestmark = pytest.mark.django_db

HUGE = 2**70


@pytest.mark.parametrize("path", [f"players/{HUGE}", f"names/{HUGE}", "names/%F0%9F%A6%8A", "names/%ED%A0%80"])
def test_whoever_cant_exist_is_not_found(anna: Person, path: str) -> None:
    assert problem(anna.get(path)) == (404, "not_found")


def test_a_number_that_is_no_player_is_refused_everywhere(anna: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    assert problem(anna.put(f"me/blocks/{HUGE}")) == (404, "not_found")
    assert anna.delete(f"me/blocks/{HUGE}").status_code == 204
    assert anna.delete(f"matches/{match}/invitations/{HUGE}").status_code == 200
    assert problem(anna.post(f"matches/{match}/kick", {"player": HUGE})) == (400, "malformed")
    assert anna.post(f"matches/{match}/kick", {"player": 2**63 - 1}).status_code == 200
    assert problem(anna.post("reports", {"reason": "other", "player": 2**63 - 1})) == (404, "not_found")


@pytest.mark.parametrize(("text", "expected"), [("\\ud800", (400, "malformed")), ("\\u0000", (422, "text_invalid"))])
def test_texts_that_are_no_texts_are_refused(anna: Person, text: str, expected: tuple[int, str]) -> None:
    bodies = {
        "players": f'{{"name": "a{text}b", "password": "{PASSWORD}"}}',
        "tokens": f'{{"name": "{text}", "password": "{PASSWORD}"}}',
        "recovery": f'{{"about": "{text}"}}',
        "recovery/finish": f'{{"code": "{text}", "password": "{PASSWORD}"}}',
        "matches": f'{{"game": "{text}", "seats": 2}}',
        "pairing": f'{{"game": "{text}", "seats": 2, "pace": "day"}}',
        "codes": f'{{"code": "{text}"}}',
        "guests": f'{{"device": "{text}"}}',
    }
    for path, body in bodies.items():
        assert problem(anna.post(path, raw=body.encode())) == expected, path


@pytest.mark.parametrize("name", ["\ufdfa" * 3, "\ufdfa" * 2, "\u3300" * 8, "\ufb03" * 10, "\u01c4" * 15])
def test_letters_that_stand_for_whole_words_are_measured_by_these(nobody: Person, name: str) -> None:
    answer = nobody.post("players", {"name": name, "password": PASSWORD})
    assert answer.status_code in {201, 422}
