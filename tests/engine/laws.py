"""The laws that hold for every game at every moment; each raises AssertionError with what is wrong.

The tests in tests/engine/conformance try them on every game, the soak on as many matches as one has time for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from random import Random
from typing import Any

import msgspec

from engine.core.codec import codec_for, encode
from engine.core.errors import Refusal, RefusalCode
from engine.core.outcome import Outcome, Standing
from engine.core.race import LOOK_TIMER
from engine.core.rng import Rng, Seed
from engine.core.table import Cause
from engine.core.viewing import view_table
from tests.engine.any_moves import any_move
from tests.engine.driver import AnyEntry, AnyGame, AnyTable, Moment, Playing, settled

SHUFFLES = 50
NEW_DEALS = {"RoundBegan"}
"""Events after which the table of before is gone."""
OPEN_ZONES = {"left_out"}
"""Zones whose cards everybody knows from the options."""


def viewers(table: AnyTable) -> list[int | None]:
    """Every seat, and a spectator."""
    return [None, *range(len(table.seats))]


def something_is_awaited(game: AnyGame, table: AnyTable) -> None:
    """Law 1: a running match waits for a seat or for a timer; otherwise it would stand for ever."""
    if not table.is_over:
        assert game.awaited(table.state) or game.timers(table.state), "nobody is awaited and no timer runs"


def awaited_seats_can_move(game: AnyGame, table: AnyTable) -> None:
    """Law 2: awaited seats have a legal move and a legal default; whoever isn't asked has none; nobody twice."""
    if table.is_over:
        return
    state = table.state
    awaited, reacting = game.awaited(state), game.reacting(state)
    assert not awaited.keys() & reacting.keys(), f"awaited and reacting at once: {awaited} {reacting}"
    for seat in range(len(table.seats)):
        moves = game.legal_moves(state, seat)
        asked = seat in awaited or seat in reacting
        assert bool(moves) == asked, f"seat {seat} is {'' if asked else 'not '}asked and has {len(moves)} legal moves"
        assert not (asked and table.seats[seat].has_left), f"seat {seat} has left and is asked"
        if seat in awaited:
            default = game.default_move(state, seat)
            assert game.refuse(state, seat, default) is None, f"the default {default!r} of seat {seat} is refused"


def an_ended_match_is_over(game: AnyGame, table: AnyTable, random: Random) -> None:
    """Law 3: an ended state offers nothing, refuses everything, and nothing changes it."""
    state = table.state
    if game.outcome(state) is None:
        return
    assert not game.awaited(state)
    assert not game.reacting(state)
    assert not game.timers(state)
    assert not game.is_sealed(state), "nothing may stay sealed once the match is over"
    for seat in range(len(table.seats)):
        assert not game.legal_moves(state, seat)
        for _ in range(10):
            a_refusal_says_why(game, game.refuse(state, seat, any_move(game, random)))
        assert game.leave(state, (seat,), table.at, Rng(Seed.from_number(0))) == (state, ()), "leaving changes the end"


def listed_moves_are_legal(game: AnyGame, table: AnyTable, random: Random) -> None:
    """Law 4, first half: what is listed is accepted, once, and can be played; law 5: no input is changed."""
    state, at = table.state, table.match_time(table.at)
    for seat in range(len(table.seats)):
        moves = game.legal_moves(state, seat)
        assert len(set(moves)) == len(moves), f"seat {seat} is offered a move twice: {moves!r}"
        for move in random.sample(list(moves), min(3, len(moves))):
            assert game.refuse(state, seat, move) is None, f"listed and refused: {move!r} of seat {seat}"
            before = encode(state)
            game.play(state, seat, move, at, Rng(Seed.from_number(0), table.drawn))
            assert encode(state) == before, f"{move!r} changed the state it was played on"


def other_moves_are_refused_with_a_reason(
    game: AnyGame, table: AnyTable, random: Random, pool: Iterable[Any] = (), tries: int = 10
) -> None:
    """Law 4, second half: any other well-typed move is refused with a reason, or is legal though not listed."""
    state, at = table.state, table.match_time(table.at)
    known = list(pool)
    for seat in range(len(table.seats)):
        listed = set(game.legal_moves(state, seat))
        for move in [*(any_move(game, random) for _ in range(tries)), *random.sample(known, min(tries, len(known)))]:
            refusal = game.refuse(state, seat, move)
            if refusal is not None:
                assert move not in listed
                a_refusal_says_why(game, refusal)
            else:
                assert listed, f"seat {seat} is asked nothing, but {move!r} isn't refused"
                game.play(state, seat, move, at, Rng(Seed.from_number(0), table.drawn))


def a_refusal_says_why(game: AnyGame, refusal: Refusal | None) -> None:
    """A refusal names a rule where it is against one, and gives a sentence."""
    assert refusal is not None, "not refused"
    assert refusal.code in {RefusalCode.ILLEGAL_MOVE, RefusalCode.NOT_YOUR_TURN}, refusal
    assert len(refusal.reason) > 5, refusal
    assert "None" not in refusal.reason, refusal
    if refusal.code is RefusalCode.ILLEGAL_MOVE:
        assert refusal.rule, f"{game.key} refuses without a rule: {refusal}"
        assert refusal.reason.startswith(f"{refusal.rule}: "), refusal


