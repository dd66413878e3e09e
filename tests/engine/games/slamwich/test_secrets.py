"""What nobody may learn (SLM-36, RACE-2, RACE-5, ALL-2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from engine.core.rng import Rng, Seed
from engine.games.slamwich import GAME
from engine.games.slamwich.moves import CardTurned, Slap
from engine.games.slamwich.state import Challenge, State
from engine.games.slamwich.view import PenaltyView, SeatView
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position

VIEWERS = (None, 0, 1, 2)


def seen_by(state: State, viewer: int | None) -> bytes:
    """Everything served to this viewer while the race is open."""
    legal = [] if viewer is None else list(GAME.legal_moves(state, viewer))
    return msgspec.json.encode((GAME.view(state, viewer), legal, GAME.known_timers(state, viewer)))


@pytest.mark.rule("SLM-36")
def test_public_are_the_piles_top_three_and_all_counts() -> None:
    view = GAME.view(position("F G", "", "P", pile="K T 2 c", exits=(0, 1, 0), turn=2, turned=7), None)
    assert (view.pile, view.top) == (4, ("thief_cat", "muncher_2", "tomato_and_lettuce"))
    expected = [SeatView(0, is_in=True, cards=2), SeatView(1, is_in=False, cards=0), SeatView(2, is_in=True, cards=1)]
    assert list(view.seats) == expected
    assert (view.turn, view.turned, view.turn_limit, view.race, view.card, view.last) == (2, 7, 3000, None, None, None)


@pytest.mark.rule("SLM-36")
@pytest.mark.parametrize(("pile", "top"), [("", ()), ("K", ("ketchup_and_mustard",)), ("F F", ("fish", "fish"))])
def test_a_smaller_pile_shows_what_it_has(pile: str, top: tuple[str, ...]) -> None:
    assert GAME.view(position("F G", "H", pile=pile), 0).top == top


@pytest.mark.rule("SLM-36", "RACE-1")
def test_by_arrival_everybody_sees_the_newest_card() -> None:
    sheet = Sheet(position("F G", "H B", "", pile="K", exits=(0, 0, 1))).turn()
    for viewer in VIEWERS:
        view = GAME.view(sheet.state, viewer)
        assert (view.top, view.card) == (("fish", "ketchup_and_mustard"), "fish")


@pytest.mark.rule("RACE-2", "SLM-36")
def test_by_reaction_the_newest_card_is_hidden_until_the_own_look() -> None:
    sheet = Sheet(position("F G", "H B", "", pile="K T C", exits=(0, 0, 1), **REACTION)).turn()
    assert sheet.events == [CardTurned(1, 0)]
    sheet.look(1, at=10)
    for viewer in (None, 0, 2):
        view = GAME.view(sheet.state, viewer)
        assert (view.pile, view.top, view.card) == (4, (None, "chicken", "tomato_and_lettuce"), None)
    own = GAME.view(sheet.state, 1)
    assert (own.top, own.card) == (("fish", "chicken", "tomato_and_lettuce"), "fish")


@pytest.mark.rule("RACE-2", "SLM-36")
def test_who_passes_unseen_sees_the_card_at_the_close_and_outsiders_never_in_the_history() -> None:
    sheet = Sheet(position("F G", "H B", "", pile="F", exits=(0, 0, 1), **REACTION)).turn()
    sheet.skip(1)
    assert GAME.view(sheet.state, 1).card is None
    sheet.react(0, 200)
    cards = {viewer: last.card for viewer in VIEWERS if (last := GAME.view(sheet.state, viewer).last) is not None}
    assert cards == {None: None, 0: "fish", 1: "fish", 2: None}
    assert [type(event).__name__ for event in sheet.heard(1)] == ["CardSeen", "RaceClosed", "PileTaken", "CardTurned"]
    for outsider in (None, 2):
        assert [type(e).__name__ for e in sheet.heard(outsider)] == ["RaceClosed", "PileTaken", "CardTurned"]


@pytest.mark.rule("SLM-36", "SLM-18")
def test_a_paid_card_is_shown_with_the_last_race_to_those_in_it() -> None:
    sheet = Sheet(position("F G", "H B", "", pile="K", exits=(0, 0, 1))).turn().slap(1, 100).close()
    paid = {viewer: last.penalties for viewer in VIEWERS if (last := GAME.view(sheet.state, viewer).last) is not None}
    shown, hidden = PenaltyView(1, paid=True, card="ham"), PenaltyView(1, paid=True, card=None)
    assert paid == {None: (hidden,), 0: (shown,), 1: (shown,), 2: (hidden,)}


@pytest.mark.rule("RACE-2", "SLM-19")
@pytest.mark.parametrize("newest", ["F", "1", "2", "c", "K"])
def test_by_reaction_nothing_that_follows_from_the_card_shows_before_the_close(newest: str) -> None:
    """A food, the same or another Muncher, a Thief, a Slamwich: all the same to who hasn't looked."""
    start: dict[str, Any] = {"pile": "K 2", "turn": 1, "challenge": (0, 1, 2, 1), **REACTION}
    plain = Sheet(position("G T", "F B", "P M", **start)).turn().look(0, at=10)
    other = Sheet(position("G T", f"{newest} B", "P M", **start)).turn().look(0, at=10)
    for viewer in (None, 1, 2):
        assert seen_by(other.state, viewer) == seen_by(plain.state, viewer)
        assert other.heard(viewer) == plain.heard(viewer)
    assert GAME.view(other.state, 0).challenge == Challenge(0, 1, 2, 1)


