"""What is public, and what is the players' to remember (SNP-27, SNP-3, RACE-2, RACE-5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine.core.cards import NAMES
from engine.core.race import Answered, RaceMode, RaceView
from engine.core.rng import Rng, Seed
from engine.games.snap import GAME
from engine.games.snap.moves import Call, Claim, Look, Pass
from engine.games.snap.state import State
from engine.games.snap.view import LastRaceView, SeatView, View
from tests.engine.games.snap.play import moments
from tests.engine.games.snap.sheet import REACTION, Sheet, position

PILES = ("QS 2C | 7D", "3H 6S | 5H QH", "8C 9S | 9C")
BOTH_MODES: tuple[dict[str, Any], ...] = ({}, REACTION)


def tops(state: State, viewer: int | None) -> tuple[tuple[int, int, str | None, bool], ...]:
    seats = GAME.view(state, viewer).seats
    return tuple((seat.face_down, seat.face_up, seat.top, seat.hidden_card) for seat in seats)


@pytest.mark.rule("SNP-27")
@pytest.mark.parametrize("viewer", [0, 2, None])
def test_everybody_sees_tops_and_counts(viewer: int | None) -> None:
    sheet = Sheet(position(*PILES, pot="5C KC", turn=2)).turn(1000)
    assert GAME.view(sheet.state, viewer) == View(
        dealer=0,
        seats=(
            SeatView(0, is_in=True, face_down=2, face_up=1, top="7D", hidden_card=False),
            SeatView(1, is_in=True, face_down=2, face_up=2, top="QH", hidden_card=False),
            SeatView(2, is_in=True, face_down=1, face_up=2, top="8C", hidden_card=False),
        ),
        pot=2,
        pot_top="KC",
        turn=2,
        turned=1,
        turn_limit=2000,
        claims=(Claim.SNAP, Claim.SNAP_POT),
        race=RaceView(
            number=1,
            mode=RaceMode.ARRIVAL,
            turner=2,
            seats=(0, 1, 2),
            answered=(),
            may_look=False,
            may_answer=viewer is not None,
            claim=None,
        ),
        card="8C",
        last=None,
    )


@pytest.mark.rule("SNP-27")
def test_the_last_race_is_told_and_its_card_to_those_who_were_in_it() -> None:
    sheet = Sheet(position(*PILES, "|", exits=(0, 0, 0, 1))).turn().call(1, 90).call(2, 95, "snap_pot").close()
    answers = (Answered(1, Claim.SNAP, 90), Answered(2, Claim.SNAP_POT, 95))
    for viewer, card in ((0, "QS"), (2, "QS"), (3, None), (None, None)):
        assert GAME.view(sheet.state, viewer).last == LastRaceView(1, 0, card, answers, best=(1,), wrong=(2,))


@pytest.mark.rule("SNP-27")
def test_no_event_names_a_turned_card_to_spectators_or_seats_that_are_out() -> None:
    for options in BOTH_MODES:
        sheet = Sheet(position(*PILES, "|", exits=(0, 0, 0, 1), **options)).turn()
        heard = [*sheet.heard(None), *sheet.heard(3)]
        for seat in (0, 1, 2):
            sheet.skip(seat)
            heard += [*sheet.heard(None), *sheet.heard(3)]
        assert not any(card.encode() in msgspec.json.encode(heard) for card in NAMES)


@pytest.mark.rule("RACE-2", "SNP-27")
class TestAnUnseenCard:
    BEFORE = ((1, 2, "7D", True), (2, 2, "QH", False), (2, 1, "9C", False))
    AFTER = ((1, 2, "QS", False), (2, 2, "QH", False), (2, 1, "9C", False))

    def race(self) -> Sheet:
        return Sheet(position(*PILES, "|", exits=(0, 0, 0, 1), **REACTION)).turn()

    def test_lies_hidden_on_the_turners_pile_for_all_who_have_not_looked(self) -> None:
        sheet = self.race().look(2, 50)
        for viewer in (0, 1, 3, None):
            assert tops(sheet.state, viewer)[:3] == self.BEFORE
            assert GAME.view(sheet.state, viewer).card is None
        assert tops(sheet.state, 2)[:3] == self.AFTER
        assert GAME.view(sheet.state, 2).card == "QS"

    def test_stays_hidden_from_who_passed_unseen(self) -> None:
        assert tops(self.race().skip(1).state, 1)[:3] == self.BEFORE

    def test_stays_known_to_who_has_answered(self) -> None:
        assert tops(self.race().react(1, 90).state, 1)[:3] == self.AFTER

    def test_is_there_for_all_after_the_close(self) -> None:
        sheet = self.race().skip(0, 1, 2)
        for viewer in (0, 1, 2, 3, None):
            assert tops(sheet.state, viewer)[:2] == ((1, 2, "QS", False), (1, 3, "QH", True))

    def test_of_a_pile_that_was_turned_over_lies_alone(self) -> None:
        sheet = Sheet(position(" | 7D QS 2C", "3H | QH", **REACTION)).turn()
        assert tops(sheet.state, 1) == ((2, 1, None, True), (1, 1, "QH", False))


@pytest.mark.rule("RACE-2", "RACE-5")
@pytest.mark.parametrize("viewer", [0, 1, 3, None])
def test_others_see_no_change_while_a_seat_looks_and_answers(viewer: int | None) -> None:
    for answer in (Call(Claim.SNAP), Call(Claim.SNAP_POT), Pass()):
        sheet = Sheet(position(*PILES, "|", exits=(0, 0, 0, 1), **REACTION)).turn()
        before = GAME.view(sheet.state, viewer), GAME.known_timers(sheet.state, viewer)
        sheet.look(2, 50)
        assert (GAME.view(sheet.state, viewer), GAME.known_timers(sheet.state, viewer)) == before
        assert sheet.heard(viewer) == []
        sheet.move(2, answer, 90)
        assert (GAME.view(sheet.state, viewer), GAME.known_timers(sheet.state, viewer)) == before
        assert sheet.heard(viewer) == []


@pytest.mark.rule("RACE-5")
@pytest.mark.parametrize("mode", BOTH_MODES, ids=["arrival", "reaction"])
@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_but_the_card_says_whether_it_can_be_claimed(mode: dict[str, Any], seat: int) -> None:
    seen = []
    for card in ("QS", "5S", "JS", "KS"):
        sheet = Sheet(position(f"{card} 2C | 7D", "3H 6S | 5H QH", pot="JC KC", **mode)).turn(1000)
        if mode:
            sheet.look(seat, 2000)
        told = (
            msgspec.json.encode(GAME.view(sheet.state, seat)).replace(card.encode(), b"??"),
            msgspec.json.encode(GAME.view(sheet.state, None)).replace(card.encode(), b"??"),
            GAME.legal_moves(sheet.state, seat),
            GAME.known_timers(sheet.state, seat),
            GAME.awaited(sheet.state),
            GAME.reacting(sheet.state),
            [GAME.refuse(sheet.state, seat, move) for move in (Look(), Call(Claim.SNAP), Call(Claim.HAND))],
        )
        seen.append(told)
        assert GAME.legal_moves(sheet.state, seat) == (Call(Claim.SNAP), Call(Claim.SNAP_POT), Pass())
    assert seen[1:] == seen[:-1]


def played() -> Iterator[tuple[State, Any]]:
    """Every tenth moment of one match of each kind, and what was told just before it."""
    for seats, options in ((2, {}), (5, {}), (4, {"index_card": True}), (3, REACTION), (12, REACTION)):
        for number, moment in enumerate(moments(seats, {**options, "turn_limit": 60}, seed=seats)):
            if number % 10 == 0:
                yield moment


@pytest.mark.rule("SNP-3", "SNP-27", "RACE-2")
def test_a_viewer_can_not_tell_a_state_with_other_hidden_cards() -> None:
    for number, (state, _) in enumerate(played()):
        for viewer in (*range(len(state.exits)), None):
            other = GAME.shuffle_hidden(state, viewer, Rng(Seed.from_number(number)))
            assert GAME.view(other, viewer) == GAME.view(state, viewer)
            assert GAME.known_timers(other, viewer) == GAME.known_timers(state, viewer)
            if viewer is not None:
                assert GAME.legal_moves(other, viewer) == GAME.legal_moves(state, viewer)
                assert GAME.awaited(other).get(viewer) == GAME.awaited(state).get(viewer)
                assert GAME.reacting(other).get(viewer) == GAME.reacting(state).get(viewer)
            assert sorted(card for zone in GAME.census(other).values() for card in zone) == sorted(NAMES)


@pytest.mark.rule("RACE-2", "SNP-3")
def test_a_hidden_card_may_be_any_that_the_viewer_does_not_see() -> None:
    sheet = Sheet(position(*PILES, pot="5C KC", **REACTION)).turn().look(2, 50)
    hidden_from = {0: {"QS", "2C", "3H", "6S", "5H", "8C", "9S", "5C"}, 2: {"QS"}}
    for viewer, possible in hidden_from.items():
        turned = set()
        for seed in range(60):
            other = GAME.shuffle_hidden(sheet.state, viewer, Rng(Seed.from_number(seed)))
            turned.add(NAMES[other.face_up[0][-1]])
        assert turned == possible


@pytest.mark.rule("RACE-4", "RACE-5")
def test_what_can_be_claimed_follows_the_card_that_may_lie_there() -> None:
    sheet = Sheet(position("QS KS | 7D", "3H 6S | QH", **REACTION)).turn()
    for seed in range(20):
        other = GAME.shuffle_hidden(sheet.state, 1, Rng(Seed.from_number(seed)))
        assert other.race is not None
        assert other.race.right == (("snap",) if NAMES[other.face_up[0][-1]] == "QS" else ())


@pytest.mark.rule("RACE-4", "RACE-2")
def test_what_others_have_answered_is_not_in_a_shuffled_state() -> None:
    sheet = Sheet(position(*PILES, **REACTION)).turn().react(1, 90).react(2, 80)
    other = GAME.shuffle_hidden(sheet.state, 1, Rng(Seed.from_number(1)))
    assert other.race is not None
    assert [answer.seat for answer in other.race.answers] == [1]
    assert [look.seat for look in other.race.looks] == [1]
    claims = set()
    for seed in range(40):
        sheet = Sheet(position(*PILES)).turn().call(2, 90)
        other = GAME.shuffle_hidden(sheet.state, 1, Rng(Seed.from_number(seed)))
        assert other.race is not None
        claims.add(other.race.answers[0].claim)
    assert claims == {"snap", "snap_pot", None}


@pytest.mark.rule("SNP-27")
def test_an_event_names_only_cards_that_its_viewer_sees_before_or_after() -> None:
    for seats, options in ((3, {}), (4, REACTION), (2, REACTION)):
        before: State | None = None
        for state, told in moments(seats, {**options, "turn_limit": 40}, seed=7):
            for viewer in (*range(seats), None):
                seen = msgspec.json.encode([GAME.view(at, viewer) for at in (before, state) if at is not None])
                heard = msgspec.json.encode([entry.event for entry in told if entry.reaches(viewer)])
                assert [card for card in NAMES if card.encode() in heard and card.encode() not in seen] == []
            before = state
