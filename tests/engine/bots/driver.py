"""Plays matches of bots by the rules alone, in virtual time: each answers a race when it says that it does."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.bots import AnyBot, Sight, sight_of
from engine.bots.contract import AnyGame
from engine.core.game import Timer
from engine.core.outcome import Outcome
from engine.core.race import RaceMode
from engine.core.rng import Rng, Seed

THINK_MS = 400


class Answer(NamedTuple):
    """What a seat will answer to an occasion, and when."""

    due: int
    seat: int
    occasion: object
    move: Any


class BotMatch:
    """One match; `number` decides the deal and the bots' chance. A bot a seat."""

    def __init__(self, game: AnyGame, options: Any, bots: Sequence[AnyBot], number: int) -> None:
        self.game, self.options, self.bots = game, options, bots
        self._chance = Rng(Seed.from_number(number))
        self._streams = [Rng(Seed.from_number((number << 8) + seat + 1)) for seat in range(len(bots))]
        self._blind = Rng(Seed.from_number((number << 8) + 255))
        self.state, _ = game.setup(len(bots), options, 0, self._chance)
        self.now = 0
        self._answers: dict[int, Answer] = {}
        self.spent: defaultdict[int, list[float]] = defaultdict(list)
        self.decisions: list[tuple[int, Any]] = []

    def play_out(self) -> Outcome:
        """Play to the end. Raises AssertionError when a bot makes a move that isn't on offer, or nothing goes on."""
        most = self.game.longest(len(self.bots), self.options)
        for _ in range(2 * most):
            outcome = self.game.outcome(self.state)
            if outcome is not None:
                return outcome
            self.step()
        raise AssertionError(f"{self.game.key} goes on after {2 * most} steps")

    def step(self) -> None:
        """One move or one timer."""
        self._draw_answers()
        awaited = self.game.awaited(self.state)
        answer = min(self._answers.values(), default=None)
        timer = min(self.game.timers(self.state), key=lambda timer: timer.due, default=None)
        if awaited:
            self._decide(min(awaited), timer)
        elif timer is not None and (answer is None or timer.due <= answer.due):
            self._expire(timer)
        else:
            assert answer is not None, f"{self.state!r} waits for nothing"
            self.now = max(self.now, answer.due)
            self._make(answer.seat, answer.move)

    def sight(self, seat: int) -> Sight[Any, Any, Any]:
        """What this seat may know now."""
        return sight_of(self.game, self.state, seat, seats=len(self.bots), options=self.options, rng=self._blind)

    def _draw_answers(self) -> None:
        reacting = self.game.reacting(self.state)
        self._answers = {seat: at for seat, at in self._answers.items() if reacting.get(seat) == at.occasion}
        for seat, occasion in reacting.items():
            if seat not in self._answers:
                reaction = self.bots[seat].react(self.sight(seat), self._streams[seat])
                self._answers[seat] = Answer(self.now + reaction.after_ms, seat, occasion, reaction.move)

    def _decide(self, seat: int, timer: Timer | None) -> None:
        sight = self.sight(seat)
        begun = time.process_time()
        move = self.bots[seat].choose(sight, self._streams[seat])
        self.spent[seat].append(time.process_time() - begun)
        assert move in sight.moves, f"{move!r} isn't one of {sight.moves!r}"
        self.now += 0 if _is_by_reaction(self.options) else THINK_MS
        if timer is not None and timer.due <= self.now:
            self._expire(timer)
        else:
            self._make(seat, move)

    def _make(self, seat: int, move: Any) -> None:
        refusal = self.game.refuse(self.state, seat, move)
        assert refusal is None, f"{move!r} of seat {seat} was refused: {refusal!r}"
        self.decisions.append((seat, move))
        self.state, _ = self.game.play(self.state, seat, move, self.now, self._chance)
        self._answers.pop(seat, None)

    def _expire(self, timer: Timer) -> None:
        self.now = max(self.now, timer.due)
        self.state, _ = self.game.expire(self.state, timer.key, timer.due, self._chance)


def _is_by_reaction(options: Any) -> bool:
    race = getattr(options, "race", None)
    return race is not None and race.mode is RaceMode.REACTION
