"""Lobbies, pairings, rematches and accounts when everybody clicks at the same moment: one outcome each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.db import connection, connections

from matches.errors import ServiceError
from matches.models import Invitation, Match, PairingTicket, Player, Seat, Status
from matches.services import (
    accounts,
    conduct,
    creation,
    farewell,
    invitations,
    lobby,
    pairing,
    play,
    players,
    recovery,
    rematch,
)
from matches.services.pairing import Wish
from matches.services.players import Identity
from matches.timing import now_ms
from tests.matches.factories import (
    at_once,
    causes,
    make_lobby,
    make_match,
    make_player,
    make_players,
    replayed,
    table_of,
)
from tests.matches.test_races import codes, wait_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)

WISH = Wish("heap", "standard", 2, "day")
PASSWORD = "a long enough password"


@pytest.fixture(autouse=True)
def patient_pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A hundred threads share ten connections; here they wait for one as long as it takes."""
    with monkeypatch.context() as patch:
        patch.setitem(settings.DATABASE_POOL, "timeout", 60)
        renew_pool()
        yield
    renew_pool()


def renew_pool() -> None:
    """The next connection is of a pool with the settings as they are now."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


def finished(*people: Player, **fields: Any) -> Match:
    """A match that is over: all but the first have left."""
    match = make_match(*people, **fields)
    for player in people[1:]:
        play.match_resign(match_id=match.pk, player_id=player.pk, epoch=0, received=now_ms())
    return match


def each_at_once(*ways: Callable[[], Any]) -> list[Any]:
    """What each of these gives, all begun at the same moment."""
    return at_once(len(ways), lambda index: ways[index]())


def while_it_waits(
    work: Callable[[], Any], other: Callable[[], Any], hook: Callable[[Callable[[], None]], None]
) -> Any:
    """Do `work`; at the place where `hook` puts it, begin `other` in another thread, and go on once that waits."""
    results: list[Any] = []

    def run() -> Any:
        try:
            return other()
        except ServiceError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:

        def begin() -> None:
            results.append(pool.submit(run))
            wait_for_a_lock()

        hook(begin)
        first = work()
        return first, results[0].result(timeout=30)


def test_of_a_hundred_who_join_at_once_as_many_as_there_are_seats_sit_down() -> None:
    host, *others = make_players(101)
    match = make_lobby(host, 4, autostart=False)
    answers = at_once(100, lambda index: lobby.match_join(match_id=match.pk, player_id=others[index].pk))
    assert codes(answers) == ["match_full"] * 97
    assert list(match.seats.values_list("number", flat=True)) == [0, 1, 2, 3]
    assert match.seats.values("player").distinct().count() == 4


def test_a_hundred_clicks_of_one_player_are_one_seat() -> None:
    host, anna = make_players(2)
    match = make_lobby(host, 3)
    answers = at_once(100, lambda _: lobby.match_join(match_id=match.pk, player_id=anna.pk))
    assert codes(answers) == []
    assert list(match.seats.values_list("number", "player")) == [(0, host.pk), (1, anna.pk)]


def test_the_last_seat_wanted_by_two_is_taken_by_one_and_the_match_begins() -> None:
    host, anna, ben = make_players(3)
    match = make_lobby(host, 2)
    answers = at_once(2, lambda index: lobby.match_join(match_id=match.pk, player_id=(anna, ben)[index].pk))
    assert codes(answers) == ["match_not_open"]
    assert Seat.objects.filter(match=match).count() == 2
    assert causes(match) == [("open", None)]
    assert table_of(match) == replayed(match)


def test_both_asking_for_a_rematch_at_once_get_the_same_running_match() -> None:
    anna, ben = make_players(2)
    match = finished(anna, ben)
    answers: list[Any] = at_once(
        2, lambda index: rematch.match_rematch(match_id=match.pk, player_id=(anna, ben)[index].pk)
    )
    assert len({answer.pk for answer in answers}) == 1
    again = match.rematches.get()
    assert again.status == Status.RUNNING
    assert list(again.seats.values_list("number", "player")) == [(0, ben.pk), (1, anna.pk)]
    assert table_of(again) == replayed(again)


def test_many_clicks_on_rematch_are_one_rematch() -> None:
    people = make_players(3)
    match = finished(*people)
    answers = at_once(12, lambda index: rematch.match_rematch(match_id=match.pk, player_id=people[index % 3].pk))
    assert codes(answers) == []
    again = match.rematches.get()
    assert (again.status, again.seats.count()) == (Status.RUNNING, 3)
    assert not Invitation.objects.exists()


def test_a_match_created_many_times_at_once_under_one_key_is_one_match() -> None:
    (host,) = make_players(1)
    create = creation.match_create_once
    answers: list[Any] = at_once(8, lambda _: create(key="k", host_id=host.pk, game="heap", seats=2))
    assert {answer.pk for answer in answers} == {Match.objects.get().pk}


def test_whoever_leaves_the_queue_is_never_paired_or_is_told() -> None:
    for _ in range(5):
        anna, ben = make_players(2)
        for player in (anna, ben):
            pairing.pairing_enter(player_id=player.pk, wish=WISH)
        answers = each_at_once(
            partial(pairing.players_pair, seconds=20), partial(pairing.pairing_leave, player_id=anna.pk)
        )
        is_seated = Seat.objects.filter(player=anna).exists()
        assert codes(answers) == (["already_paired"] if is_seated else [])
        assert PairingTicket.objects.filter(player=anna).exists() is is_seated
        assert Seat.objects.filter(player=ben).exists() is is_seated
        PairingTicket.objects.all().delete()


def test_leaving_while_being_paired_waits_for_the_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Staged: the pairing has the tickets and hasn't seated anybody yet when one of the two wants to leave."""
    anna, ben = make_players(2)
    for player in (anna, ben):
        pairing.pairing_enter(player_id=player.pk, wish=WISH)
    create = lobby.match_create

    def hook(begin: Callable[[], None]) -> None:
        def slow(**fields: Any) -> Match:
            monkeypatch.setattr(lobby, "match_create", create)
            begin()
            return create(**fields)

        monkeypatch.setattr(lobby, "match_create", slow)

    made, left = while_it_waits(
        lambda: pairing.players_pair(seconds=20), lambda: pairing.pairing_leave(player_id=anna.pk), hook
    )
    assert (made, left.code) == (1, "already_paired")
    assert set(Match.objects.get().seats.values_list("player", flat=True)) == {anna.pk, ben.pk}