def everything_survives_json(game: AnyGame, moment: Moment) -> None:
    """Law 6: tables and entries read back as they were written, and every view can be written."""
    codec = codec_for(game)
    assert codec.table(encode(moment.after)) == moment.after
    assert codec.entry(encode(moment.entry)) == moment.entry
    for viewer in viewers(moment.after):
        view = game.view(moment.after.state, viewer)
        assert msgspec.json.decode(encode(view), type=game.view_type) == view


def the_log_leads_to_the_table(playing: Playing) -> None:
    """Law 7: the same seed and log give the same match."""
    assert playing.referee.replay(playing.opening, playing.log) == playing.table


def counted(game: AnyGame, state: Any) -> Counter[Any]:
    """How often each card is there, in all zones together."""
    return Counter(chain.from_iterable(game.census(state).values()))


def nothing_is_lost(game: AnyGame, moment: Moment) -> None:
    """Law 8: the cards are the same before and after (ALL-1)."""
    before, after = counted(game, moment.before.state), counted(game, moment.after.state)
    assert before == after, f"lost {before - after}, won {after - before}"


def hidden_things_do_not_show(
    game: AnyGame, table: AnyTable, viewer: int | None, random: Random, shuffles: int = 3
) -> None:
    """Law 9 (a): what a viewer is shown is the same, however what it can't know lies (ALL-2)."""
    shown = everything_shown(game, table, viewer, moves := [any_move(game, random) for _ in range(3)])
    if table.plans:
        without = msgspec.structs.replace(table, plans=())
        assert view_table(game, without, viewer) == shown["table view"], f"viewer {viewer} is shown what bots plan"
    cards = counted(game, table.state)
    for _ in range(shuffles):
        other = imagined(game, table, viewer, random)
        assert counted(game, other.state) == cards, "shuffle_hidden loses cards"
        for what, value in everything_shown(game, other, viewer, moves).items():
            assert value == shown[what], (
                f"{what} tells viewer {viewer} what it can't know:\n  {shown[what]!r}\n  {value!r}"
            )


def shuffled(game: AnyGame, state: Any, viewer: int | None, random: Random) -> Any:
    """Another state that this viewer can't tell from this one."""
    return game.shuffle_hidden(state, viewer, Rng(Seed.from_number(random.getrandbits(64))))


def everything_shown(game: AnyGame, table: AnyTable, viewer: int | None, moves: list[Any]) -> dict[str, Any]:
    """All that reaches a viewer of a table, and what it would hear of these moves."""
    state = table.state
    seen = view_table(game, table, viewer)
    shown: dict[str, Any] = {
        "view": seen.state,
        "standing": seen.standing,
        "table view": seen,
        "timers": game.known_timers(state, viewer),
        "outcome": game.outcome(state),
    }
    if viewer is not None:
        legal = game.legal_moves(state, viewer)
        shown["legal moves"] = tuple(legal)
        shown["refusals"] = [game.refuse(state, viewer, move) for move in moves]
        awaited, reacting = game.awaited(state).get(viewer), game.reacting(state).get(viewer)
        shown["occasion"] = (awaited, reacting)
        if awaited is not None:
            shown["default move"] = game.default_move(state, viewer)
    return shown


def cards_named(game: AnyGame, value: Any) -> set[str]:
    """Every card that is named anywhere in a value."""
    return set(_texts(msgspec.to_builtins(value))) & game.card_names


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def events_name_only_what_is_seen(game: AnyGame, moment: Moment) -> None:
    """Law 9 (b): an event names to a viewer only cards that its view shows before or after the entry."""
    if deals_anew(moment):
        return
    for viewer in viewers(moment.after):
        named = cards_told(game, moment, viewer)
        if named:
            seen = cards_named(game, game.view(moment.after.state, viewer))
            if not named <= seen:
                seen |= cards_named(game, game.view(moment.before.state, viewer))
            assert named <= seen, f"viewer {viewer} is told of {named - seen}, which it never sees: {moment.entry!r}"


def cards_told(game: AnyGame, moment: Moment, viewer: int | None) -> set[str]:
    """The cards that this entry names to a viewer."""
    events = [told.event for told in moment.entry.events if told.reaches(viewer)]
    return set().union(*(cards_named(game, event) for event in events))


def imagined(game: AnyGame, table: AnyTable, viewer: int | None, random: Random) -> AnyTable:
    """The table as it might be for all that this viewer knows."""
    return msgspec.structs.replace(table, state=shuffled(game, table.state, viewer, random))


def deals_anew(moment: Moment) -> bool:
    """Whether a new round began in this entry, so that no view shows any more what the last one ended with."""
    return any(type(told.event).__name__ in NEW_DEALS for told in moment.entry.events)


def zone_kind(zone: str) -> str:
    """A zone without the number of its seat or level: `hand 3` is a `hand`."""
    return zone.rstrip("0123456789").rstrip(" :_")


