"""Ratings: written by one worker a game at a time, in the order in which matches ended.

Each match has its place in that order, (`ended_at`, match), whenever it is noticed. One that is noticed late, or that
counts no more, is put in or taken out at its place, and what came after it and depends on it is rated again. So the
ratings are at any time those that `ratings_recompute` makes of all matches, to the last bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from matches.errors import ServiceError
from matches.locking import lock_ratings
from matches.models import COUNTS, Match, Rating, RatingChange, Status
from matches.skill import NEWCOMER, Skill, after_match

BATCH = 500
MOST_AGAIN = 20_000
"""So many changes may be rated again on the way; more is for the command `recompute_ratings`."""
LEFT = 1000
"""Behind every place that a game gives."""
CHANGED = ("place", "people", "mu_before", "sigma_before", "mu", "sigma")
UPDATE = """
UPDATE matches_ratingchange c SET place = n.place, people = n.people, mu_before = n.mu_before,
    sigma_before = n.sigma_before, mu = n.mu, sigma = n.sigma
FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::float8[], %s::float8[], %s::float8[], %s::float8[])
    AS n (id, place, people, mu_before, sigma_before, mu, sigma)
WHERE c.id = n.id
"""

Skills = dict[int, Skill]
"""By player."""


class TooMuchToRateAgain(Exception):
    """A match so long ago that all ratings of its game are to be recomputed."""


class Recomputed(NamedTuple):
    """What a recomputation of a game went through, and how many rows it had to put right."""

    game: str
    matches: int
    players: int
    corrected: int


def places_in(match: Match) -> dict[int, int]:
    """The places of those who are rated, by player; nobody's when fewer than two are.

    Who has left, or has a bot at their seat in the end, comes below all others; among them the rules' places decide.
    """
    if match.status != Status.FINISHED or not match.rated:
        return {}
    ranked = {
        seat.player.pk: (seat.place or 0) + (LEFT if seat.has_left or seat.bot_level is not None else 0)
        for seat in match.seats.all()
        if seat.player is not None and (match.rates_bots or not seat.player.is_bot)
    }
    if len(ranked) < 2:
        return {}
    return {player: 1 + sum(other < mine for other in ranked.values()) for player, mine in ranked.items()}


def match_rate(match: Match) -> None:
    """Rate a match at its place in the order, or take its rating back, as it counts now; once is as good as twice.

    Under `lock_ratings`; seats and their players are to be fetched. Raises TooMuchToRateAgain.
    """
    known = list(RatingChange.objects.filter(match=match))
    places = places_in(match)
    is_known = {change.player_id: change.place for change in known} == places
    if is_known and all(change.ended_at == match.ended_at for change in known):
        return
    if known:
        _take_out(match, known)
    if places:
        _put_in(match, places)


def _take_out(match: Match, known: list[RatingChange]) -> None:
    # Where it was: a match whose result was taken back has ended once more since.
    when, players = known[0].ended_at, [change.player_id for change in known]
    skills = {player: _skill_before(match, when, player) for player in players}
    RatingChange.objects.filter(match=match).delete()
    _rate_again(_later(match, when), skills)
    _write(match.game, skills, dict.fromkeys(players, -1))


def _put_in(match: Match, places: Mapping[int, int]) -> None:
    when = match.ended_at
    assert when is not None  # noqa: S101 - it is finished
    later, players = _later(match, when), sorted(places)
    is_last = not later.filter(player__in=players).exists()
    before = _skills_now(match.game, players) if is_last else {one: _skill_before(match, when, one) for one in players}
    changes, skills = _changes(match, before, places)
    RatingChange.objects.bulk_create(changes)
    if not is_last:
        _rate_again(later, skills)
    _write(match.game, skills, dict.fromkeys(players, 1))


def match_unrate(*, match_id: UUID) -> None:
    """Correct: a match that is over counts for no rating any more. What it gave is taken back within seconds."""
    done = Match.objects.filter(pk=match_id, status=Status.FINISHED).update(rated=False, tallied=False)
    if not done:
        raise ServiceError("match_not_over", "only a match that is finished has been rated")


def games_rated() -> list[str]:
    """The games of which there is anything to rate or to take back."""
    games = {*Match.objects.filter(COUNTS).values_list("game", flat=True).distinct()}
    return sorted(games | {*RatingChange.objects.values_list("game", flat=True).distinct()})


def ratings_recompute(*, game: str) -> Recomputed:
    """Make all ratings of a game out of its finished matches, and put right what differs from them.

    Readers see the former ratings until it is done; workers leave this game's matches for later meanwhile.
    """
    skills: Skills = {}
    played: Counter[int] = Counter()
    number = 0
    with transaction.atomic():
        lock_ratings(game=game, may_wait=True)
        stray = RatingChange.objects.filter(game=game).exclude(match__status=Status.FINISHED, match__rated=True)
        corrected = stray.delete()[0]
        for batch in _in_order(game):
            wanted: list[RatingChange] = []
            for match in batch:
                places = places_in(match)
                before = {player: skills.get(player, NEWCOMER) for player in places}
                changes, after = _changes(match, before, places)
                wanted += changes
                skills.update(after)
                played.update(places.keys())
                number += bool(places)
            corrected += _put_right(batch, wanted)
        corrected += _put_ratings_right(game, skills, played)
    return Recomputed(game, number, len(skills), corrected)


def _skills_now(game: str, players: Sequence[int]) -> Skills:
    stored = Rating.objects.filter(game=game, player__in=players).values_list("player", "mu", "sigma")
    return {**dict.fromkeys(players, NEWCOMER), **{player: Skill(mu, sigma) for player, mu, sigma in stored}}


def _skill_before(match: Match, when: datetime, player_id: int) -> Skill:
    earlier = Q(ended_at__lte=when) & (Q(ended_at__lt=when) | Q(match__lt=match.pk))
    changes = RatingChange.objects.filter(earlier, player=player_id, game=match.game)
    last = changes.order_by("-ended_at", "-match").values_list("mu", "sigma").first()
    return NEWCOMER if last is None else Skill(*last)


def _changes(match: Match, before: Mapping[int, Skill], places: Mapping[int, int]) -> tuple[list[RatingChange], Skills]:
    """What the match makes of these skills: the rows, and the skills of those who were rated."""
    if match.ended_at is None or not places:
        return [], {}
    after = after_match(before, places)
    rows = [
        RatingChange(
            match=match,
            player_id=player,
            game=match.game,
            ended_at=match.ended_at,
            place=place,
            people=len(places),
            mu_before=before[player].mu,
            sigma_before=before[player].sigma,
            mu=after[player].mu,
            sigma=after[player].sigma,
        )
        for player, place in sorted(places.items())
    ]
    return rows, after


def _later(match: Match, when: datetime) -> QuerySet[RatingChange]:
    """What came in its game after this match, which ended then."""
    after = Q(ended_at__gte=when) & (Q(ended_at__gt=when) | Q(match__gt=match.pk))
    return RatingChange.objects.filter(after, game=match.game)


def _rate_again(later: QuerySet[RatingChange], skills: Skills) -> None:
    """Rate again what depends on `skills`, which have changed before it; they grow by all that changes with them."""
    if later[: MOST_AGAIN + 1].count() > MOST_AGAIN:
        raise TooMuchToRateAgain(f"more than {MOST_AGAIN} changes came after it")
    again: list[RatingChange] = []
    for _, group in groupby(later.order_by("ended_at", "match", "player"), attrgetter("match_id")):
        rows = list(group)
        if not any(row.player_id in skills for row in rows):
            continue
        before = {row.player_id: skills.get(row.player_id, Skill(row.mu_before, row.sigma_before)) for row in rows}
        after = after_match(before, {row.player_id: row.place for row in rows})
        for row in rows:
            row.mu_before, row.sigma_before = before[row.player_id]
            row.mu, row.sigma = after[row.player_id]
        skills.update(after)
        again += rows
    _update(again)


def _write(game: str, skills: Skills, more: Mapping[int, int]) -> None:
    """Store what the ratings have become; `more` is how many matches were added, by player."""
    known = dict(Rating.objects.filter(game=game, player__in=list(skills)).values_list("player", "matches"))
    rows = [
        _rating(game, player, skill, known.get(player, 0) + more.get(player, 0))
        for player, skill in sorted(skills.items())
    ]
    _store([row for row in rows if row.matches])
    gone = [row.player_id for row in rows if not row.matches]
    if gone:
        Rating.objects.filter(game=game, player__in=gone).delete()


def _update(rows: list[RatingChange]) -> None:
    """Store these changes as they are now; one statement, however many there are."""
    columns = [[getattr(row, field) for row in rows] for field in ("pk", *CHANGED)]
    with connection.cursor() as cursor:
        cursor.execute(UPDATE, columns)


def _rating(game: str, player_id: int, skill: Skill, matches: int) -> Rating:
    return Rating(
        player_id=player_id, game=game, mu=skill.mu, sigma=skill.sigma, ordinal=skill.ordinal, matches=matches
    )


def _store(rows: list[Rating]) -> None:
    Rating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["player", "game"],
        update_fields=["mu", "sigma", "ordinal", "matches"],
        batch_size=BATCH,
    )


# Recomputing


def _in_order(game: str) -> Iterator[list[Match]]:
    """The matches of a game that count, in the order in which they ended, some at a time."""
    matches = Match.objects.filter(COUNTS, game=game).order_by("ended_at", "pk").prefetch_related("seats__player")
    batch = list(matches[:BATCH])
    while batch:
        yield batch
        last = batch[-1]
        behind = Q(ended_at__gte=last.ended_at) & (Q(ended_at__gt=last.ended_at) | Q(pk__gt=last.pk))
        batch = list(matches.filter(behind)[:BATCH])


def _put_right(batch: list[Match], wanted: list[RatingChange]) -> int:
    """Bring the changes of these matches to what they should be; gives how many weren't."""
    known = {(row.match_id, row.player_id): row for row in RatingChange.objects.filter(match__in=batch)}
    missing: list[RatingChange] = []
    wrong: list[RatingChange] = []
    for row in wanted:
        stored = known.pop((row.match_id, row.player_id), None)
        if stored is None:
            missing.append(row)
        elif any(getattr(stored, field) != getattr(row, field) for field in CHANGED):
            row.pk = stored.pk
            wrong.append(row)
    RatingChange.objects.bulk_create(missing)
    _update(wrong)
    RatingChange.objects.filter(pk__in=[row.pk for row in known.values()]).delete()
    return len(missing) + len(wrong) + len(known)


def _put_ratings_right(game: str, skills: Skills, played: Counter[int]) -> int:
    fields = ("player", "mu", "sigma", "ordinal", "matches")
    known = {player: rest for player, *rest in Rating.objects.filter(game=game).values_list(*fields)}
    rows = [_rating(game, player, skill, played[player]) for player, skill in skills.items()]
    wrong = [row for row in rows if known.pop(row.player_id, None) != [row.mu, row.sigma, row.ordinal, row.matches]]
    _store(wrong)
    Rating.objects.filter(game=game, player__in=list(known)).delete()
    return len(wrong) + len(known)
