"""Matches that are over, as rows alone: nobody has played them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from matches.models import Match, Player, Rating, RatingChange, Seat, Status
from matches.services import tallies

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def ended(
    players: Sequence[Player | None],
    places: Sequence[int],
    *,
    minute: int = 1,
    game: str = "heap",
    left: Sequence[int] = (),
    bots: Sequence[int] = (),
    **fields: Any,
) -> Match:
    """A match that was over so many minutes after `BEGUN`; `left` and `bots` are seats that left or that bots play."""
    people = [player for player in players if player is not None]
    given = {
        "status": Status.FINISHED,
        "outcome": {"reason": "empty", "places": list(places), "scores": [0] * len(places)},
        "visibility": "public",
        "started_at": BEGUN,
        "ended_at": BEGUN + timedelta(minutes=minute),
        **fields,
    }
    if given["status"] != Status.FINISHED:
        given["outcome"] = None
    match = Match.objects.create(
        game=game,
        ruleset=1,
        preset="standard",
        options={},
        seat_count=len(players),
        host=people[0],
        control={"type": "none"},
        policy={},
        secret=b"",
        commitment="",
        **given,
    )
    Seat.objects.bulk_create(
        Seat(
            match=match,
            number=number,
            player=player,
            place=place,
            has_left=number in left,
            bot_level="easy" if player is None or number in bots else None,
        )
        for number, (player, place) in enumerate(zip(players, places, strict=True))
    )
    return match


def any_ended(chance: Random, players: Sequence[Player], number: int, games: Sequence[str]) -> list[Match]:
    """So many matches of these games and people: every seat count, ties, leavers, bots; many ended in one minute."""
    matches = []
    for _ in range(number):
        seats = chance.randint(2, 6)
        around: list[Player | None] = list(chance.sample(players, seats))
        if chance.random() < 0.1:
            around[-1] = None
        results = [chance.randint(1, seats) for _ in around]
        match = ended(
            around,
            [1 + sum(other < mine for other in results) for mine in results],
            minute=chance.randint(1, number // 3),
            game=chance.choice(games),
            left=[seat for seat in range(seats) if chance.random() < 0.1],
            bots=[seat for seat in range(seats) if chance.random() < 0.05],
            status=chance.choices([Status.FINISHED, Status.ABANDONED, Status.VOID], [90, 5, 5])[0],
            rated=chance.random() < 0.9,
        )
        matches.append(match)
    return matches


def tally(*matches: Match) -> None:
    """Draw what follows from these matches, in this order."""
    for match in matches:
        assert tallies.match_tally(match_id=match.pk, game=match.game)


def ratings(game: str | None = None) -> list[tuple[Any, ...]]:
    """All ratings, every bit of them."""
    rows = Rating.objects.all() if game is None else Rating.objects.filter(game=game)
    return list(rows.order_by("game", "player").values_list("game", "player", "mu", "sigma", "ordinal", "matches"))


def changes() -> list[tuple[Any, ...]]:
    """The whole history, every bit of it."""
    fields = ("match", "player", "game", "ended_at", "place", "people", "mu_before", "sigma_before", "mu", "sigma")
    return list(RatingChange.objects.order_by("ended_at", "match", "player").values_list(*fields))


def skill(player: Player, game: str = "heap") -> tuple[float, float]:
    """Mu and sigma as they are stored."""
    rating = Rating.objects.get(player=player, game=game)
    return rating.mu, rating.sigma
