"""Positions in a few words: what isn't said is filled so that every card, noble and token is there exactly once."""

from __future__ import annotations

import msgspec

from engine.core.errors import Refusal
from engine.core.events import Told
from engine.core.rng import Rng, Seed
from engine.games.splendor import GAME
from engine.games.splendor.catalogue import CARD_BY_NAME, CARDS, LEVEL_CARDS, NOBLE_BY_NAME, NOBLES
from engine.games.splendor.moves import SplendorEvent, SplendorMove
from engine.games.splendor.state import Board, Box, Gold, Hand, Held, Options, Phase, State

EMPTY = ""
"""An empty place of the grid."""


def rng(number: int = 0) -> Rng:
    return Rng(Seed.from_number(number))


def hand(
    tokens: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0),
    bought: tuple[str, ...] = (),
    reserved: tuple[str, ...] = (),
    secret: tuple[str, ...] = (),
    nobles: tuple[str, ...] = (),
) -> Hand:
    """Tokens are white, blue, green, red, black, gold; bonuses and prestige follow from the cards and nobles."""
    cards = [CARDS[CARD_BY_NAME[name]] for name in bought]
    white, blue, green, red, black = (sum(card.bonus == gem for card in cards) for gem in range(5))
    held = [Held(CARD_BY_NAME[name], is_secret=False) for name in reserved]
    held += [Held(CARD_BY_NAME[name], is_secret=True) for name in secret]
    return Hand(
        tokens=tokens,
        bonuses=(white, blue, green, red, black),
        prestige=sum(card.points for card in cards) + 3 * len(nobles),
        bought=tuple(CARD_BY_NAME[name] for name in bought),
        reserved=tuple(held),
        nobles=tuple(NOBLE_BY_NAME[name] for name in nobles),
    )


def bonus(gem: str, number: int) -> tuple[str, ...]:
    """Up to seven cards of level 1 with this bonus and without points."""
    return tuple(f"L1-{gem}-{n:02}" for n in range(1, number + 1))


def table(
    *hands: Hand,
    bank: tuple[int, int, int, int, int, int] | None = None,
    grid: dict[tuple[int, int], str] | None = None,
    tops: dict[int, str] | None = None,
    empty_decks: tuple[int, ...] = (),
    bare: bool = False,
    nobles: tuple[str, ...] = (),
    seat: int = 0,
    first: int = 0,
    turn: int = 1,
    round_: int = 1,
    phase: Phase = Phase.ACTION,
    passes: int = 0,
    ending: str | None = None,
    options: Options | None = None,
) -> State:
    """A position: `grid` names cards by (level, place), `tops` the top cards by level, `bare` clears grid and decks.

    The bank is what the hands leave of the tokens for their number, unless it is given. Cards of decks that are said to
    be empty, and nobles that don't lie open, are in the box.
    """
    options = options or Options()
    used = {card for one in hands for card in (*one.bought, *(held.card for held in one.reserved))}
    named = {place: CARD_BY_NAME.get(name) for place, name in (grid or {}).items()}
    top = {level: CARD_BY_NAME[name] for level, name in (tops or {}).items()}
    used |= {card for card in named.values() if card is not None} | set(top.values())
    rows: list[int | None] = []
    decks: list[tuple[int, ...]] = []
    box: list[int] = []
    for level in (1, 2, 3):
        free = [card for card in reversed(LEVEL_CARDS[level - 1]) if card not in used]
        for place in range(4):
            if (level, place) in named or bare:
                rows.append(named.get((level, place)))
            else:
                rows.append(free.pop(0))
        is_empty = bare or level in empty_decks
        box += free if is_empty else []
        decks.append(() if is_empty else (*free, *([top[level]] if level in top else [])))
    open_nobles = tuple(NOBLE_BY_NAME[name] for name in nobles)
    gone = {*open_nobles, *(noble for one in hands for noble in one.nobles)}
    return State(
        options=options,
        began=0,
        first=first,
        seat=seat,
        turn=turn,
        round=round_,
        phase=phase,
        passes=passes,
        ending=ending,
        board=Board(bank or _rest(hands, options), tuple(rows), (decks[0], decks[1], decks[2]), open_nobles),
        hands=hands,
        left=(0,) * len(hands),
        box=Box(tuple(n for n in range(len(NOBLES)) if n not in gone), tuple(box)),
    )


def _rest(hands: tuple[Hand, ...], options: Options) -> tuple[int, int, int, int, int, int]:
    gems = {2: 4, 3: 5, 4: 7}[len(hands)]
    gold = 5 if len(hands) == 4 or options.gold is Gold.ALWAYS else 0
    all_ = (gems,) * 5 + (gold,)
    white, blue, green, red, black, yellow = (all_[n] - sum(one.tokens[n] for one in hands) for n in range(6))
    return white, blue, green, red, black, yellow


def play(state: State, move: SplendorMove, seat: int | None = None) -> tuple[State, list[SplendorEvent]]:
    """Make a move that must be legal, of the seat in turn; the events of everybody."""
    after, told = tell(state, move, seat)
    return after, [one.event for one in told]


def tell(state: State, move: SplendorMove, seat: int | None = None) -> tuple[State, tuple[Told[SplendorEvent], ...]]:
    """The same, with the audience of each event."""
    seat = state.seat if seat is None else seat
    refusal = GAME.refuse(state, seat, move)
    assert refusal is None, refusal
    before = census(state)
    after, told = GAME.play(state, seat, move, 0, rng())
    assert census(after) == before
    return after, told


def refused(state: State, move: SplendorMove, seat: int | None = None) -> tuple[str, str | None, str]:
    """Code, rule and reason of a refusal, which leaves everything as it was."""
    before = msgspec.json.encode(state)
    refusal = GAME.refuse(state, state.seat if seat is None else seat, move)
    assert isinstance(refusal, Refusal), f"{move} was taken"
    assert msgspec.json.encode(state) == before
    assert move not in GAME.legal_moves(state, state.seat if seat is None else seat)
    return refusal.code.value, refusal.rule, refusal.reason


def rule_against(state: State, move: SplendorMove, seat: int | None = None) -> str | None:
    """The rule that forbids a move."""
    code, rule, reason = refused(state, move, seat)
    assert code == "illegal_move"
    assert reason.startswith(f"{rule}: ")
    return rule


def census(state: State) -> list[str]:
    return sorted(str(thing) for zone in GAME.census(state).values() for thing in zone)


def tokens_of(state: State, seat: int) -> tuple[int, ...]:
    return state.hands[seat].tokens


def names(cards: tuple[int, ...]) -> list[str]:
    return [CARDS[card].name for card in cards]


def face_up(state: State, level: int) -> list[str | None]:
    row = state.board.grid[(level - 1) * 4 : level * 4]
    return [None if card is None else CARDS[card].name for card in row]
