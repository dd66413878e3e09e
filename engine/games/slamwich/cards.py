"""The deck as data: faces, their names, their kinds (SLM-1 to SLM-3).

A card is its face, a number: the copies of a face can't be told apart, on the table neither.
"""

from __future__ import annotations

FOODS = (
    "ketchup_and_mustard",
    "birthday_cake",
    "chicken",
    "tomato_and_lettuce",
    "fish",
    "gummy_candy",
    "ham",
    "cheese",
    "meatballs",
    "peanut_butter",
    "jelly",
)
FOOD_COPIES = 4
MUNCHER_COPIES = {1: 3, 2: 2, 3: 3}
"""How many Munchers there are of each number (SLM-2)."""
THIEVES = ("thief_ant", "thief_cat", "thief_dog")

NAMES = (*FOODS, *(f"muncher_{number}" for number in MUNCHER_COPIES), *THIEVES)
FIRST_MUNCHER = len(FOODS)
FIRST_THIEF = FIRST_MUNCHER + len(MUNCHER_COPIES)

KINDS = tuple(min(face, FIRST_THIEF) for face in range(len(NAMES)))
"""The kind of each face: any Thief is a Thief (SLM-3), every other face is a kind of its own (SLM-24)."""
NUMBERS = (*(0 for _ in FOODS), *MUNCHER_COPIES, *(0 for _ in THIEVES))
"""The number of each face: 0 for all but Munchers (SLM-2)."""

MUNCHERS = tuple(FIRST_MUNCHER + kind for kind, copies in enumerate(MUNCHER_COPIES.values()) for _ in range(copies))
FACES = {name: face for face, name in enumerate(NAMES)}


def deck(*, munchers: bool) -> tuple[int, ...]:
    """All cards that are played with (SLM-1), without the Munchers for a quicker game (SLM-22)."""
    foods = tuple(face for face in range(len(FOODS)) for _ in range(FOOD_COPIES))
    thieves = tuple(range(FIRST_THIEF, FIRST_THIEF + len(THIEVES)))
    return (*foods, *(MUNCHERS if munchers else ()), *thieves)


def is_thief(card: int) -> bool:
    """Whether the claim on this card needs "Stop Thief!" (SLM-10, SLM-12)."""
    return card >= FIRST_THIEF


def is_combination(pile: tuple[int, ...]) -> bool:
    """Whether the top card makes a Double Decker or a Slamwich with the one or two under it (SLM-8, SLM-9, SLM-24).

    The pile's top is its last card.
    """
    top = KINDS[pile[-1]]
    return (len(pile) > 1 and KINDS[pile[-2]] == top) or (len(pile) > 2 and KINDS[pile[-3]] == top)
