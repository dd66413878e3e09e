"""What a seat can't know could lie anywhere else without its noticing, and nothing else could."""

from __future__ import annotations

import pytest

from engine.core.rng import Rng, Seed
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import Decline, Discard, TurnUpOne
from engine.games.gnoming_a_round.state import HazardAnswer, HazardCall, Phase, Source, State, TakenAlong
from tests.engine.games.gnoming_a_round.sheet import DOWN, TWO_UP, all_cards, layout, make, position, words


def shuffles(state: State, viewer: int | None, count: int = 40) -> list[State]:
    """States that the viewer can't tell from this one."""
    found = [GAME.shuffle_hidden(state, viewer, Rng(Seed.from_number(number))) for number in range(count)]
    for other in found:
        assert GAME.view(other, viewer) == GAME.view(state, viewer)
        if viewer is not None:
            assert GAME.legal_moves(other, viewer) == GAME.legal_moves(state, viewer)
        assert all_cards(other) == all_cards(state)
    return found


@pytest.mark.rule("GNO-28", "ALL-2")
def test_face_down_cards_and_the_draw_pile_are_mixed_and_open_cards_stay() -> None:
    state = position("1 2 (3) / 4 5 6 / 7 8 9", "-1 -1 -1 / -1 (-2) -1 / -1 -1 -1", "", draw="10 10")
    found = shuffles(state, 0)

    assert {other.layouts[0][2] for other in found} == {3, -2, 10}
    assert {other.layouts[1][4] for other in found} == {3, -2, 10}
    assert {other.pile for other in found} > {(10, 3), (-2, 10)}
    assert all(layout(other, 0)[:4] == "1 2 " and words(other.left_pile) == "1" for other in found)


@pytest.mark.rule("GNO-28", "ALL-2")
@pytest.mark.parametrize(("viewer", "seen"), [(0, {5}), (1, {5, 10}), (None, {5, 10})])
def test_the_drawer_alone_knows_the_drawn_card(viewer: int | None, seen: set[int]) -> None:
    state = position("1 2 3 / 4 5 6 / 7 8 9", "1 2 3 / 4 5 6 / 7 8 9", "", draw="10", hand="5", source=Source.PILE)

    assert {other.hand for other in shuffles(state, viewer)} == seen


@pytest.mark.rule("GNO-28", "ALL-2")
@pytest.mark.parametrize("source", [Source.LEFT, None])
def test_a_card_taken_or_replaced_is_known_to_all(source: Source | None) -> None:
    phase = Phase.PLAY if source else Phase.REPLACED
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="-4", source=source, phase=phase)

    for viewer in (None, 0, 1):
        assert {other.hand for other in shuffles(state, viewer)} == {-4}


@pytest.mark.rule("GNO-28", "GNO-24", "ALL-2")
def test_after_the_reshuffle_everybody_knows_which_cards_the_draw_pile_has() -> None:
    state = position("(1) 2 3 / 4 5 6 / 7 8 (9)", "(-1) 1 1 / 2 2 3 / 4 5 6", "", draw="10 -4", reshuffled_in=3)
    found = shuffles(state, 0)

    assert {frozenset(other.pile) for other in found} == {frozenset((10, -4))}
    assert {other.pile for other in found} == {(10, -4), (-4, 10)}
    assert {other.layouts[1][0] for other in found} == {1, 9, -1}


@pytest.mark.rule("GNO-28", "GNO-24", "ALL-2")
@pytest.mark.parametrize(
    ("reshuffled_in", "cards"), [(5, {1, 9, 8}), (4, {8, 10})], ids=["drawn before it", "drawn after it"]
)
def test_a_drawn_card_is_one_of_the_pile_that_it_came_from(reshuffled_in: int, cards: set[int]) -> None:
    state = position(
        "(1) 2 3 / 4 5 6 / 7 8 (9)",
        "2 1 1 / 2 2 3 / 4 5 6",
        "",
        draw="10",
        hand="8",
        source=Source.PILE,
        turns=5,
        reshuffled_in=reshuffled_in,
    )

    assert {other.hand for other in shuffles(state, 1)} == cards


@pytest.mark.rule("GNO-29", "GNO-28", "ALL-2")
@pytest.mark.parametrize(("viewer", "known"), [(0, True), (1, False), (None, False)])
@pytest.mark.parametrize("fresh", [True, False])
def test_a_leaver_remembers_the_card_it_took_along(viewer: int | None, known: bool, fresh: bool) -> None:  # noqa: FBT001
    state = position(
        "",
        "(1) 2 3 / 4 5 6 / 7 8 (9)",
        "2 1 1 / 2 2 3 / 4 5 6",
        turn=1,
        draw="10",
        withdrawn_hidden=(7,),
        taken_along=(TakenAlong(0, 8, fresh),),
        reshuffled_in=3,
    )
    found = {other.taken_along[0].card for other in shuffles(state, viewer)}

    assert found == ({8} if known else {8, 10} if fresh else {8, 1, 9, 7})


@pytest.mark.rule("GNO-5", "ALL-2")
def test_choices_of_others_could_be_any_others() -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP, chosen=((0, 1), (2, 3), None))
    found = shuffles(state, 0)

    assert {other.chosen[0] for other in found} == {(0, 1)}
    assert {other.chosen[2] for other in found} == {None}
    others = {other.chosen[1] for other in found}
    assert len(others) > 10
    assert others <= {(first, second) for second in range(9) for first in range(second)}


@pytest.mark.rule("GNO-11", "ALL-2")
def test_answers_of_others_could_be_any_others() -> None:
    two_down = "1 2 3 / 4 6 7 / 8 (9) (10)"
    state = position(TWO_UP, two_down, two_down, two_down, hand="H", source=Source.PILE)
    state = make(state, Discard()).state
    state = make(state, TurnUpOne(7), seat=1).state
    state = make(state, Decline(), seat=2).state
    found = shuffles(state, 1)

    own = HazardAnswer(1, 7)
    assert {other.hazard for other in found} == {
        HazardCall(1, (1, 2, 3), (own, HazardAnswer(2, slot)), latest=1000) for slot in (None, 7, 8)
    }
