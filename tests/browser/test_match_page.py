"""The page of a match in a browser: every game drawn, the slider, the tabs, every deed."""

from __future__ import annotations

from contextlib import suppress

import pytest

from matches import bridge
from matches.errors import ServiceError
from matches.models import Match, Player, Seat
from matches.services import play, upkeep
from matches.timing import now_ms
from tests.browser.conftest import Visit
from tests.matches.factories import make_match, make_players, table_of

pytestmark = [pytest.mark.live, pytest.mark.django_db(transaction=True)]

GAMES = {"snap": 40, "slamwich": 40, "three_up_three_down": 40, "splendor": 40, "gnoming_a_round": 40}


def play_on(match: Match, players: list[Player], entries: int) -> None:
    """Legal moves, one after another, until the log has so many entries or the match is over."""
    seats = {seat.number: seat.player_id for seat in Seat.objects.filter(match=match)}
    by_id = {player.pk: player for player in players}
    game = bridge.game_of(match.game, match.ruleset)
    while (table := table_of(match)).number < entries and not table.is_over:
        upkeep.match_settle(match_id=match.pk)
        table = table_of(match)
        asked = [(seat, at.decision) for seat, at in enumerate(table.seats) if at.decision is not None]
        if not asked:
            continue
        seat, decision = asked[0]
        moves = game.legal_moves(table.state, seat)
        player = by_id[seats[seat] or 0]
        with suppress(ServiceError):  # A race may be over meanwhile.
            play.move_submit(
                match_id=match.pk,
                player_id=player.pk,
                epoch=player.epoch,
                serial=decision.serial,
                move=bridge.dump(moves[table.number % len(moves)]).encode(),
                received=now_ms(),
            )


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_drawn(visit: Visit, boss: Player, game: str) -> None:
    players = make_players(3)
    match = make_match(*players, game=game, control={"type": "fischer", "bank_s": 86_400, "increment_s": 60})
    play_on(match, players, GAMES[game])
    visit.log_in("boss")
    visit.page.wait_for_url("**/admin/")
    visit.go(f"/admin/matches/match/{match.pk}/change/")
    visit.keep(f"match-{game}")