def hidden_zones(
    game: AnyGame, table: AnyTable, viewer: int | None, remembered: set[str], random: Random
) -> tuple[set[str], set[str]]:
    """Law 9 (c): kinds of zones with cards that this viewer never saw, and those of which they lie differently.

    Over fifty shuffles a card that was never seen takes another place, if only it isn't the last one of its kind.
    """
    census = game.census(table.state)
    others = [game.census(shuffled(game, table.state, viewer, random)) for _ in range(SHUFFLES)]
    hidden, moving = set(), set()
    for zone, cards in census.items():
        if zone in OPEN_ZONES:
            continue
        unseen = {place: card for place, card in enumerate(cards) if card in game.card_names - remembered}
        moved = {place for place in unseen if any(other[zone][place] != unseen[place] for other in others)}
        if unseen:
            hidden.add(zone_kind(zone))
        if moved:
            moving.add(zone_kind(zone))
        stuck = {unseen[place] for place in unseen.keys() - moved}
        assert len(stuck) < 2, f"in zone {zone} {stuck} always lie in the same places for viewer {viewer}"
    return hidden, moving


def a_timer_that_is_gone_changes_nothing(game: AnyGame, table: AnyTable, keys: Iterable[str]) -> None:
    """Law 11: expiring what isn't due any more leaves the state alone."""
    running = {timer.key for timer in game.timers(table.state)}
    for key in {*keys, "nonsense", "look:99", ""} - running:
        after = game.expire(table.state, key, table.match_time(table.at), Rng(Seed.from_number(0), table.drawn))
        assert after == (table.state, ()), f"the timer {key!r} is gone, and changes something all the same"


def places_are_places(game: AnyGame, table: AnyTable) -> None:
    """Law 12: one place and one score a seat, shared places leave the next ones out, the reason is a known one."""
    found: list[Standing | Outcome] = [game.standing(table.state)]
    outcome = game.outcome(table.state)
    if outcome is not None:
        assert outcome.reason in game.reasons, outcome
        found.append(outcome)
    for ranking in found:
        assert len(ranking.places) == len(ranking.scores) == len(table.seats), ranking
        for place in ranking.places:
            assert place == 1 + sum(other < place for other in ranking.places), ranking


def settling_twice_is_settling_once(playing: Playing) -> None:
    """Law 13, first half: settling in between changes nothing."""
    table, referee = playing.table, playing.referee
    due = referee.due(table)
    if due is None:
        return
    late = due + playing.random.randrange(60_000)
    early = playing.random.randrange(min(table.at, due), late + 1)
    assert settled(referee, settled(referee, table, early), late) == settled(referee, table, late)


def a_repeat_changes_nothing(playing: Playing) -> None:
    """Law 15: a move that is sent again is refused, and nothing changes."""
    taken = [request for request in playing.requests[-6:] if request.step.refusal is None]
    for request in taken:
        table = settled(playing.referee, playing.table, playing.now)
        step = playing.referee.submit(
            table,
            seat=request.seat,
            serial=request.serial,
            move=request.move,
            received=playing.now,
            now=playing.now,
            by_bot=request.by_bot,
        )
        assert step.refusal is not None, f"{request.move!r} of seat {request.seat} was taken twice"
        assert step.table == settled(playing.referee, step.table, playing.now)
        assert not [entry for entry in step.entries if entry.seat == request.seat and entry.serial == request.serial]


def owner_of(entry: AnyEntry) -> int | None:
    """Whose look or answer this entry is; offers, stops and limits concern everybody and are seen at once."""
    match entry.cause:
        case Cause.MOVE | Cause.FLAG | Cause.TAKE_OVER | Cause.RETURN:
            return entry.seat
        case Cause.TIMER if entry.key is not None and entry.key.startswith(LOOK_TIMER):
            return int(entry.key.removeprefix(LOOK_TIMER))
        case _:
            return None


def sealed_answers_move_nothing(game: AnyGame, moment: Moment, watching: Iterable[int | None] | None = None) -> None:
    """Law 16: while answers lie sealed, what everybody else sees (or who is `watching`) stays as it was (RACE-2)."""
    before, entry, after = moment.before, moment.entry, moment.after
    owner = owner_of(entry)
    if after.sealed is None or entry.number < after.sealed.number or owner is None:
        return
    assert after.horizon == (before.horizon if before.sealed else before.number)
    for viewer in viewers(after) if watching is None else watching:
        if viewer != owner:
            assert view_table(game, before, viewer) == view_table(game, after, viewer), f"viewer {viewer} notices"


def occasions_never_come_again(seen: dict[int, list[Any]], game: AnyGame, table: AnyTable) -> None:
    """Law 17: what a seat was asked for before it was asked for something else never comes again."""
    if table.is_over:
        return
    for seat, occasion in game.awaited(table.state).items():
        known = seen.setdefault(seat, [])
        if not known or known[-1] != occasion:
            assert occasion not in known, f"seat {seat} is asked for {occasion!r} again"
            known.append(occasion)
