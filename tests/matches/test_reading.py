"""What may be read, and by whom."""

from __future__ import annotations

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.core.table import EndedAs
from engine.export import verify
from matches import selectors
from matches.models import Match, Position
from matches.services import lobby, play, upkeep
from matches.timing import now_ms
from tests.matches.factories import (
    MOVE_S,
    PER_MOVE,
    make_lobby,
    make_match,
    make_players,
    refusal,
    stored,
    submit,
    table_of,
    take,
)
from tests.matches.toygame import HeapView, Taken, Whispered

pytestmark = pytest.mark.django_db


def test_a_private_match_is_not_found_by_strangers() -> None:
    anna, ben, stranger = make_players(3)
    match = make_match(anna, ben, visibility="private")
    for viewer_id in (None, stranger.pk):
        who = {"match_id": match.pk, "viewer_id": viewer_id}
        assert refusal(selectors.match_get, **who).code == "not_found"
        assert refusal(selectors.table_view, **who).code == "not_found"
        assert refusal(selectors.entries_after, **who, after=0, limit=10).code == "not_found"
        assert refusal(selectors.match_export, **who).code == "not_found"
    assert selectors.match_get(match_id=match.pk, viewer_id=ben.pk) == match
    assert selectors.match_get(match_id=match.pk, viewer_id=None, code=match.join_code) == match
    assert refusal(lambda: selectors.match_get(match_id=match.pk, viewer_id=None, code="wrong")).code == "not_found"


def test_seats_see_their_decision_and_spectators_do_not() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, visibility="unlisted")
    own = selectors.table_view(match_id=match.pk, viewer_id=anna.pk)
    assert (own.game, own.seat, own.table.state) == ("heap", 0, HeapView(heap=10, turn=0))
    assert own.table.decision is not None
    assert own.table.decision.serial == 1
    spectator = selectors.table_view(match_id=match.pk, viewer_id=None)
    assert (spectator.seat, spectator.table.decision) == (None, None)
    assert refusal(lambda: selectors.table_view(match_id=match.pk, viewer_id=None, must_sit=True)).code == "not_seated"


def test_a_lobby_has_no_table() -> None:
    (anna,) = make_players(1)
    match = make_lobby(anna)
    assert refusal(lambda: selectors.table_view(match_id=match.pk, viewer_id=anna.pk)).code == "match_not_running"
    assert refusal(lambda: selectors.match_export(match_id=match.pk, viewer_id=anna.pk)).code == "match_not_running"


def test_the_log_tells_a_secret_to_its_seat_alone() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 3)
    for viewer, whispers in ((anna.pk, 1), (ben.pk, 1), (None, 0)):
        entries, horizon = selectors.entries_after(match_id=match.pk, viewer_id=viewer, after=0, limit=10)
        assert [entry.number for entry in entries] == [1, 2]
        assert horizon == 2
        assert sum(isinstance(event, Whispered) for event in entries[0].events) == whispers
        assert entries[1].events == (Taken(0, 3, 7),)


def test_the_log_is_read_in_pages() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    take(match, ben, 1)
    entries, horizon = selectors.entries_after(match_id=match.pk, viewer_id=None, after=1, limit=1)
    assert ([entry.number for entry in entries], horizon) == ([2], 3)
    assert selectors.entries_after(match_id=match.pk, viewer_id=None, after=3, limit=5) == ([], 3)


def test_the_log_ends_at_the_horizon() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    position = Position.objects.get(match=match)
    table = table_of(match)
    sealed = msgspec.structs.replace(table, sealed={"number": 2, "seats": table.seats})
    position.snapshot = msgspec.json.encode(sealed).decode()
    position.save(update_fields=["snapshot"])
    entries, horizon = selectors.entries_after(match_id=match.pk, viewer_id=anna.pk, after=0, limit=10)
    assert ([entry.number for entry in entries], horizon) == ([1], 1)


def test_reading_settles_nothing() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    before = stored(match)
    selectors.table_view(match_id=match.pk, viewer_id=anna.pk)
    selectors.entries_after(match_id=match.pk, viewer_id=anna.pk, after=0, limit=5)
    assert stored(match) == before


def test_a_match_that_is_over_can_be_verified_by_anybody() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, preset="short")
    lobby.seat_salt(match_id=match.pk, player_id=anna.pk, salt=b"my part")
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    assert refusal(lambda: selectors.match_export(match_id=match.pk, viewer_id=anna.pk)).code == "match_not_over"
    take(match, anna, 1)
    take(match, ben, 1)
    table = verify(selectors.match_export(match_id=match.pk, viewer_id=None))
    assert table == table_of(match)
    assert table.ending is not None
    assert table.ending.outcome is not None
    assert table.ending.outcome.places == (2, 1)


def test_an_abandoned_match_can_be_verified_too() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control={"type": "none", "idle_limit_s": 60})
    upkeep.settle_due(now=table_of(match).at + 61_000)
    ending = verify(selectors.match_export(match_id=match.pk, viewer_id=None)).ending
    assert ending is not None
    assert (ending.status, ending.outcome) == (EndedAs.ABANDONED, None)