@pytest.mark.rule("RACE-5")
@pytest.mark.parametrize("options", [{}, REACTION])
def test_nothing_served_in_an_open_race_says_whether_anything_can_be_claimed(options: dict[str, Any]) -> None:
    """The same newest card with and without a match under it at depth three: only the pile's own picture differs."""
    for slaps in (False, True):
        can = Sheet(position("F G", "H B", "P M", pile="F T", **options)).turn()
        cannot = Sheet(position("F G", "H B", "P M", pile="K T", **options)).turn()
        for sheet in (can, cannot):
            if options:
                sheet.look(2, at=10)
            if slaps:
                sheet.move(2, Slap(), 300)
        assert can.told == cannot.told
        for viewer in VIEWERS:
            mine, other = GAME.view(can.state, viewer), GAME.view(cannot.state, viewer)
            assert mine.top[:2] == other.top[:2]
            assert msgspec.structs.replace(mine, top=()) == msgspec.structs.replace(other, top=())
            assert GAME.known_timers(can.state, viewer) == GAME.known_timers(cannot.state, viewer)
            if viewer is not None:
                assert GAME.legal_moves(can.state, viewer) == GAME.legal_moves(cannot.state, viewer)


@pytest.mark.rule("RACE-2", "RACE-4")
def test_what_others_answered_shows_in_no_view() -> None:
    variants: tuple[dict[str, Any], ...] = ({}, REACTION)
    for options in variants:
        start = Sheet(position("F G", "H B", "P M", pile="F", **options)).turn()
        slapped, passed = Sheet(start.state), Sheet(start.state)
        if options:
            slapped.look(0, at=10)
            passed.look(0, at=10)
        slapped.slap(0, 100)
        passed.skip(0, at=100)
        for viewer in (None, 1, 2):
            assert seen_by(slapped.state, viewer) == seen_by(passed.state, viewer)
        assert (not options) == ('"answered":[0]' in seen_by(slapped.state, 1).decode())


@pytest.mark.rule("RACE-2")
def test_looks_and_answers_by_reaction_are_sealed() -> None:
    sheet = Sheet(position("F G", "H B", "P M", pile="F", **REACTION)).turn()
    assert not GAME.is_sealed(sheet.state)
    assert GAME.is_sealed(sheet.look(0, at=10).state)
    assert not GAME.is_sealed(sheet.skip(0, 1, 2).state)
    assert not GAME.is_sealed(Sheet(position("F G", "H B", pile="F")).turn().slap(0, 100).state)


@pytest.mark.rule("ALL-2", "SLM-36")
@pytest.mark.parametrize("options", [{}, REACTION])
def test_hidden_cards_may_lie_anywhere_and_no_viewer_can_tell(options: dict[str, Any]) -> None:
    start = position("F G 1", "H B a", "P M", pile="K T F 2 C", **options)
    sheet = Sheet(start).turn().skip(0)
    if options:
        sheet.look(2, at=10)
    deck = Counter(card for zone in GAME.census(sheet.state).values() for card in zone)
    for viewer in VIEWERS:
        shuffles = [GAME.shuffle_hidden(sheet.state, viewer, Rng(Seed.from_number(seed))) for seed in range(50)]
        for other in shuffles:
            assert seen_by(other, viewer) == seen_by(sheet.state, viewer)
            assert Counter(card for zone in GAME.census(other).values() for card in zone) == deck
        hides_newest = bool(options) and viewer != 2
        for place, values in enumerate(zip(*(other.pile for other in shuffles), strict=True)):
            visible = place in {3, 4} or (place == 5 and not hides_newest)
            assert (len(set(values)) > 1) is not visible, (viewer, place)
        for stack in range(3):
            assert all(len(set(v)) > 1 for v in zip(*(other.stacks[stack] for other in shuffles), strict=True))
        if hides_newest:
            assert {other.race.right for other in shuffles if other.race is not None} >= {(), ("slap_and_shout",)}


@pytest.mark.rule("SLM-36", "RACE-5")
def test_everybody_sees_who_answered_in_the_last_race() -> None:
    sheet = Sheet(position("F G", "H B", "", pile="K", exits=(0, 0, 1))).turn().slap(1, 100).close()
    for viewer in VIEWERS:
        last = GAME.view(sheet.state, viewer).last
        assert last is not None
        assert 1 in [answer.seat for answer in last.answers]


@pytest.mark.rule("SLM-36")
def test_for_an_outsider_any_card_may_have_been_paid() -> None:
    sheet = Sheet(position("F G", "H B", "", pile="K", exits=(0, 0, 1))).turn().slap(1, 100).close()
    paid = set()
    for number in range(20):
        last = GAME.shuffle_hidden(sheet.state, None, Rng(Seed.from_number(number))).last
        assert last is not None
        paid |= {penalty.card for penalty in last.penalties}
    assert len(paid) > 1
    assert None not in paid


@pytest.mark.rule("SLM-36", "RACE-1")
def test_what_is_right_in_an_open_race_doesnt_hang_on_what_is_hidden() -> None:
    sheet = Sheet(position("F G", "H B", "", pile="K", exits=(0, 0, 1))).turn()
    assert sheet.state.race is not None
    for number in range(5):
        assert GAME.shuffle_hidden(sheet.state, 2, Rng(Seed.from_number(number))).race == sheet.state.race
