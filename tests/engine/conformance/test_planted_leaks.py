"""Law 9 (d): the laws of secrecy notice a game that tells too much, whatever way it takes."""

from random import Random
from typing import cast

import pytest

from tests.engine import laws
from tests.engine.cases import GAMES, REACTION, race_modes
from tests.engine.conformance import leaks
from tests.engine.conformance.matches import MOST
from tests.engine.driver import AnyGame, Case, Playing, Temper

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def leaky(leak: leaks.Leaky, number: int = 1) -> Playing:
    """A match of three of this game, by reaction where it has races."""
    values = REACTION if REACTION in race_modes(leak.original) else {}
    return Playing(Case(cast("AnyGame", leak), 3, "standard", values), number, Temper.BRISK)


def look_closely(playing: Playing, most: int = MOST, *, as_a_seat: bool = True) -> None:
    """Try the laws of secrecy for everybody, or for a spectator only."""
    random = Random(1)
    for moment in playing.moments(most):
        laws.events_name_only_what_is_seen(playing.game, moment)
        for viewer in laws.viewers(moment.after) if as_a_seat else [None]:
            laws.hidden_things_do_not_show(playing.game, moment.after, viewer, random)


@every_game
def test_an_honest_game_is_not_accused(game: AnyGame) -> None:
    look_closely(leaky(leaks.Leaky(game)))


@pytest.mark.rule("ALL-2")
@every_game
@pytest.mark.parametrize(
    "leak",
    [
        leaks.InView,
        leaks.InLegalMoves,
        leaks.InRefusals,
        leaks.InDefaults,
        leaks.InStanding,
        leaks.InTimers,
        leaks.InEvents,
    ],
)
def test_a_planted_leak_is_found(game: AnyGame, leak: type[leaks.Leaky]) -> None:
    playing = leaky(leak(game))
    with pytest.raises(AssertionError, match=r"tells viewer|which it never sees"):
        look_closely(playing, 4 * MOST)


@pytest.mark.rule("ALL-2")
@every_game
def test_a_leak_of_any_zone_that_holds_secrets_is_found(game: AnyGame) -> None:
    honest = leaky(leaks.Leaky(game))
    random = Random(1)
    kinds: set[str] = set()
    for moment in honest.moments(MOST):
        seen = laws.cards_named(game, game.view(moment.after.state, None))
        kinds |= laws.hidden_zones(game, moment.after, None, seen, random)[0] if moment.entry.number % 8 == 0 else set()
    assert kinds
    for kind in sorted(kinds):
        playing = leaky(leaks.InOneZone(game, kind))
        with pytest.raises(AssertionError, match="view tells viewer None"):
            look_closely(playing, 2 * MOST, as_a_seat=False)