def test_a_newer_format_is_left_alone() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    Match.objects.filter(pk=match.pk).update(ruleset=9)
    assert refusal(lambda: selectors.table_view(match_id=match.pk, viewer_id=None)).code == "newer_format"


def test_public_matches_come_newest_first_and_in_pages() -> None:
    (anna,) = make_players(1)
    first, second, third = (make_lobby(anna) for _ in range(3))
    make_lobby(anna, visibility="unlisted")
    make_lobby(anna, visibility="private")
    lobby.match_cancel(match_id=make_lobby(anna).pk, player_id=anna.pk)

    def page(after: Match | None, limit: int, game: str | None = None) -> list[Match]:
        return selectors.matches_public(
            status="lobby", game=game, after=None if after is None else after.pk, limit=limit
        )

    assert page(None, 10) == sorted((first, second, third), key=lambda match: match.pk, reverse=True)
    newest = page(None, 10)
    assert page(None, 1) == newest[:2]
    assert page(newest[0], 1) == newest[1:]
    assert page(None, 10, "heap") == newest
    assert page(None, 10, "snap") == []
    assert refusal(lambda: selectors.matches_public(status="odd", game=None, after=None, limit=1)).code == "malformed"


def test_my_matches_begin_with_those_that_wait_for_me() -> None:
    anna, ben = make_players(2)
    waiting = make_lobby(anna)
    slow = make_match(anna, ben, control={"type": "per_move", "move_s": 2 * MOVE_S})
    theirs = make_match(ben, anna, control=PER_MOVE)
    quick = make_match(anna, ben, control=PER_MOVE)
    untimed = make_match(anna, ben)
    make_match(*make_players(2))

    def page(after: Match | None = None, limit: int = 10, status: str | None = None) -> list[Match]:
        return selectors.matches_of(
            player_id=anna.pk, status=status, after=None if after is None else after.pk, limit=limit
        )

    expected = [quick, slow, untimed, *sorted((waiting, theirs), key=lambda match: match.pk, reverse=True)]
    assert page() == expected
    for place, match in enumerate(expected):
        assert page(after=match) == expected[place + 1 :]
    assert page(limit=2) == expected[:3]
    assert page(status="lobby") == [waiting]
    foreign = make_lobby(ben)
    assert refusal(lambda: page(after=foreign)).code == "not_found"


def test_lists_cost_the_same_however_long_they_are() -> None:
    anna, ben = make_players(2)
    for _ in range(5):
        make_match(anna, ben)
    with CaptureQueriesContext(connection) as queries:
        rows = selectors.matches_of(player_id=anna.pk, status=None, after=None, limit=10)
        assert [[str(seat.player) for seat in row.seats.all()] for row in rows] == [[anna.name, ben.name]] * 5
    # Matches, their seats, whose these are, and who is invited.
    assert len(queries) == 4


def test_a_view_costs_two_queries_whoever_looks() -> None:
    anna, ben, carla = make_players(3)
    match = make_match(anna, ben)
    for viewer in (anna.pk, carla.pk, None):
        with CaptureQueriesContext(connection) as queries:
            selectors.table_view(match_id=match.pk, viewer_id=viewer)
        # The match with its position, and its seats.
        assert len(queries) == 2


def test_games_tell_what_clients_need() -> None:
    info = selectors.game_get(key="heap")
    assert (info.title, info.ruleset, info.min_seats, info.max_seats) == ("Heap", 1, 2, 4)
    assert info.preset_options["short"] == {"heap": 2, "time_limit_s": None}
    assert {one.key for one in selectors.games_all()} >= {"heap", "snap"}
    assert "rules" in selectors.GameInfo._fields
    assert refusal(lambda: selectors.game_get(key="chess")).code == "not_found"


def test_a_banned_player_is_nobody() -> None:
    (anna,) = make_players(1)
    assert selectors.player_get(player_id=anna.pk) == anna
    anna.is_active = False
    anna.save(update_fields=["is_active"])
    assert refusal(lambda: selectors.player_get(player_id=anna.pk)).code == "not_found"


def test_who_leaves_in_a_sealed_race_is_not_told_before_it_closes() -> None:
    """RACE-2: until the race closes nothing that happens in it may be seen by others."""
    players = make_players(3)
    match = lobby.match_create(host_id=players[0].pk, game="snap", seats=3, options={"race": {"mode": "reaction"}})
    for player in players[1:]:
        match = lobby.match_join(match_id=match.pk, player_id=player.pk)
    submit(match, players[0], b'{"type":"look"}')
    play.match_resign(match_id=match.pk, player_id=players[1].pk, epoch=0, received=now_ms())
    assert table_of(match).seats[1].has_left
    assert list(match.seats.values_list("has_left", flat=True)) == [False, False, False]
    for player in (players[0], players[2]):
        table = selectors.table_view(match_id=match.pk, viewer_id=player.pk).table
        if table.decision is not None:
            submit(match, player, b'{"type":"pass"}', serial=table.decision.serial)
    assert list(match.seats.values_list("has_left", flat=True)) == [False, True, False]