def test_a_pairing_passes_by_whoever_is_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Staged: anna's leaving holds her ticket; the pairing takes the next two instead of waiting."""
    people = make_players(3)
    for player in people:
        pairing.pairing_enter(player_id=player.pk, wish=WISH)
    delete = PairingTicket.delete

    def slow(ticket: PairingTicket) -> Any:
        monkeypatch.setattr(PairingTicket, "delete", delete)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(paired).result(timeout=30) == 1
        return ticket.delete()

    def paired() -> int:
        try:
            return pairing.players_pair(seconds=20)
        finally:
            connections.close_all()

    monkeypatch.setattr(PairingTicket, "delete", slow)
    pairing.pairing_leave(player_id=people[0].pk)
    assert set(Match.objects.get().seats.values_list("player", flat=True)) == {people[1].pk, people[2].pk}


def test_many_workers_pair_everybody_once() -> None:
    people = make_players(20)
    for player in people:
        pairing.pairing_enter(player_id=player.pk, wish=WISH)
    made = at_once(4, lambda _: pairing.players_pair(seconds=20))
    # Who was passed over because another worker held the ticket is paired at the next look.
    rest = pairing.players_pair(seconds=20)
    assert sum(number for number in made if isinstance(number, int)) + rest == 10
    assert sorted(Seat.objects.values_list("player", flat=True)) == sorted(player.pk for player in people)


def test_many_clicks_on_pair_me_are_one_place() -> None:
    anna, ben = make_players(2)
    answers = at_once(8, lambda _: pairing.pairing_enter(player_id=anna.pk, wish=WISH))
    assert codes(answers) == []
    pairing.pairing_enter(player_id=ben.pk, wish=WISH)
    assert pairing.players_pair(seconds=20) == 1
    assert Seat.objects.filter(player=anna).count() == 1


def test_a_joining_and_a_sending_away_at_once_leave_a_lobby_in_order() -> None:
    host, anna, ben = make_players(3)
    match = make_lobby(host, 4)
    lobby.match_join(match_id=match.pk, player_id=anna.pk)
    ways = (
        lambda: lobby.match_join(match_id=match.pk, player_id=ben.pk),
        lambda: invitations.player_kick(match_id=match.pk, host_id=host.pk, player_id=anna.pk),
    )
    assert codes(each_at_once(*ways)) == []
    assert list(match.seats.values_list("number", "player")) == [(0, host.pk), (1, ben.pk)]


