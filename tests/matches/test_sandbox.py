"""Matches whose deal was chosen, for trying things out."""

from __future__ import annotations

import pytest

from engine.export import verify
from matches import selectors
from matches.models import Match
from matches.services import play
from matches.timing import now_ms
from tests.matches.factories import make_match, make_players, replayed, table_of

pytestmark = pytest.mark.django_db(transaction=True)


def begin(*, seed: str | None) -> Match:
    return make_match(*make_players(3), game="three_up_three_down", seed=seed)


def test_the_same_seed_is_the_same_deal() -> None:
    first, again, other = begin(seed="pepper"), begin(seed="pepper"), begin(seed="salt")
    assert table_of(first).state.hands == table_of(again).state.hands
    assert table_of(first).state.hands != table_of(other).state.hands
    assert first.commitment != again.commitment


def test_it_is_marked_and_in_no_list() -> None:
    marked, usual = begin(seed="pepper"), begin(seed=None)
    assert (marked.sandbox, usual.sandbox) == (True, False)
    shown = selectors.matches_public(status="running", game=None, after=None, limit=10)
    assert [match.pk for match in shown] == [usual.pk]


def test_its_log_replays_and_its_export_holds() -> None:
    match = begin(seed="pepper")
    assert replayed(match) == table_of(match)
    for seat in list(match.seats.all())[:2]:
        assert seat.player is not None
        play.match_resign(match_id=match.pk, player_id=seat.player.pk, epoch=0, received=now_ms())
    table = verify(selectors.match_export(match_id=match.pk, viewer_id=None))
    assert table.ending is not None
