"""How fast bots answer races, how well, and that their times tell nothing."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots import AnyBot, Level, Sight, bot_for
from engine.bots.racing import SKILLS
from engine.bots.reactions import MEDIAN_MS, QUICKEST_MS, reaction_ms
from engine.games.slamwich.moves import Look as SlamLook
from engine.games.slamwich.moves import Pass as SlamPass
from engine.games.slamwich.moves import Slap
from engine.games.snap.moves import Call, Claim, Look, Pass, Turn
from tests.engine.bots.cases import stream
from tests.engine.cases import GAMES

MANY = 4000
by_level = pytest.mark.parametrize("level", list(Level))


def snap_sight(*, card: str | None, tops: tuple[str | None, ...], pot: str | None = None) -> Sight[Any, Any, Any]:
    """A race of Snap by arrival on this card of seat 0, with these tops before the other seats."""
    game = GAMES["snap"]
    options = game.options()
    state, _ = game.setup(1 + len(tops), options, 0, stream(1))
    state, _ = game.play(state, state.turn, Turn(), 0, stream(2))
    view = game.view(state, 1)
    seats = tuple(replace(seat, top=top) for seat, top in zip(view.seats, (card, *tops), strict=True))
    race = replace(view.race, turner=0)
    view = replace(view, card=card, seats=seats, pot_top=pot, pot=int(pot is not None), race=race)
    return Sight(1, view, (Call(Claim.SNAP), Call(Claim.SNAP_POT), Pass()), no_state, len(seats), options)


def slamwich_sight(*top: str | None) -> Sight[Any, Any, Any]:
    """A race of Slamwich on a pile with these cards on top, the newest first."""
    game = GAMES["slamwich"]
    options = game.options()
    state, _ = game.setup(2, options, 0, stream(1))
    view = replace(game.view(state, 1), top=top)
    return Sight(1, view, (Slap(), Slap(shout=True), SlamPass()), no_state, 2, options)


def no_state(_rng: object) -> object:
    """These bots judge by what lies open."""
    raise AssertionError("nothing is to be imagined in a race")


def answers(bot: AnyBot, sight: Sight[Any, Any, Any]) -> Counter[Any]:
    """What the bot does on the same card many times."""
    return Counter(bot.react(sight, stream(number)).move for number in range(MANY))


@by_level
def test_times_are_like_a_persons_of_that_level(level: Level) -> None:
    times = [reaction_ms(level, stream(number)) for number in range(MANY)]

    assert median(times) == pytest.approx(MEDIAN_MS[level], rel=0.03)
    assert min(times) >= QUICKEST_MS
    assert max(times) <= 2.6 * MEDIAN_MS[level]
    assert len(set(times)) > 100


@by_level
def test_a_claim_and_a_pass_come_at_the_same_time(level: Level) -> None:
    bot = bot_for(GAMES["snap"], level)
    claimable, not_claimable = snap_sight(card="QS", tops=("QH",)), snap_sight(card="QS", tops=("7H",))
    for number in range(200):
        claim = bot.react(claimable, stream(number))
        no_claim = bot.react(not_claimable, stream(number))
        assert claim.after_ms == no_claim.after_ms


@by_level
def test_how_often_a_match_is_noticed_and_seen_where_there_is_none(level: Level) -> None:
    bot, skill = bot_for(GAMES["snap"], level), SKILLS[level]

    seen = answers(bot, snap_sight(card="QS", tops=("7H", "QH")))
    imagined = answers(bot, snap_sight(card="QS", tops=("7H", None)))

    assert (MANY - seen[Pass()]) / MANY == pytest.approx(skill.notices / 1000, abs=0.02)
    assert (MANY - imagined[Pass()]) / MANY == pytest.approx(skill.blunders / 1000, abs=0.01)


def test_higher_levels_notice_more_and_err_less() -> None:
    easy, normal, hard = (SKILLS[level] for level in Level)

    assert easy.notices < normal.notices < hard.notices
    assert easy.blunders > normal.blunders > hard.blunders
    assert easy.muddles > normal.muddles > hard.muddles


@pytest.mark.parametrize(
    ("tops", "pot", "call"),
    [
        (("QH", "7H"), None, Call(Claim.SNAP)),
        (("8H", "7H"), "QD", Call(Claim.SNAP_POT)),
        (("QH", "7H"), "QD", Call(Claim.SNAP_POT)),
        (("8H", "7H"), "8D", Pass()),
        ((None, None), None, Pass()),
    ],
)
def test_what_is_called_in_snap(tops: tuple[str | None, ...], pot: str | None, call: Any) -> None:
    most_common = answers(bot_for(GAMES["snap"], Level.HARD), snap_sight(card="QS", tops=tops, pot=pot)).most_common(1)

    assert most_common[0][0] == call


@pytest.mark.parametrize(
    ("top", "slap"),
    [
        (("ham", "ham", "fish"), Slap()),
        (("ham", "fish", "ham"), Slap()),
        (("ham", "fish", "cheese"), SlamPass()),
        (("ham",), SlamPass()),
        (("muncher_2", "muncher_2"), Slap()),
        (("muncher_2", "muncher_3"), SlamPass()),
        (("thief_cat", "ham", "fish"), Slap(shout=True)),
        (("thief_cat", "thief_dog", "fish"), Slap(shout=True)),
        (("ham", "thief_cat", "ham"), Slap()),
        ((None, "ham", "ham"), SlamPass()),
    ],
)
def test_what_is_slapped_in_slamwich(top: tuple[str | None, ...], slap: Any) -> None:
    most_common = answers(bot_for(GAMES["slamwich"], Level.HARD), slamwich_sight(*top)).most_common(1)

    assert most_common[0][0] == slap


def test_the_mistake_on_a_thief_is_to_forget_the_shout() -> None:
    seen = answers(bot_for(GAMES["slamwich"], Level.EASY), slamwich_sight("thief_cat", "ham"))

    assert seen[Slap()] / MANY == pytest.approx(0.8 * 0.15, abs=0.02)


@by_level
@pytest.mark.parametrize(("key", "look"), [("snap", Look()), ("slamwich", SlamLook())])
def test_by_reaction_a_bot_looks_rather_than_pass_unseen(key: str, look: Any, level: Level) -> None:
    game = GAMES[key]
    options = game.options({"race": {"mode": "reaction"}})
    state, _ = game.setup(3, options, 0, stream(1))
    sight = Sight(0, game.view(state, 0), tuple(game.legal_moves(state, 0)), no_state, 3, options)

    assert bot_for(game, level).choose(sight, stream(1)) == look
