"""What everybody in has to agree on: pauses, going on, calling the match off."""

import pytest

from engine.core.clock import PerMove, Policy
from engine.core.errors import RefusalCode
from engine.core.referee import LAG
from engine.core.table import Cause, EndedAs, Ending, OfferKind
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import Bid, Call, Draw

TEN_SECONDS = PerMove(move_s=10)
DAY_S, HOUR_S = 86_400, 3_600
DAY, HOUR = DAY_S * 1000, HOUR_S * 1000


class Parley(Board):
    """A board at which offers are made."""

    def offer(self, seat: int, kind: OfferKind, at: int, *, open_s: int = DAY_S, pause_s: int | None = None) -> object:
        return self._take(
            self.referee.offer(
                self.table, seat, kind, received=BEGAN + at, now=BEGAN + at, open_s=open_s, pause_s=pause_s
            )
        )

    def answer(self, seat: int, at: int, *, agrees: bool = True, number: int | None = None) -> object:
        offer = self.table.offer
        named = number if number is not None else (offer.number if offer else 0)
        return self._take(
            self.referee.answer(self.table, seat, named, agrees=agrees, received=BEGAN + at, now=BEGAN + at)
        )

    def stops(self) -> list[str]:
        return list(self.table.stops)

    def replays(self) -> bool:
        return self.referee.replay(self.opening, self.log) == self.table


def paused(seats: int = 2) -> Parley:
    """A match that all have agreed to pause for an hour, 4 s after it began."""
    board = Parley(seats, TEN_SECONDS)
    board.offer(0, OfferKind.PAUSE, 3_000, pause_s=HOUR_S)
    for seat in range(1, seats):
        board.answer(seat, 4_000)
    return board


def test_a_pause_begins_when_the_last_one_agrees_and_ends_by_itself() -> None:
    board = Parley(3, TEN_SECONDS)
    assert board.offer(0, OfferKind.PAUSE, 1_000, pause_s=HOUR_S) is None
    assert board.answer(2, 2_000) is None
    assert board.stops() == []
    assert board.answer(1, 4_000) is None
    assert board.stops() == ["pause"]
    assert board.table.offer is None
    assert board.due() == 4_000 + HOUR
    assert board.settle(2 * HOUR)[:2] == [(Cause.START, 4_000 + HOUR), (Cause.FLAG, 10_000 + HOUR)]
    assert [cause for cause, _ in board.causes()][:5] == [
        Cause.OFFER,
        Cause.ANSWER,
        Cause.ANSWER,
        Cause.SCHEDULE,
        Cause.STOP,
    ]
    assert board.replays()


def test_until_everybody_has_agreed_the_match_goes_on() -> None:
    board = Parley(3, TEN_SECONDS)
    board.offer(0, OfferKind.PAUSE, 1_000, pause_s=HOUR_S)
    board.answer(1, 2_000)
    assert board.move(0, Draw(), 3_000) is None
    assert board.settle(13_000 + LAG) == [(Cause.FLAG, 13_000)]


def test_one_who_declines_ends_the_offer() -> None:
    board = Parley(3, TEN_SECONDS)
    board.offer(0, OfferKind.ABORT, 1_000)
    board.answer(1, 2_000)
    assert board.answer(2, 3_000, agrees=False) is None
    assert board.table.offer is None
    assert not board.table.is_over
    assert board.answer(1, 4_000, number=2) is RefusalCode.NO_OFFER
    assert board.replays()


def test_who_has_offered_may_take_it_back() -> None:
    board = Parley(2)
    board.offer(0, OfferKind.ABORT, 1_000)
    board.answer(0, 2_000, agrees=False)
    assert board.answer(1, 3_000, number=2) is RefusalCode.NO_OFFER


def test_silence_is_no_consent() -> None:
    board = Parley(2)
    board.offer(0, OfferKind.ABORT, 1_000, open_s=60)
    assert board.due() == 61_000
    assert board.answer(1, 61_000, number=1) is RefusalCode.NO_OFFER
    assert board.causes() == [(Cause.OFFER, 1_000), (Cause.LAPSE, 61_000)]
    assert board.replays()


def test_an_answer_in_the_last_millisecond_counts_though_it_waited() -> None:
    board = Parley(2)
    board.offer(0, OfferKind.ABORT, 1_000, open_s=60)
    step = board.referee.answer(board.table, 1, 1, agrees=True, received=BEGAN + 60_999, now=BEGAN + 61_200)
    assert step.table.ending == Ending(EndedAs.ABANDONED)


