"""The page of a match: what is hidden stays hidden until somebody who may has said why."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from engine import registry
from engine.core.viewing import view_table
from engine.export import verify
from matches.admin.drawing import draw
from matches.admin.match_deeds import MATCH_DEEDS
from matches.admin.player_deeds import PLAYER_DEEDS
from matches.models import AuditEntry, Match, Player
from matches.permits import ROLES
from matches.services import accounts, play
from matches.services.roles import roles_ensure
from matches.timing import now_ms
from tests.engine.driver import Case, Playing
from tests.matches.factories import make_match, make_players, submit, table_of

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = ("gnoming_a_round", "slamwich", "snap", "splendor", "three_up_three_down")
REASON = "somebody complained"


def of_role(name: str) -> Client:
    roles_ensure()
    player = Player.objects.create_player(f"the {name}", is_staff=True)
    player.groups.add(Group.objects.get(name=name))
    client = Client()
    client.force_login(player)
    return client


def page(match: Match, rest: str = "change/") -> str:
    return f"/admin/matches/match/{match.pk}/{rest}"


def text(response: Any) -> str:
    assert response.status_code == 200, response.status_code
    found: str = response.content.decode()
    return found


@pytest.fixture
def match() -> Match:
    """3UP 3DOWN, where seat 0 has cards in its hand that nobody else may know."""
    return make_match(*make_players(2), game="three_up_three_down")


@pytest.mark.parametrize("game", GAMES)
def test_every_view_of_every_game_is_drawn(game: str) -> None:
    playing = Playing(Case(registry.games()[game], 3), 5)
    names = ("anna", "ben", "carl")
    for _ in playing.moments(120):
        for viewer in (None, 0, 2):
            seen = view_table(playing.game, playing.table, viewer)
            scene = draw(game, seen, names)
            assert [seat.name for seat in scene.seats] == list(names)
            assert sum(seat.is_in_turn for seat in scene.seats) <= 1
            assert scene.middle
            rough = draw("a game without a picture", seen, names)
            assert [seat.name for seat in rough.seats] == list(names)
            assert not any("(" in value for _, value in rough.facts)


def test_a_spectators_view_for_who_hasnt_opened_the_rest(match: Match) -> None:
    client = of_role("analyst")
    body = text(client.get(page(match)))
    assert "The table at entry" in body
    assert "Own hand" not in body
    other = text(client.get(page(match, "table/?seat=0")))
    assert "Own hand" not in other
    assert "hidden while the match runs" in other
    everything = text(client.get(page(match, "table/?seat=all")))
    assert "whole state" not in everything
    assert bytes(Match.objects.get(pk=match.pk).secret).hex() not in body


def test_secrets_are_shown_after_a_reason_and_that_is_written_down(match: Match) -> None:
    client = of_role("moderator")
    assert "Own hand" not in text(client.get(page(match, "table/?seat=0")))
    assert client.post(page(match, "do/see-secrets/"), {"reason": REASON}).status_code == 302
    assert "Own hand" in text(client.get(page(match, "table/?seat=0")))
    assert "whole state" in text(client.get(page(match, "table/?seat=all")))
    assert bytes(Match.objects.get(pk=match.pk).secret).hex() in text(client.get(page(match)))
    entry = AuditEntry.objects.get()
    assert (entry.what, entry.target_id, entry.reason) == ("secrets_seen", str(match.pk), REASON)
    other = make_match(*make_players(2), game="three_up_three_down")
    assert "Own hand" not in text(client.get(page(other, "table/?seat=0")))


def test_secrets_close_again(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    client = of_role("moderator")
    client.post(page(match, "do/see-secrets/"), {"reason": REASON})
    later = now_ms() + 16 * 60_000
    monkeypatch.setattr("matches.admin.opened.now_ms", lambda: later)
    assert "Own hand" not in text(client.get(page(match, "table/?seat=0")))


def test_an_answer_that_lies_sealed_is_shown_to_nobody_before(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, game="snap", options={"race": {"mode": "reaction"}})
    client = of_role("moderator")
    before = text(client.get(page(match, "table/")))
    submit(match, anna, b'{"type":"look"}')
    assert table_of(match).sealed is not None
    assert text(client.get(page(match, "table/"))) == before
    assert text(client.get(page(match, "table/?entry=999"))) == before
    client.post(page(match, "do/see-secrets/"), {"reason": REASON})
    assert text(client.get(page(match, "table/"))) != before


def test_the_export_is_for_matches_that_are_over_and_holds(match: Match) -> None:
    client = of_role("moderator")
    assert client.get(page(match, "export/")).status_code == 403
    for seat in match.seats.select_related("player"):
        if not table_of(match).is_over and seat.player is not None:
            play.match_resign(match_id=match.pk, player_id=seat.player.pk, epoch=0, received=now_ms())
    exported = client.get(page(match, "export/"))
    assert exported["Content-Disposition"] == f'attachment; filename="listik-{match.pk}.json"'
    assert verify(exported.content) == table_of(match)
    assert "Own hand" in text(client.get(page(match, "table/?seat=0&entry=1")))


def test_a_match_that_runs_is_taken_out_with_a_reason(match: Match) -> None:
    client = of_role("moderator")
    taken = client.post(page(match, "do/take-out/"), {"reason": REASON})
    assert bytes(match.secret).hex() in text(taken)
    assert AuditEntry.objects.get().what == "running_match_exported"
    operator = of_role("operator")
    assert operator.post(page(match, "do/take-out/"), {"reason": REASON}).status_code == 403


def test_a_stale_page_is_told_that_the_match_is_over(match: Match) -> None:
    client = of_role("moderator")
    client.get(page(match, "do/void/"))
    for seat in match.seats.select_related("player"):
        if not table_of(match).is_over and seat.player is not None:
            play.match_resign(match_id=match.pk, player_id=seat.player.pk, epoch=0, received=now_ms())
    answer = client.post(page(match, "do/void/"), {"reason": REASON}, follow=True)
    assert "not possible as it stands" in text(answer)
    assert not AuditEntry.objects.exists()


def test_a_match_is_verified(match: Match) -> None:
    client = of_role("operator")
    answer = client.post(page(match, "do/verify/"), {"reason": REASON}, follow=True)
    assert re.search(r"It holds: \d+ entr", text(answer))
    assert AuditEntry.objects.get().data == {"holds": True, "fault": None}


def test_what_is_typed_in_is_checked(match: Match) -> None:
    client = of_role("moderator")
    assert "This field is required" in text(client.post(page(match, "do/void/"), {}))
    for odd in ("entry=x", "entry=-5", "entry=99999999999999999999", "seat=99", "seat=x", "before=0", "before=²"):
        assert client.get(page(match, f"change/?{odd}")).status_code == 200
        assert client.get(page(match, f"table/?{odd}")).status_code == 200


@pytest.mark.parametrize("role", ROLES)
def test_every_deed_is_for_who_may_and_for_nobody_else(role: str, match: Match) -> None:
    client = of_role(role)
    guest, _ = accounts.guest_create()
    rows = ((page(match, ""), MATCH_DEEDS), (f"/admin/matches/player/{guest.pk}/", PLAYER_DEEDS))
    for base, deeds in rows:
        for deed in deeds:
            may = deed.permit in ROLES[role].permits
            status = client.get(f"{base}do/{deed.name}/").status_code
            assert status in ({200, 302} if may else {403}), (role, deed.name, status)
            shown = text(client.get(f"{base}change/"))
            assert may or f"do/{deed.name}/" not in shown


def test_a_game_without_a_picture_is_drawn_by_what_its_view_holds() -> None:
    playing = Playing(Case(registry.games()["gnoming_a_round"], 3), 5)
    list(playing.moments(40))
    scene = draw("a game without a picture", view_table(playing.game, playing.table, None), ("anna", "ben", "carl"))
    piles = [zone.title for zone in scene.middle]
    assert piles == ["Left pile", "Right pile"]
    assert [[zone.title for zone in seat.zones] for seat in scene.seats] == [["Cards"]] * 3
    assert ("Round", "1") in scene.facts


def test_the_log_is_told_in_words(match: Match) -> None:
    body = text(of_role("moderator").get(page(match)))
    assert re.search(r"dealt \(dealer [01], draw pile 66\)", body)
    assert "(&#x27;" not in body
