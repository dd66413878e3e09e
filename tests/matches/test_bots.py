"""Bots in the service: seats of theirs, moves by workers, taking over and coming back, practice."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.env import Env
from engine.bots.anygame import AnyMove
from engine.export import verify
from matches import bridge, timing
from matches.bridge import awaited_bots
from matches.models import Match, MoveRecord, Notice, Player, Position, Seat, Status
from matches.services import bots, lobby, moderation, opponents, play, players, rematch, upkeep
from matches.services.pairing import Wish, pairing_enter
from tests.matches.factories import (
    PER_MOVE,
    begin_ago,
    causes,
    make_lobby,
    make_match,
    make_player,
    make_players,
    refusal,
    replayed,
    stored,
    table_of,
    take,
)

pytestmark = pytest.mark.django_db(transaction=True)

Calls = list[tuple[str, int, int]]


def against(level: str = "easy", **fields: Any) -> tuple[Match, Player]:
    """A match of Heap against a bot, who sits behind."""
    anna = make_player()
    return lobby.match_create(host_id=anna.pk, game="heap", seats=2, bots=(level,), **fields), anna


def move_bots(match: Match) -> int:
    """Do what workers do until no bot is awaited; gives the number of moves."""
    made = 0
    while asked := awaited_bots(table_of(match)):
        for seat, serial in asked:
            made += bots.bot_move(match_id=match.pk, seat=seat, serial=serial)
    return made


# Seats


def test_bots_fill_seats_at_creation_and_the_match_begins_when_it_is_full() -> None:
    match, anna = against("hard")
    assert match.status == Status.RUNNING
    assert list(Seat.objects.filter(match=match).values_list("player", "bot_level")) == [
        (anna.pk, None),
        (None, "hard"),
    ]
    assert bridge.opening_of(match, list(match.seats.all())).bots == (None, "hard")
    assert table_of(match) == replayed(match)


def test_a_host_puts_bots_on_seats_and_sends_them_away() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, 3)
    match = opponents.bot_add(match_id=match.pk, player_id=anna.pk, level="normal")
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    assert refusal(opponents.bot_add, match_id=match.pk, player_id=anna.pk, level="easy").code == "match_not_open"
    other = make_lobby(anna, 3, autostart=False)
    opponents.bot_add(match_id=other.pk, player_id=anna.pk, level="normal")
    lobby.match_join(match_id=other.pk, player_id=ben.pk)
    assert refusal(opponents.bot_add, match_id=other.pk, player_id=ben.pk, level="easy").code == "not_host"
    assert refusal(opponents.bot_remove, match_id=other.pk, player_id=anna.pk, number=2).code == "no_such_player"
    after = opponents.bot_remove(match_id=other.pk, player_id=anna.pk, number=1)
    assert [(seat.number, seat.player_id) for seat in after.seats.all()] == [(0, anna.pk), (1, ben.pk)]
    opponents.bot_add(match_id=other.pk, player_id=anna.pk, level="normal")
    assert refusal(opponents.bot_add, match_id=other.pk, player_id=anna.pk, level="easy").code == "match_full"


def test_a_lobby_of_bots_whose_last_player_leaves_is_off() -> None:
    anna = make_player()
    match = make_lobby(anna, 3, bots=("easy",))
    assert lobby.match_leave_lobby(match_id=match.pk, player_id=anna.pk).status == Status.CANCELLED


def test_what_is_no_level_and_too_many_bots_are_refused() -> None:
    anna = make_player()
    assert refusal(make_lobby, host=anna, bots=("god",)).code == "bad_options"
    assert refusal(make_lobby, host=anna, seats=2, bots=("easy",) * 3).code == "bad_options"
    assert not Match.objects.exists()


def test_a_match_of_bots_alone_ends_by_itself_and_its_export_holds() -> None:
    anna = make_player()
    match = make_lobby(anna, 3, bots=("easy", "normal", "hard"), visibility="private")
    assert match.status == Status.RUNNING
    assert not match.seats.filter(player=anna).exists()
    assert move_bots(match) > 2
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert table_of(match) == replayed(match)
    entries = MoveRecord.objects.filter(match=match).order_by("number").values_list("entry", flat=True)
    assert verify(bridge.export_of(match, list(match.seats.all()), table_of(match), entries)) == table_of(match)


def test_a_host_watches_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "MOST_WATCHED", 2)
    anna = make_player()
    for _ in range(2):
        make_lobby(anna, 2, bots=("easy", "easy"))
    assert refusal(make_lobby, host=anna, seats=2, bots=("easy", "easy")).code == "too_many"
    make_lobby(anna, 2, bots=("easy",))


def test_a_rematch_has_the_same_bots_with_the_seats_turned() -> None:
    match, anna = against("hard", preset="short")
    take(match, anna, 2)
    again = rematch.match_rematch(match_id=match.pk, player_id=anna.pk)
    assert again.status == Status.RUNNING
    assert [(seat.player_id, seat.bot_level) for seat in again.seats.all()] == [(None, "hard"), (anna.pk, None)]


# Moves


def test_a_bot_is_called_once_a_move_makes_it_awaited_and_never_before_the_commit(calls: Calls) -> None:
    match, anna = against()
    assert calls == []
    take(match, anna, 1)
    assert calls == [(str(match.pk), 1, 1)]
    assert bots.bot_move(match_id=match.pk, seat=1, serial=1)
    assert causes(match)[-1] == ("move", 1)


def test_the_move_of_a_player_against_bots_costs_two_statements_too() -> None:
    match, anna = against()
    with CaptureQueriesContext(connection) as queries:
        take(match, anna, 1)
    assert [query["sql"].split()[0] for query in queries] == ["BEGIN", "WITH", "WITH", "COMMIT"]


def test_a_task_that_comes_twice_or_late_changes_nothing() -> None:
    match, anna = against()
    take(match, anna, 1)
    assert bots.bot_move(match_id=match.pk, seat=1, serial=1)
    before = stored(match)
    assert not bots.bot_move(match_id=match.pk, seat=1, serial=1)
    assert not bots.bot_move(match_id=match.pk, seat=1, serial=9)
    assert not bots.bot_move(match_id=match.pk, seat=0, serial=2)
    assert not bots.bot_move(match_id=make_lobby(anna).pk, seat=0, serial=1)
    assert stored(match) == before


def test_a_call_that_got_lost_is_made_again_by_the_beat(calls: Calls) -> None:
    match, anna = against()
    take(match, anna, 1)
    calls.clear()
    assert bots.bots_call() == 0
    Position.objects.filter(match=match).update(bots_at=timing.now_ms() - 1)
    assert bots.bots_call() == 1
    assert calls == [(str(match.pk), 1, 1)]
    assert bots.bots_call() == 0
    bots.bot_move(match_id=match.pk, seat=1, serial=1)
    assert Position.objects.get(match=match).bots_at is None or table_of(match).seats[1].decision is not None


class Broken(AnyMove[Any, Any, Any]):
    """Fails so often, then plays."""

    def __init__(self, fails: int) -> None:
        super().__init__()
        self.fails = fails

    def choose(self, sight: Any, rng: Any) -> Any:
        self.fails -= 1
        if self.fails >= 0:
            raise RuntimeError("a bot at fault")
        return sight.moves[1]


@pytest.mark.parametrize(("fails", "count"), [(1, 2), (100, 1)])
def test_a_bot_at_fault_is_asked_again_and_then_the_default_move_is_made(
    monkeypatch: pytest.MonkeyPatch, fails: int, count: int
) -> None:
    broken = Broken(fails)
    monkeypatch.setattr(bridge, "bot_for", lambda game, level, clock=None: broken)
    match, anna = against()
    take(match, anna, 1)
    assert bots.bot_move(match_id=match.pk, seat=1, serial=1)
    entry = MoveRecord.objects.filter(match=match, seat=1).get().entry
    assert f'"count":{count}' in entry


def test_a_bot_whose_fault_kills_the_worker_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch, broker: str) -> None:
    monkeypatch.setattr(settings, "CACHES", {"default": Env({}).cache("CACHE_URL", broker=broker)})
    asked: list[int] = []

    class Killed(BaseException):
        pass

    def choose(referee: Any, table: Any, seat: int, tried: int) -> Any:
        asked.append(tried)
        raise Killed

    monkeypatch.setattr(bridge, "chosen_by_bot", choose)
    match, anna = against()
    take(match, anna, 1)
    for _ in range(bots.MOST_TRIES):
        with pytest.raises(Killed):
            bots.bot_move(match_id=match.pk, seat=1, serial=1)
    assert bots.bot_move(match_id=match.pk, seat=1, serial=1)
    assert asked == list(range(bots.MOST_TRIES))


def test_while_a_match_stands_its_bots_do_too(calls: Calls) -> None:
    match, anna = against()
    take(match, anna, 1)
    staff = make_player()
    moderation.match_halt(match_id=match.pk, actor_id=staff.pk, reason="a test")
    assert not bots.bot_move(match_id=match.pk, seat=1, serial=1)
    calls.clear()
    moderation.match_resume(match_id=match.pk, actor_id=staff.pk, reason="a test")
    assert calls == [(str(match.pk), 1, 1)]
    assert bots.bot_move(match_id=match.pk, seat=1, serial=1)


# Taking over and coming back


def lent(monkeypatch: pytest.MonkeyPatch) -> tuple[Match, Player, Player]:
    """The first player has let the time run out."""
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 61_000, anna, ben, control=PER_MOVE, policy={"on_timeout": "bot"})
    upkeep.match_settle(match_id=match.pk)
    return match, anna, ben


def test_a_bot_takes_over_and_moves_and_the_seat_keeps_its_player(
    monkeypatch: pytest.MonkeyPatch, calls: Calls
) -> None:
    match, anna, _ = lent(monkeypatch)
    assert calls == [(str(match.pk), 0, 1)]
    seat = Seat.objects.get(match=match, number=0)
    assert (seat.player_id, seat.bot_level, seat.awaited_since, seat.deadline) == (anna.pk, "normal", None, None)
    assert not Notice.objects.filter(match=match, seat=0, kind="turn").exists()
    assert bots.bot_move(match_id=match.pk, seat=0, serial=1)
    assert table_of(match) == replayed(match)


def test_a_move_or_a_word_takes_the_seat_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for by_move in (True, False):
        match, anna, _ = lent(monkeypatch)
        if by_move:
            take(match, anna, 2)
        else:
            for _ in range(2):
                play.match_return(match_id=match.pk, player_id=anna.pk, epoch=anna.epoch, received=timing.now_ms())
        assert [cause for cause, _ in causes(match)][:3] == ["open", "take_over", "return"]
        seat = Seat.objects.get(match=match, number=0)
        assert (seat.player_id, seat.bot_level) == (anna.pk, None)
        assert (seat.awaited_since is None) == by_move
        assert not bots.bot_move(match_id=match.pk, seat=0, serial=1)
        assert table_of(match) == replayed(match)


def test_a_match_ends_with_its_lent_seat_still_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    match, anna, ben = lent(monkeypatch)
    play.match_resign(match_id=match.pk, player_id=ben.pk, epoch=ben.epoch, received=timing.now_ms())
    seat = Seat.objects.get(match=match, number=0)
    assert (seat.player_id, seat.bot_level) == (anna.pk, "normal")


# Practice and programs


def test_practice_begins_at_once_with_as_few_seats_as_may_be() -> None:
    anna = make_player()
    match = opponents.practice_start(player_id=anna.pk, game="heap", level="normal")
    assert (match.status, match.seat_count, match.visibility, match.rated) == ("running", 2, "unlisted", False)
    larger = opponents.practice_start(player_id=anna.pk, game="heap", level="easy", seats=4)
    assert larger.seats.filter(bot_level="easy").count() == 3
    assert (
        refusal(opponents.practice_start, player_id=anna.pk, game="heap", level="easy", seats=9).code == "bad_options"
    )
    assert refusal(opponents.practice_start, player_id=anna.pk, game="heap", level="x").code == "bad_options"


def test_who_has_a_match_for_practice_of_a_game_needs_no_other() -> None:
    anna = make_player("anna")
    opponents.practice_ensure(name="anna", level="easy")
    practising = Match.objects.filter(host=anna, status=Status.RUNNING)
    assert sorted(practising.values_list("game", flat=True)) == sorted(bridge.games())
    moderation.match_void(match_id=practising.get(game="heap").pk, actor_id=make_player().pk, reason="a test")
    opponents.practice_ensure(name="anna", level="easy")
    assert practising.count() == len(bridge.games())


def test_a_program_says_that_it_is_one_and_is_paired_with_nobody() -> None:
    bot = players.player_register(name="marvin", password="a long enough password", is_bot=True)
    assert bot.is_bot
    error = refusal(pairing_enter, player_id=bot.pk, wish=Wish("heap", "standard", 2, "day"))
    assert error.code == "not_for_bots"
    anna = make_player()
    make_match(anna, bot)