def test_all_agree_to_call_the_match_off() -> None:
    board = Parley(2, TEN_SECONDS)
    board.move(0, Draw(), 1_000)
    board.move(1, Draw(), 2_000)
    board.offer(1, OfferKind.ABORT, 3_000)
    board.answer(0, 4_000)
    assert board.table.ending == Ending(EndedAs.ABANDONED)
    assert (board.log[-1].cause, board.log[-1].key) == (Cause.ABANDON, "agreed")
    assert board.replays()


def test_a_pause_may_be_ended_early_by_agreement() -> None:
    board = paused()
    board.offer(1, OfferKind.RESUME, 100_000)
    board.answer(0, 200_000)
    assert board.stops() == []
    assert board.due() == 206_000
    assert board.settle(206_000 + LAG) == [(Cause.FLAG, 206_000)]
    assert board.table.windows == ()
    assert board.replays()


def test_an_offer_in_a_pause_lapses_all_the_same() -> None:
    board = paused()
    board.offer(1, OfferKind.RESUME, 100_000, open_s=60)
    assert board.settle(200_000) == [(Cause.LAPSE, 160_000)]


def test_a_pause_agreed_on_in_a_race_waits_for_its_end() -> None:
    board = Parley(2, TEN_SECONDS)
    board.offer(0, OfferKind.PAUSE, 500, pause_s=HOUR_S)
    board.move(0, Call(), 1_000)
    board.answer(1, 1_500)
    assert board.stops() == []
    assert board.move(1, Bid(1), 1_900) is None
    assert board.settle(2_000 + LAG) == [(Cause.TIMER, 2_000), (Cause.STOP, 2_000)]
    assert board.due() == 1_500 + HOUR
    assert board.replays()


def test_whoever_leaves_takes_the_offer_with_him() -> None:
    board = Parley(3)
    board.offer(0, OfferKind.ABORT, 1_000)
    board.leave(2, at=2_000)
    assert board.table.offer is None
    assert board.offer(2, OfferKind.ABORT, 3_000) is RefusalCode.SEAT_LEFT
    board.offer(0, OfferKind.ABORT, 4_000)
    assert board.answer(2, 5_000) is RefusalCode.SEAT_LEFT
    board.answer(1, 6_000)
    assert board.table.ending == Ending(EndedAs.ABANDONED)
    assert board.replays()


def test_a_consent_sent_again_changes_nothing() -> None:
    board = Parley(3)
    board.offer(0, OfferKind.ABORT, 1_000)
    before = board.table
    assert board.answer(0, 2_000) is None
    assert board.table == before


@pytest.mark.parametrize(
    ("kind", "pause_s", "open_s", "code"),
    [
        (OfferKind.RESUME, None, 60, RefusalCode.OFFER_IMPOSSIBLE),
        (OfferKind.PAUSE, None, 60, RefusalCode.OFFER_IMPOSSIBLE),
        (OfferKind.PAUSE, 59, 60, RefusalCode.OFFER_IMPOSSIBLE),
        (OfferKind.PAUSE, 14 * DAY_S + 1, 60, RefusalCode.OFFER_IMPOSSIBLE),
        (OfferKind.ABORT, 60, 60, RefusalCode.OFFER_IMPOSSIBLE),
        (OfferKind.ABORT, None, 0, RefusalCode.OFFER_IMPOSSIBLE),
        (OfferKind.ABORT, None, 3 * DAY_S + 1, RefusalCode.OFFER_IMPOSSIBLE),
    ],
)
def test_an_offer_that_makes_no_sense_is_refused(
    kind: OfferKind, pause_s: int | None, open_s: int, code: RefusalCode
) -> None:
    board = Parley(2)
    before = board.table
    assert board.offer(0, kind, 1_000, open_s=open_s, pause_s=pause_s) is code
    assert board.table == before


def test_a_second_offer_or_a_second_pause_is_refused() -> None:
    board = paused()
    assert board.offer(0, OfferKind.PAUSE, 5_000, pause_s=60) is RefusalCode.OFFER_IMPOSSIBLE
    board.offer(0, OfferKind.RESUME, 6_000)
    before = board.table
    assert board.offer(1, OfferKind.ABORT, 7_000) is RefusalCode.OFFER_OPEN
    assert board.table == before


def test_the_end_of_a_match_is_the_end_of_what_was_offered() -> None:
    board = Parley(2, TEN_SECONDS, Policy(strikes=1))
    board.offer(0, OfferKind.ABORT, 1_000)
    board.settle(40_000)
    assert board.table.is_over
    assert board.table.offer is None
    assert board.answer(1, 50_000, number=2) is RefusalCode.MATCH_OVER
