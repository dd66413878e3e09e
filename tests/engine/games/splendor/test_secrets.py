"""What is hidden, and from whom."""

from __future__ import annotations

import msgspec
import pytest

from engine.games.splendor import GAME
from engine.games.splendor.catalogue import CARDS
from engine.games.splendor.moves import Buy, SplendorMove
from engine.games.splendor.state import State
from engine.games.splendor.view import ReservedView
from tests.engine.games.splendor.builders import census, hand, names, play, refused, rng, table


def secretive() -> State:
    """Seat 0 has an open reservation and a secret one, seat 1 two secret ones."""
    return table(
        hand((1, 1, 1, 1, 1, 0), reserved=("L1-white-02",), secret=("L2-green-06",)),
        hand(secret=("L2-white-03", "L1-black-05")),
        hand(),
        nobles=("noble-03",),
    )


@pytest.mark.rule("SPL-18")
def test_a_card_reserved_unseen_is_shown_to_its_owner_and_its_level_to_all() -> None:
    state = secretive()
    own = (
        ReservedView(level=1, is_secret=False, card="L1-white-02"),
        ReservedView(level=2, is_secret=True, card="L2-green-06"),
    )
    others = (
        ReservedView(level=1, is_secret=False, card="L1-white-02"),
        ReservedView(level=2, is_secret=True, card=None),
    )
    assert GAME.view(state, 0).seats[0].reserved == own
    assert GAME.view(state, 1).seats[0].reserved == others
    assert GAME.view(state, None).seats[0].reserved == others


@pytest.mark.rule("SPL-18")
@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_no_view_names_what_it_must_not(viewer: int | None) -> None:
    state = secretive()
    text = msgspec.json.encode(GAME.view(state, viewer)).decode()
    hidden = {"L2-white-03", "L1-black-05"} | {CARDS[card].name for deck in state.board.decks for card in deck}
    if viewer != 0:
        hidden.add("L2-green-06")
    assert not [name for name in hidden if f'"{name}"' in text]


@pytest.mark.rule("SPL-18")
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_viewer_cannot_tell_one_lie_of_the_hidden_cards_from_another(viewer: int | None) -> None:
    state = secretive()
    moves: list[SplendorMove] = [Buy(name) for name in sorted(GAME.card_names)]
    for number in range(20):
        other = GAME.shuffle_hidden(state, viewer, rng(number))
        assert census(other) == census(state)
        assert GAME.view(other, viewer) == GAME.view(state, viewer)
        if viewer is not None:
            assert GAME.legal_moves(other, viewer) == GAME.legal_moves(state, viewer)
            assert [GAME.refuse(other, viewer, move) for move in moves] == [
                GAME.refuse(state, viewer, move) for move in moves
            ]


@pytest.mark.rule("SPL-18")
def test_what_is_hidden_may_lie_anywhere_in_its_level_and_what_is_known_stays() -> None:
    state = secretive()
    shuffled = [GAME.shuffle_hidden(state, 1, rng(number)) for number in range(60)]
    secret = {names((one.hands[0].reserved[1].card,))[0] for one in shuffled}
    assert len(secret) > 10
    assert {name[:2] for name in secret} == {"L2"}
    assert all(one.hands[1] == state.hands[1] for one in shuffled)
    assert all(one.hands[0].reserved[0] == state.hands[0].reserved[0] for one in shuffled)
    assert all(one.board.grid == state.board.grid for one in shuffled)
    for level in range(3):
        assert len({one.board.decks[level][-1] for one in shuffled}) > 5


@pytest.mark.rule("SPL-18")
def test_a_shuffle_does_not_depend_on_how_the_hidden_cards_lay() -> None:
    state = secretive()
    other = GAME.shuffle_hidden(state, 2, rng(5))
    assert other != state
    assert GAME.shuffle_hidden(other, 2, rng(9)) == GAME.shuffle_hidden(state, 2, rng(9))


@pytest.mark.rule("SPL-18")
def test_buying_a_secret_card_shows_it_to_all() -> None:
    state = table(hand((0, 0, 6, 0, 0, 0), secret=("L2-green-06",)), hand(), hand(), hand())
    state, _ = play(state, Buy("L2-green-06"))
    assert GAME.view(state, 1).seats[0].bought == ("L2-green-06",)
    assert GAME.view(state, 1).seats[0].reserved == ()


@pytest.mark.rule("SPL-18")
def test_the_secret_card_of_a_seat_that_left_stays_hidden() -> None:
    state, _ = GAME.leave(secretive(), (1,), 0, rng())
    view = GAME.view(state, 0)
    assert view.box.secret_cards == (1, 1, 0)
    assert view.box.cards == ()
    assert "L2-white-03" not in msgspec.json.encode(view).decode()
    cards = {GAME.shuffle_hidden(state, 0, rng(number)).box.secret_cards[0] for number in range(40)}
    assert len(cards) > 5
    assert refused(state, Buy("L2-white-03"))[1] == "SPL-9"


@pytest.mark.rule("SPL-18")
def test_the_order_of_the_box_tells_nothing_of_how_nobles_were_shuffled() -> None:
    state, _ = GAME.setup(2, GAME.options(), 0, rng(3))
    out = GAME.view(state, None).box.nobles
    assert len(out) == 7
    assert list(out) == sorted(out)
