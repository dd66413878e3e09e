"""The index card (SNP-24)."""

from __future__ import annotations

import pytest

from engine.core.errors import BadOptions
from engine.core.game import Timer
from engine.games.snap import GAME
from engine.games.snap.moves import Call, Claim, Pass
from tests.engine.games.snap.sheet import Sheet, position

MATCH = ("QS 2C | 7D", "3H 6S | QH", "8C 9S | 9C")


@pytest.mark.rule("SNP-24")
def test_a_hand_is_the_only_claim() -> None:
    sheet = Sheet(position(*MATCH, index_card=True)).turn()
    assert GAME.legal_moves(sheet.state, 1) == (Call(Claim.HAND), Pass())
    for claim in (Claim.SNAP, Claim.SNAP_POT):
        refusal = sheet.refusal(1, Call(claim))
        assert refusal is not None
        assert (refusal.rule, refusal.reason) == ("SNP-24", f"SNP-24: what may be called here is hand, not {claim}")


@pytest.mark.rule("SNP-24")
def test_without_the_card_there_is_no_hand() -> None:
    refusal = Sheet(position(*MATCH)).turn().refusal(1, Call(Claim.HAND))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("SNP-24", "SNP-24: what may be called here is snap or snap_pot, not hand")


@pytest.mark.rule("SNP-24", "SNP-7")
def test_the_first_hand_takes_the_cards() -> None:
    sheet = Sheet(position(*MATCH, index_card=True)).turn().call(2, 100, "hand").call(1, 101, "hand").close()
    assert (sheet.piles, sheet.pot) == (["2C |", "3H 6S |", "8C 9S QH 7D QS | 9C"], "")


@pytest.mark.rule("SNP-24")
def test_exactly_equal_times_are_drawn() -> None:
    winners = set()
    for seed in range(20):
        sheet = Sheet(position(*MATCH, index_card=True), seed).turn().call(2, 100, "hand").call(1, 100, "hand").close()
        assert sheet.state.last is not None
        assert sheet.pot == ""
        winners.add(sheet.state.last.best)
        loser = {1: 2, 2: 1}[sheet.state.last.best[0]]
        assert sheet.piles[loser] == {1: "3H 6S |", 2: "8C 9S | 9C"}[loser]
    assert winners == {(1,), (2,)}


@pytest.mark.rule("SNP-24")
def test_nothing_is_drawn_without_a_tie() -> None:
    sheet = Sheet(position(*MATCH, index_card=True)).turn().call(2, 100, "hand").close()
    assert sheet.rng.drawn == 0


@pytest.mark.rule("SNP-24", "SNP-17", "SNP-18", "SNP-19")
@pytest.mark.parametrize(
    ("caller", "piles"),
    [
        (2, ["2C 8C | 7D QS", " | 4H 5H", "9S | 9C"]),
        (0, ["| 7D QS", " | 4H 5H", "8C 9S 2C | 9C"]),
        (1, ["2C 4H | 7D QS", " | 5H", "8C 9S | 9C"]),
    ],
)
def test_a_wrong_hand_pays_like_a_wrong_call(caller: int, piles: list[str]) -> None:
    sheet = Sheet(position("QS 2C | 7D", " | 4H 5H", "8C 9S | 9C", index_card=True)).turn().call(caller, 100, "hand")
    sheet.skip(*({0, 1, 2} - {caller}))
    assert sheet.piles == [pile.strip() for pile in piles]


@pytest.mark.rule("SNP-24", "SNP-20", "RACE-1")
def test_the_first_hand_closes_the_race_for_any_later_one() -> None:
    sheet = Sheet(position(*MATCH, index_card=True)).turn().call(1, 100, "hand")
    assert GAME.timers(sheet.state) == (Timer("race", 101, (0, 2)),)


@pytest.mark.rule("SNP-24")
def test_a_tie_window_with_the_index_card_is_no_option() -> None:
    options = GAME.options({"index_card": True, "race": {"tie_ms": 40}})
    with pytest.raises(BadOptions, match=r"index_card knows no ties: race\.tie_ms is 0 or left out, not 40"):
        GAME.check(3, options)
    GAME.check(3, GAME.options({"index_card": True, "race": {"tie_ms": 0}}))
    GAME.check(3, GAME.options({"race": {"tie_ms": 40}}))
