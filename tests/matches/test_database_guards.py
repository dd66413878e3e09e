"""What the database itself refuses, whoever asks."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from matches.models import Match, MoveRecord, Seat
from tests.matches.factories import make_lobby, make_match, make_players, stored, take

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "statement", ["UPDATE matches_moverecord SET at = at + 1", "DELETE FROM matches_moverecord WHERE number = 1"]
)
def test_the_log_is_insert_only(statement: str) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    before = stored(match)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert stored(match) == before


def test_a_decision_is_answered_once() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    again = MoveRecord(match=match, number=9, seat=0, serial=1, at=0, received=0, cause="move", entry="{}")
    with pytest.raises(IntegrityError, match="move_once_a_serial"), transaction.atomic():
        again.save(force_insert=True)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "running"},
        {"status": "finished"},
        {"status": "abandoned"},
        {"status": "void"},
        {"status": "cancelled"},
        {"outcome": {}},
        {"started_at": timezone.now()},
        {"ended_at": timezone.now()},
        {"status": "finished", "started_at": timezone.now(), "ended_at": timezone.now()},
        {"status": "abandoned", "started_at": timezone.now(), "ended_at": timezone.now(), "outcome": {}},
    ],
)
def test_the_status_fits_the_other_columns(fields: dict[str, Any]) -> None:
    (anna,) = make_players(1)
    match = make_lobby(anna)
    with pytest.raises(IntegrityError, match="match_status_fits_its_columns"), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(**fields)


@pytest.mark.parametrize("fields", [{"join_code": "abc"}, {"visibility": "private"}])
def test_private_matches_and_no_others_have_a_code(fields: dict[str, Any]) -> None:
    (anna,) = make_players(1)
    match = make_lobby(anna)
    with pytest.raises(IntegrityError, match="match_code_when_private"), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(**fields)


def test_a_player_sits_once_in_a_match() -> None:
    (anna,) = make_players(1)
    match = make_lobby(anna)
    with pytest.raises(IntegrityError, match="seat_once_a_player"), transaction.atomic():
        Seat.objects.create(match=match, number=1, player=anna)
    with pytest.raises(IntegrityError, match="seat_once_a_number"), transaction.atomic():
        Seat.objects.create(match=match, number=0)
