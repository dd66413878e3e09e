"""Who passes the gate of a match."""

from __future__ import annotations

from collections.abc import Collection

from matches.errors import ServiceError
from matches.gates import Gate, Standing
from matches.models import Rating, Reliability
from matches.skill import points


def standings_of(*, players: Collection[int], game: str) -> dict[int, Standing]:
    """What gates look at, by player."""
    reliable = dict(Reliability.objects.filter(player__in=players).values_list("player", "percent"))
    ratings = Rating.objects.filter(player__in=players, game=game).values_list("player", "ordinal", "matches")
    found = {player: Standing(reliability=reliable.get(player)) for player in players}
    for player, ordinal, matches in ratings:
        found[player] = Standing(points(ordinal), matches, reliable.get(player))
    return found


def must_pass(gate: Gate, *, player_id: int, game: str) -> None:
    """Raises ServiceError `gate_closed` for whom the gate doesn't let in."""
    if gate.is_open:
        return
    why = gate.refusal(standings_of(players=[player_id], game=game)[player_id])
    if why is not None:
        raise ServiceError("gate_closed", why)


def must_be_possible(gate: Gate) -> None:
    """Raises ServiceError `bad_options` for a gate that lets nobody in."""
    fault = gate.fault()
    if fault is not None:
        raise ServiceError("bad_options", fault)


def closed_between(gates: dict[int, Gate], *, game: str) -> set[tuple[int, int]]:
    """The pairs of these players of whom one has a gate that doesn't let the other in, both ways round."""
    if all(gate.is_open for gate in gates.values()):
        return set()
    standings = standings_of(players=gates, game=game)
    found = {
        (one, other)
        for one, gate in gates.items()
        for other in gates
        if one != other and gate.refusal(standings[other]) is not None
    }
    return found | {(other, one) for one, other in found}
