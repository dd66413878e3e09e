"""Every operation, asked by everybody: who is let in, and what the others are told.

A new operation without a row in `tests/contract/access.py` fails here. The matrix is printed; `-s` shows it.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from django.db import transaction

from matches.api.document import examples
from matches.models import Player
from matches.services import wake
from tests.api.people import Answer, Person, begin_snap, headers_of, make_moves, person, problem
from tests.contract.access import ACCESS, COLUMNS, PASSES, RULES
from tests.contract.document import API, Operation, operations

pytestmark = pytest.mark.django_db
KINDS = ("lobby", "running", "over")


class Stage(NamedTuple):
    """Who is there, and a private and a public match of each kind, by `private lobby` and the like."""

    people: dict[str, Person]
    ids: dict[str, int]
    matches: dict[str, str]


@pytest.fixture
def stage(db: None, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """anna is host and ben sits beside her in all six matches; dora and finn play another one."""
    monkeypatch.setattr(wake, "settle_later", lambda **_: None)
    people = {name: person(name) for name in ("anna", "ben", "cleo", "dora", "finn", "gail", "olga")}
    Player.objects.filter(name="olga").update(is_staff=True, is_superuser=True)
    anna, ben = people["anna"], people["ben"]
    matches = {}
    for visibility in ("private", "public"):
        for kind in KINDS:
            matches[f"{visibility} {kind}"] = _make(kind, anna, ben, visibility)
    begin_snap(people["dora"], people["finn"])
    return Stage(people, {name: who.get("me").json()["id"] for name, who in people.items()}, matches)


def _make(kind: str, anna: Person, ben: Person, visibility: str) -> str:
    if kind != "lobby":
        match = begin_snap(anna, ben, game="three_up_three_down", visibility=visibility)
        if kind == "over":
            make_moves(match, 2, anna, ben)
            assert ben.post(f"matches/{match}/resign").status_code == 200
        return match
    made = anna.post("matches", {"game": "snap", "seats": 4, "visibility": visibility}).json()
    assert ben.post(f"matches/{made['id']}/join", {"code": made["join_code"]}).status_code == 200
    return str(made["id"])


def callers(stage: Stage) -> dict[str, tuple[Person, str]]:
    """Who stands for each column, and the visibility of the matches that are asked about."""
    people, nobody = stage.people, Person("nobody")
    return {
        "host": (people["anna"], "private"),
        "seated": (people["ben"], "private"),
        "elsewhere": (people["dora"], "private"),
        "stranger": (people["cleo"], "private"),
        "staff": (people["olga"], "private"),
        "anonymous": (nobody, "private"),
        "spectator": (people["gail"], "public"),
        "passer-by": (nobody, "public"),
    }


def test_every_operation_lets_in_whom_its_row_says(stage: Stage) -> None:
    rows = {row_of(operation): operation for operation in operations()}
    assert set(rows) == set(ACCESS), "tests/contract/access.py has a row for every operation, and no others"
    wrong, lines = [], [f"{'':<52}" + "".join(f"{column:>11}" for column in COLUMNS)]
    for name, operation in rows.items():
        found = [outcome(stage, operation, column) for column in COLUMNS]
        lines.append(f"{name:<52}" + "".join(f"{status or 'yes':>11}" for status in found))
        expected = RULES[ACCESS[name].rule]
        for column, status, right in zip(COLUMNS, found, expected, strict=True):
            if status != right:
                wrong.append(f"{name} for {column}: {status or 'let in'}, not {right or 'let in'}")
    print("", *lines, sep="\n")
    assert wrong == []


def test_the_staff_of_the_admin_has_no_other_rights_here() -> None:
    staff, stranger = COLUMNS.index("staff"), COLUMNS.index("stranger")
    assert all(statuses[staff] == statuses[stranger] for statuses in RULES.values())


def test_a_private_match_and_none_at_all_are_told_alike(stage: Stage) -> None:
    """Nobody can find out whether a private match is there."""
    nowhere = "0190f5fe-0000-7000-8000-000000000001"
    of_a_match = [operation for operation in operations() if "{match_id}" in operation.path]
    assert len(of_a_match) > 15
    for operation in of_a_match:
        for name in ("cleo", "dora", "olga"):
            private = stage.matches[f"private {ACCESS[row_of(operation)].match}"]
            answers = [ask(stage, operation, stage.people[name], match) for match in (private, nowhere)]
            told = [(answer.status_code, answer.content, headers_of(answer)) for answer in answers]
            assert told[0] == told[1], f"{row_of(operation)} for {name}"


def row_of(operation: Operation) -> str:
    """How an operation is named in the table."""
    return f"{operation.method} {operation.path.removeprefix(API)}"


def outcome(stage: Stage, operation: Operation, column: str) -> int:
    """PASSES for whoever is let in, else the status of the refusal."""
    who, visibility = callers(stage)[column]
    access = ACCESS[row_of(operation)]
    match = stage.matches.get(f"{visibility} {access.match}", "")
    answer = ask(stage, operation, who, match)
    assert answer.status_code not in {400, 405, 415, 500}, (row_of(operation), answer.content)
    if answer.status_code not in {401, 403, 404}:
        return PASSES
    # What is missing is nothing that the caller may not know of.
    is_let_in = answer.status_code == 404 and access.rule == "logged in"
    return PASSES if is_let_in else problem(answer)[0]


def ask(stage: Stage, operation: Operation, who: Person, match: str) -> Answer:
    """One request, which changes nothing for the next one."""
    path = operation.path.removeprefix(API).format(
        match_id=match,
        key="snap",
        player_id=stage.ids["finn"],
        number=1,
        name="finn",
        vacation_id=1,
        browser_id="0190f5fe-0000-7000-8000-000000000001",
        notice_id="0190f5fe-0000-7000-8000-000000000001",
        webhook_id=1,
        sequence=1,
    )
    body = ACCESS[row_of(operation)].body
    if body is None:
        body = examples().get(operation.name, {}).get("request", {})
    before = transaction.savepoint()
    try:
        return who._client.generic(
            operation.method,
            API + path,
            b"" if operation.method == "GET" else json.dumps(body).encode(),
            content_type="application/json",
            headers=who._authorization(),
        )
    finally:
        transaction.savepoint_rollback(before)
