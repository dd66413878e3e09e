"""`python -m bench.ratings`: which model of openskill orders and predicts simulated players best.

Players with a hidden skill play each other; a performance is skill and chance (Gumbel's), in steps for ties.
Printed for each model: Spearman's correlation of skill and `mu` at the end, the log loss of predicted pairs in the
second half, the mean `sigma`, and milliseconds a match.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

MODELS: tuple[Any, ...] = (
    PlackettLuce,
    BradleyTerryFull,
    BradleyTerryPart,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)
PLAYERS, MATCHES_EACH, RUNS = 60, 30, 8
SPREAD, STEP = 1.5, 1.5


class Found(NamedTuple):
    """What one run has shown of a model."""

    spearman: float
    loss: float
    sigma: float
    milliseconds: float


def run(model: Any, seats: int, seed: int, *, ties: bool) -> Found:
    """One population playing until everybody has played about `MATCHES_EACH` matches."""
    chance = random.Random(seed)
    skills = [chance.gauss(0, SPREAD) for _ in range(PLAYERS)]
    beliefs = [(model.mu, model.sigma)] * PLAYERS
    losses: list[float] = []
    spent, number = 0.0, PLAYERS * MATCHES_EACH // seats
    for match in range(number):
        players = chance.sample(range(PLAYERS), seats)
        shown = [skills[player] - math.log(-math.log(chance.random())) for player in players]
        if ties:
            shown = [float(round(value / STEP)) for value in shown]
        places = [1.0 + sum(other > mine for other in shown) for mine in shown]
        if match > number / 2:
            losses += _losses([beliefs[player] for player in players], places, model.beta)
        teams = [[model.rating(*beliefs[player])] for player in players]
        begun = time.perf_counter()
        rated = model.rate(teams, ranks=places)
        spent += time.perf_counter() - begun
        for player, (rating,) in zip(players, rated, strict=True):
            beliefs[player] = rating.mu, rating.sigma
    return Found(
        _spearman(skills, [mu for mu, _ in beliefs]),
        fmean(losses),
        fmean(sigma for _, sigma in beliefs),
        1000 * spent / number,
    )


def _losses(beliefs: Sequence[tuple[float, float]], places: Sequence[float], beta: float) -> list[float]:
    """How wrong the better of each pair that didn't tie was told beforehand."""
    found = []
    for one, (mu, sigma) in enumerate(beliefs):
        for two, (other_mu, other_sigma) in enumerate(beliefs[:one]):
            if places[one] != places[two]:
                scale = math.sqrt(sigma**2 + other_sigma**2 + 2 * beta**2)
                wins = 1 / (1 + math.exp((other_mu - mu) / scale))
                found.append(-math.log(wins if places[one] < places[two] else 1 - wins))
    return found


def _spearman(first: Sequence[float], second: Sequence[float]) -> float:
    ranks = [
        {one: rank for rank, one in enumerate(sorted(range(len(row)), key=row.__getitem__))} for row in (first, second)
    ]
    number = len(first)
    return 1 - 6 * sum((ranks[0][one] - ranks[1][one]) ** 2 for one in range(number)) / (number * (number**2 - 1))


def main() -> None:
    """Print the table."""
    print(f"{'seats':>5} {'ties':>5} {'model':24} {'spearman':>9} {'log loss':>9} {'sigma':>6} {'ms':>6}")
    for seats in (2, 3, 4, 6):
        for ties in (False, True):
            for model in MODELS:
                found = [run(model(), seats, seed, ties=ties) for seed in range(RUNS)]
                spearman, loss, sigma, spent = (fmean(column) for column in zip(*found, strict=True))
                shown = f"{spearman:9.3f} {loss:9.3f} {sigma:6.2f} {spent:6.3f}"
                print(f"{seats:5} {ties!s:>5} {model.__name__:24} {shown}")


if __name__ == "__main__":
    main()
