"""Everything by zone (ALL-1), and what is hidden dealt anew (ALL-2)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.rng import Rng
from engine.games.splendor.catalogue import CARDS, LEVEL_CARDS, NOBLES
from engine.games.splendor.state import Hand, Held, State
from engine.games.splendor.tokens import COLOURS


def census(state: State) -> dict[str, list[str]]:
    """Cards, nobles and tokens by zone, the box included (ALL-1)."""
    board = state.board
    box = state.box
    zones = {
        "bank": _tokens(board.bank),
        "grid": [CARDS[card].name for card in board.grid if card is not None],
        "nobles": [NOBLES[noble].name for noble in board.nobles],
        "box": [CARDS[card].name for card in (*box.cards, *box.secret_cards)] + [NOBLES[n].name for n in box.nobles],
    }
    for level, deck in enumerate(board.decks, start=1):
        zones[f"deck {level}"] = [CARDS[card].name for card in deck]
    for seat, hand in enumerate(state.hands):
        zones[f"seat {seat}"] = _belongings(hand)
    return zones


def _belongings(hand: Hand) -> list[str]:
    cards = [*hand.bought, *(held.card for held in hand.reserved)]
    return [*_tokens(hand.tokens), *(CARDS[card].name for card in cards), *(NOBLES[n].name for n in hand.nobles)]


def _tokens(counts: tuple[int, ...]) -> list[str]:
    return [colour for colour, number in zip(COLOURS, counts, strict=True) for _ in range(number)]


def shuffle_hidden(state: State, viewer: int | None, rng: Rng) -> State:
    """SPL-18: within a level, the deck, the secret cards of other seats and those in the box could lie otherwise."""
    pools = [iter(rng.shuffle(_hidden(state, viewer, level))) for level in range(3)]
    low, middle, high = (tuple(next(pool) for _ in deck) for pool, deck in zip(pools, state.board.decks, strict=True))
    hands = tuple(
        hand if seat == viewer else replace(hand, reserved=_redealt(hand, pools))
        for seat, hand in enumerate(state.hands)
    )
    secret_cards = tuple(next(pools[CARDS[card].level - 1]) for card in state.box.secret_cards)
    return replace(
        state,
        board=replace(state.board, decks=(low, middle, high)),
        hands=hands,
        box=replace(state.box, secret_cards=secret_cards),
    )


def _hidden(state: State, viewer: int | None, level: int) -> list[int]:
    """What this viewer can't tell apart in a level, in an order that tells nothing."""
    secret = [
        held.card
        for seat, hand in enumerate(state.hands)
        for held in hand.reserved
        if held.is_secret and seat != viewer
    ]
    hidden = {*state.board.decks[level], *secret, *state.box.secret_cards}
    return [card for card in LEVEL_CARDS[level] if card in hidden]


def _redealt(hand: Hand, pools: list[Iterator[int]]) -> tuple[Held, ...]:
    return tuple(
        Held(next(pools[CARDS[held.card].level - 1]), is_secret=True) if held.is_secret else held
        for held in hand.reserved
    )