def test_sending_away_and_beginning_at_once_exclude_each_other() -> None:
    host, anna = make_players(2)
    match = make_lobby(host, 2, autostart=False)
    lobby.match_join(match_id=match.pk, player_id=anna.pk)
    ways = (
        lambda: lobby.match_start(match_id=match.pk, player_id=host.pk),
        lambda: invitations.player_kick(match_id=match.pk, host_id=host.pk, player_id=anna.pk),
    )
    refused = codes(each_at_once(*ways))
    match.refresh_from_db()
    expected = ["match_not_open"] if match.status == Status.RUNNING else ["too_few_seats"]
    assert refused == expected
    assert match.seats.count() == (2 if match.status == Status.RUNNING else 1)


def test_an_expiry_and_the_last_seat_at_once_exclude_each_other() -> None:
    host, anna = make_players(2)
    match = make_lobby(host, 2)
    Match.objects.filter(pk=match.pk).update(expires_at=match.created_at)
    ways = (
        lambda: lobby.match_join(match_id=match.pk, player_id=anna.pk),
        lobby.lobbies_expire,
    )
    answers = each_at_once(*ways)
    lobby.lobbies_expire()
    match.refresh_from_db()
    assert (codes(answers), match.status) == (["match_not_open"], Status.CANCELLED)
    assert causes(match) == []


def test_who_closes_an_account_while_joining_sits_nowhere() -> None:
    for _ in range(5):
        host, anna = make_player(), players.player_register(name="Anna", password=PASSWORD)
        match = make_lobby(host, 3)
        refused = codes(
            each_at_once(
                partial(lobby.match_join, match_id=match.pk, player_id=anna.pk),
                partial(farewell.player_delete, identity=Identity(anna.pk, 0), password=PASSWORD),
            )
        )
        assert refused in ([], ["token_invalid"])
        farewell.farewells_finish()
        assert list(match.seats.values_list("player", flat=True)) == [host.pk]


def test_who_closes_an_account_while_being_paired_plays_nothing() -> None:
    anna, ben = players.player_register(name="Anna", password=PASSWORD), make_player()
    for player in (anna, ben):
        pairing.pairing_enter(player_id=player.pk, wish=WISH)
    ways = (
        lambda: pairing.players_pair(seconds=20),
        lambda: farewell.player_delete(identity=Identity(anna.pk, 0), password=PASSWORD),
    )
    assert codes(each_at_once(*ways)) == []
    farewell.farewells_finish()
    assert not Match.objects.filter(seats__player=anna, status__in=[Status.LOBBY, Status.RUNNING]).exists()
    assert not PairingTicket.objects.filter(player=anna).exists()


def test_a_name_that_two_guests_want_at_once_goes_to_one() -> None:
    guests = [accounts.guest_create()[0] for _ in range(2)]
    names = ("Ian", "lan")

    def upgrade(index: int) -> Player:
        identity = Identity(guests[index].pk, 0)
        return accounts.guest_upgrade(identity=identity, name=names[index], password=PASSWORD)

    assert codes(at_once(2, upgrade)) == ["name_taken"]
    assert Player.objects.filter(is_guest=False).count() == 1


def test_a_recovery_code_used_twice_at_once_is_good_once() -> None:
    players.player_register(name="Anna", password=PASSWORD, email="anna@example.org")
    recovery.recovery_ask(about="anna")
    recovery.recoveries_send()
    code = next(line for line in str(mail.outbox[0].body).splitlines() if line[:1].isdigit())
    words = [f"a new long password {index}" for index in range(2)]
    answers = at_once(2, lambda index: recovery.recovery_finish(code=code, password=words[index]))
    assert codes(answers) == ["code_invalid"]
    winner = words[0] if answers[0] is None else words[1]
    assert players.player_authenticate(name="Anna", password=winner).name == "Anna"


def test_two_workers_mail_a_recovery_once() -> None:
    players.player_register(name="Anna", password=PASSWORD, email="anna@example.org")
    recovery.recovery_ask(about="anna")
    assert sorted(at_once(2, lambda _: recovery.recoveries_send())) == [0, 1]  # type: ignore[type-var]
    assert len(mail.outbox) == 1


def test_a_report_sent_many_times_at_once_is_one_report() -> None:
    anna, ben = make_players(2)
    file = conduct.report_file
    assert codes(at_once(8, lambda _: file(reporter_id=anna.pk, player_id=ben.pk, reason="name"))) == []
    assert anna.reports.count() == 1
    assert codes(at_once(8, lambda _: conduct.player_block(player_id=anna.pk, blocked_id=ben.pk))) == []
    assert anna.blocks.count() == 1
