"""The page of a match in a browser: every game drawn, the slider, the tabs, every deed."""

from __future__ import annotations

from contextlib import suppress

import pytest

from matches import bridge
from matches.errors import ServiceError
from matches.models import AuditEntry, Match, Player, Seat
from matches.services import accounts, moderation, play, upkeep
from matches.services.players import tokens_issue
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


def seen(visit: Visit) -> str:
    """What stands in the table's section."""
    return visit.page.inner_text("#table")


def do(visit: Visit, title: str, **fields: str) -> None:
    """Press the button of a deed, fill its form in, send it."""
    visit.page.locator(".ls-deeds a", has_text=title).first.click()
    visit.page.wait_for_selector("#deed")
    for name, value in fields.items():
        field = visit.page.locator(f"#deed [name={name}]")
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    visit.page.fill("#deed [name=reason]", "somebody complained")
    visit.keep(f"deed-{title.lower().replace(' ', '-')}")
    visit.page.click("#deed button[type=submit]")
    visit.page.wait_for_load_state("networkidle")


def test_a_match_is_looked_at_and_put_right(visit: Visit, boss: Player) -> None:
    players = make_players(2)
    match = make_match(*players, game="three_up_three_down", control={"type": "total", "bank_s": 86_400})
    play_on(match, players, 20)
    visit.log_in("boss")
    visit.page.wait_for_url("**/admin/")
    address = f"/admin/matches/match/{match.pk}/change/"
    visit.go(address)
    assert "entry 20 of 20" in seen(visit)
    visit.page.locator("#table [name=entry]").fill("5")
    visit.page.wait_for_selector("text=The table at entry 5 of 20")
    visit.page.click("[data-step='1']")
    visit.page.wait_for_selector("text=The table at entry 6 of 20")
    assert "Own hand" not in seen(visit)
    do(visit, "See what is hidden")
    visit.page.click("[data-seat='0']")
    visit.page.wait_for_selector("text=Own hand")
    visit.keep("match-secrets")
    visit.page.click("[data-seat='all']")
    visit.page.wait_for_selector("text=The whole state")
    do(visit, "Pause")
    assert "moderator" in visit.page.inner_text("#seats")
    do(visit, "Go on")
    do(visit, "Give time", seat="1", amount="2", unit="3600")
    do(visit, "Put a bot on a seat", seat="1", level="easy")
    assert "a bot plays (easy)" in visit.page.inner_text("#seats")
    do(visit, "Verify")
    assert "It holds" in visit.page.inner_text("body")
    do(visit, "Settle now")
    do(visit, "Remove a player", seat="0")
    do(visit, "Take the result back")
    visit.keep("match-void")
    match.refresh_from_db()
    assert match.status == "void"
    done = list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))
    assert done == [
        *(
            "secrets_seen",
            "match_paused",
            "match_resumed",
            "time_given",
            "bot_seated",
            "match_verified",
            "match_settled",
        ),
        *("player_removed", "result_void"),
    ]


def test_a_match_ends_without_a_result_and_a_stale_page_says_so(visit: Visit, boss: Player) -> None:
    match = make_match(*make_players(2), game="snap")
    visit.log_in("boss")
    visit.page.wait_for_url("**/admin/")
    visit.go(f"/admin/matches/match/{match.pk}/change/")
    moderation.match_void(match_id=match.pk, actor_id=boss.pk, reason="by somebody else")
    visit.page.locator(".ls-deeds a", has_text="End without a result").click()
    visit.page.wait_for_selector("text=not possible as it stands")
    visit.keep("match-stale")


def test_a_player_is_looked_at_and_kept_out(visit: Visit, boss: Player) -> None:
    anna, ben = make_players(2)
    make_match(anna, ben, game="splendor")
    tokens_issue(player=anna, device="a telephone")
    visit.log_in("boss")
    visit.page.wait_for_url("**/admin/")
    visit.go(f"/admin/matches/player/{anna.pk}/change/")
    do(visit, "Note", text="Ben's sister")
    do(visit, "Suspend", days="3")
    visit.keep("player-suspended")
    do(visit, "Let in again")
    do(visit, "Log all devices out")
    do(visit, "Ban")
    visit.keep("player-banned")
    assert Player.objects.get(pk=anna.pk).is_suspended
    assert list(AuditEntry.objects.order_by("pk").values_list("what", flat=True)) == [
        *("note_written", "player_suspended", "player_let_in", "devices_logged_out", "player_banned"),
    ]


def test_a_guest_becomes_somebody(visit: Visit, boss: Player) -> None:
    (anna,) = make_players(1)
    guest, _ = accounts.guest_create()
    make_match(guest, boss, game="snap")
    visit.log_in("boss")
    visit.page.wait_for_url("**/admin/")
    visit.go(f"/admin/matches/player/{guest.pk}/change/")
    do(visit, "Merge into a player", into=anna.name)
    assert "What the guest played is" in visit.page.inner_text("body")
    assert Seat.objects.filter(player=anna).count() == 1
