"""Counting tokens, and every way to take or to give back some."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

from engine.games.splendor.moves import Gems, ReturnTokens, Take, Tokens
from engine.games.splendor.state import MOST_TOKENS, Counts

COLOURS = ("white", "blue", "green", "red", "black", "gold")


def plus(one: Counts, other: Counts) -> Counts:
    """The sum, colour by colour."""
    a, b, c, d, e, f = one
    u, v, w, x, y, z = other
    return a + u, b + v, c + w, d + x, e + y, f + z


def minus(one: Counts, other: Counts) -> Counts:
    """The difference, colour by colour."""
    a, b, c, d, e, f = one
    u, v, w, x, y, z = other
    return a - u, b - v, c - w, d - x, e - y, f - z


def counts_of(tokens: Tokens) -> Counts:
    """The numbers of a move or an event."""
    return tokens.white, tokens.blue, tokens.green, tokens.red, tokens.black, tokens.gold


def counts_of_gems(gems: Gems) -> Counts:
    """The numbers of a move or an event without gold."""
    return gems.white, gems.blue, gems.green, gems.red, gems.black, 0


def excess(tokens: Counts) -> int:
    """How many of these are over the ten that a seat may keep (SPL-13)."""
    return max(0, sum(tokens) - MOST_TOKENS)


def _take_of(kinds: tuple[int, ...]) -> Take:
    return Take(Gems(*(kinds.count(gem) for gem in range(5))))


def _takes(piles: tuple[int, ...]) -> dict[Gems, Take]:
    """SPL-6 and SPL-7 for a bank in which a pile is 0 (none), 1 (some) or 2 (four or more of this gem)."""
    kinds = [gem for gem in range(5) if piles[gem]]
    different = combinations(kinds, min(3, len(kinds))) if kinds else ()
    pairs = ((gem, gem) for gem in kinds if piles[gem] == 2)
    takes = [_take_of(kinds) for kinds in (*different, *pairs)]
    return {take.gems: take for take in takes}


_PILES = (0, 1, 1, 1, 2, 2, 2, 2)
_BY_PILES = {piles: _takes(piles) for piles in product(range(3), repeat=5)}
_BY_BANK = tuple(_BY_PILES[piles] for piles in product(_PILES, repeat=5))


def takes(bank: Counts) -> dict[Gems, Take]:
    """What may be taken from this bank, by gems: different kinds before pairs, both in gem order."""
    white, blue, green, red, black, _ = bank
    return _BY_BANK[white << 12 | blue << 9 | green << 6 | red << 3 | black]


def _return_of(kinds: tuple[int, ...]) -> ReturnTokens:
    return ReturnTokens(Tokens(*(kinds.count(colour) for colour in range(6))))


_RETURNS = {
    number: tuple(_return_of(kinds) for kinds in combinations_with_replacement(range(6), number))
    for number in range(1, 4)
}


@lru_cache(maxsize=4096)
def returns(tokens: Counts) -> tuple[ReturnTokens, ...]:
    """Every way to give back what these tokens are over ten (SPL-13)."""
    return tuple(way for way in _RETURNS[excess(tokens)] if min(minus(tokens, counts_of(way.tokens))) >= 0)
