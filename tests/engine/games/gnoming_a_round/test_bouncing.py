"""A face-down card that is replaced and matches may replace another one, and so on."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import AnyMove, Bounce, CardBounced, CardDiscarded, Discard, Draw, Place
from engine.games.gnoming_a_round.state import Ending, Phase, Pile, Source
from tests.engine.games.gnoming_a_round.sheet import (
    TWO_UP,
    After,
    code_and_rule,
    layout,
    make,
    make_all,
    position,
    refusal,
    words,
)

LEFT, RIGHT = Discard(Pile.LEFT), Discard(Pile.RIGHT)


def placed(own: str, hand: str, slot: int, preset: str = "standard") -> After:
    state = position(own, TWO_UP, TWO_UP, hand=hand, source=Source.PILE, preset=preset)
    return make(state, Place(slot))


def bounces(after: After) -> tuple[int, ...]:
    """The slots to which the card in hand may bounce."""
    listed = tuple(move.slot for move in GAME.legal_moves(after.state, 0) if isinstance(move, Bounce))
    assert GAME.view(after.state, None).bounce_slots == listed
    return listed


@pytest.mark.rule("GNO-15")
@pytest.mark.parametrize(
    ("hand", "own"),
    [
        ("5", "1 2 (5) / (4) (6) (7) / (8) (9) (10)"),
        ("3", "5 2 (5) / (4) (6) (7) / (8) (9) (10)"),
    ],
    ids=["equals the incoming card", "equals another face-up card"],
)
def test_a_face_down_card_that_matches_may_bounce_to_any_other_slot(hand: str, own: str) -> None:
    after = placed(own, hand, slot=2)

    assert bounces(after) == (0, 1, 3, 4, 5, 6, 7, 8)
    assert GAME.legal_moves(after.state, 0)[8:] == (LEFT, RIGHT)
    assert GAME.awaited(after.state) == {0: Occasion("turn", 5)}


@pytest.mark.rule("GNO-15")
@pytest.mark.parametrize(
    ("hand", "own", "slot"),
    [
        ("3", "1 2 (5) / (5) (6) (7) / (8) (9) (10)", 2),
        ("3", "1 2 (5) / (4) (6) (7) / (8) (9) (10)", 2),
        ("5", "5 2 (3) / (4) (6) (7) / (8) (9) (10)", 0),
        ("3", "5 2 5 / (4) (6) (7) / (8) (9) (10)", 2),
    ],
    ids=["equals a face-down card", "equals none but itself", "lay face up", "lay face up, beside a face-down one"],
)
def test_no_other_card_bounces(hand: str, own: str, slot: int) -> None:
    after = placed(own, hand, slot)

    assert bounces(after) == ()
    assert GAME.legal_moves(after.state, 0) == (LEFT, RIGHT)
    assert code_and_rule(after.state, Bounce(4)) == ("illegal_move", "GNO-15")


@pytest.mark.rule("GNO-15", "GNO-16", "GNO-17")
@pytest.mark.parametrize(
    ("own", "moves", "preset", "reason"),
    [
        (
            "1 2 (5) / (5) (6) (7) / (8) (9) (10)",
            (Place(2),),
            "standard",
            "GNO-15: no other face-up card of your layout is a 5, discard it",
        ),
        (
            "5 5 3 / (4) (6) (7) / (8) (9) (10)",
            (Place(0),),
            "standard",
            "GNO-15: only a card that lay face down may bounce from the slot of your play, discard it",
        ),
        (
            "5 5 (5) / 3 (6) (7) / (8) (9) (10)",
            (Place(2), Bounce(0)),
            "publisher",
            "GNO-16: in this match bouncing goes on over face-down cards only, discard the face-up one",
        ),
        (
            "5 1 (5) / 3 (6) (7) / (8) (9) (10)",
            (Place(2), Bounce(1)),
            "publisher",
            "GNO-15: no other face-up card of your layout is a 1, discard it",
        ),
        (
            "5 -2 (5) / 3 (6) (7) / (8) (9) (10)",
            (Place(2), Bounce(1)),
            "standard",
            "GNO-17: negative cards, Mulligans and Hazards never bounce, discard it",
        ),
    ],
    ids=["no match", "lay face up", "hit face up", "hit without a match", "negative"],
)
def test_a_refused_bounce_says_which_rule_forbids_it(
    own: str, moves: tuple[AnyMove, ...], preset: str, reason: str
) -> None:
    state = position(own, TWO_UP, TWO_UP, hand="7", source=Source.PILE, preset=preset)
    after = make_all(state, *moves)

    assert bounces(after) == ()
    assert refusal(after.state, Bounce(8)).reason == reason


@pytest.mark.rule("GNO-15")
def test_a_match_with_a_card_of_another_seat_is_none() -> None:
    state = position(
        "1 2 (5) / (4) (6) (7) / (8) (9) (10)", "5 5 5 / 5 5 5 / 5 5 (5)", TWO_UP, hand="3", source=Source.PILE
    )

    assert bounces(make(state, Place(2))) == ()


@pytest.mark.rule("GNO-15")
def test_a_bounce_is_never_forced() -> None:
    after = make(placed("5 2 (5) / (4) (6) (7) / (8) (9) (10)", "3", slot=2).state, RIGHT)

    assert layout(after.state, 0) == "5 2 3 / (4) (6) (7) / (8) (9) (10)"
    assert words(after.state.right_pile) == "2 5"
    assert after.state.turn == 1


@pytest.mark.rule("GNO-15")
def test_the_bounced_card_replaces_another_one() -> None:
    start = placed("5 2 (5) / (4) (6) (7) / (8) (9) (10)", "3", slot=2)
    after = make(start.state, Bounce(1))

    assert after.events() == [CardBounced(0, 1, "5", "2", was_face_down=False)]
    assert layout(after.state, 0) == "5 5 3 / (4) (6) (7) / (8) (9) (10)"
    assert GAME.legal_moves(after.state, 0) == (LEFT, RIGHT)
    assert words(make(after.state, LEFT).state.left_pile) == "1 2"


@pytest.mark.rule("GNO-16")
def test_the_slot_just_played_takes_no_bounce() -> None:
    start = placed("5 2 (5) / (4) (6) (7) / (8) (9) (10)", "3", slot=2).state

    assert refusal(start, Bounce(2)).reason == (
        "GNO-16: the card in slot 2 was replaced this turn, bounce to another slot or discard"
    )
    for slot in (-1, 9, 10**30):
        assert code_and_rule(start, Bounce(slot)) == ("illegal_move", "GNO-16")


@pytest.mark.rule("GNO-16")
def test_bouncing_goes_on_over_face_up_and_face_down_cards() -> None:
    start = placed("5 6 (5) / (6) (3) 3 / (8) (9) (10)", "7", slot=2)
    first = make(start.state, Bounce(3))
    assert layout(first.state, 0) == "5 6 7 / 5 (3) 3 / (8) (9) (10)"
    assert bounces(first) == (0, 1, 4, 5, 6, 7, 8)

    second = make(first.state, Bounce(4))
    assert layout(second.state, 0) == "5 6 7 / 5 6 3 / (8) (9) (10)"
    assert bounces(second) == (0, 1, 5, 6, 7, 8)
    assert code_and_rule(second.state, Bounce(3)) == ("illegal_move", "GNO-16")

    third = make(second.state, Bounce(0))
    assert layout(third.state, 0) == "3 6 7 / 5 6 3 / (8) (9) (10)"
    assert bounces(third) == (1, 5, 6, 7, 8)
    assert GAME.awaited(third.state) == {0: Occasion("turn", 5)}


@pytest.mark.rule("GNO-16")
@pytest.mark.parametrize(("preset", "goes_on"), [("standard", (0, 1, 4, 5, 6, 7, 8)), ("publisher", ())])
def test_with_the_option_a_face_up_card_ends_the_bouncing(preset: str, goes_on: tuple[int, ...]) -> None:
    start = placed("5 2 (5) / 5 (6) (7) / (8) (9) (10)", "7", 2, preset)

    assert bounces(make(start.state, Bounce(3))) == goes_on


@pytest.mark.rule("GNO-16")
def test_with_the_option_bouncing_goes_on_after_a_face_down_card() -> None:
    start = placed("5 3 (5) / (3) (6) (7) / (8) (9) (10)", "7", 2, "publisher")

    assert bounces(make(start.state, Bounce(3))) == (0, 1, 4, 5, 6, 7, 8)


@pytest.mark.rule("GNO-16")
def test_each_slot_is_replaced_once_so_bouncing_ends_after_nine() -> None:
    start = placed("(5) 5 5 / 5 5 5 / 5 5 5", "5", slot=0)
    moves = [Bounce(slot) for slot in range(1, 9)]
    after = make_all(start.state, *moves)

    assert GAME.legal_moves(after.state, 0) == (LEFT, RIGHT)
    assert refusal(after.state, Bounce(1)).reason == (
        "GNO-16: every card of your layout was replaced this turn, discard the last one"
    )
    ended = make(after.state, LEFT)
    assert ended.events()[0] == CardDiscarded(0, "5", Pile.LEFT)


@pytest.mark.rule("GNO-16")
@pytest.mark.parametrize("moves", [(LEFT,), (Bounce(3),)], ids=["discarded", "bounced onto a Hazard"])
def test_nothing_of_a_bounce_is_left_when_the_turn_is_over(moves: tuple[AnyMove, ...]) -> None:
    start = placed("5 2 (5) / (H) (6) (7) / (8) (9) (10)", "7", slot=2).state
    after = make_all(start, *moves).state

    assert (after.hand, after.source, after.used, after.may_bounce) == (None, None, 0, False)
    assert GAME.view(after, None).bounce_slots == ()


@pytest.mark.rule("GNO-16")
def test_the_next_turn_may_use_every_slot_again() -> None:
    own = "5 2 (5) / (4) (6) (7) / (8) (9) (10)"
    state = position(TWO_UP, own, TWO_UP, draw="3 3", hand="5", source=Source.PILE)
    after = make_all(state, Place(2), LEFT, Draw(Source.PILE), Place(2))

    assert after.state.used == 1 << 2
    assert GAME.legal_moves(after.state, 1)[:8] == tuple(Bounce(slot) for slot in (0, 1, 3, 4, 5, 6, 7, 8))


@pytest.mark.rule("GNO-17")
@pytest.mark.parametrize("card", ["-2", "M"])
def test_negative_cards_and_mulligans_never_bounce(card: str) -> None:
    after = placed(f"{card} 2 ({card}) / (4) (6) (7) / (8) (9) (10)", card, slot=2)

    assert GAME.legal_moves(after.state, 0) == (LEFT, RIGHT)
    assert code_and_rule(after.state, Bounce(0)) == ("illegal_move", "GNO-17")


@pytest.mark.rule("GNO-17", "GNO-11")
def test_a_hazard_never_bounces() -> None:
    after = placed("H 2 (H) / (4) (6) (7) / (8) (9) (10)", "H", slot=2)

    assert (after.state.phase, after.state.hazards_gone) == (Phase.HAZARD, 1)


@pytest.mark.rule("GNO-17")
@pytest.mark.parametrize(("own", "hand"), [("M 2 (5) / (4) (6) (7) / (8) (9) (10)", "3"), (TWO_UP, "M")])
def test_a_mulligan_matches_nothing(own: str, hand: str) -> None:
    assert bounces(placed(own, hand, slot=2)) == ()


@pytest.mark.rule("GNO-17")
@pytest.mark.parametrize("card", ["-2", "M"])
def test_a_bounce_onto_a_negative_card_or_a_mulligan_ends_the_bouncing(card: str) -> None:
    start = placed(f"5 {card} (5) / ({card}) (6) (7) / (8) (9) (10)", "7", slot=2)

    assert bounces(make(start.state, Bounce(3))) == ()
    assert bounces(make(start.state, Bounce(1))) == ()


@pytest.mark.rule("GNO-16", "GNO-11")
def test_a_bounce_onto_a_hazard_puts_it_out_of_play() -> None:
    start = placed("5 2 (5) / (H) (6) (7) / (8) (9) (10)", "7", slot=2)
    after = make(start.state, Bounce(3))

    assert layout(after.state, 0) == "5 2 7 / 5 (6) (7) / (8) (9) (10)"
    assert (after.state.phase, after.state.hazards_gone, after.state.hand) == (Phase.HAZARD, 1, None)


@pytest.mark.rule("GNO-16", "GNO-27")
def test_a_bounce_that_ends_a_round_begins_the_next() -> None:
    own, other = "5 2 (5) / (H) (6) (7) / (8) (9) (10)", "1 2 3 / 4 6 7 / 8 9 (10)"
    state = position(own, other, other, hand="7", source=Source.PILE, cut=Ending.PILE)
    after = make(make(state, Place(2)).state, Bounce(3), at=7000).state

    assert (after.number, after.round_began) == (2, 7000)
