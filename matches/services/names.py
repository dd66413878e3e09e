"""Names: what they may be made of, and that no two look alike."""

from __future__ import annotations

import re
import secrets
import unicodedata

from disarm import is_mixed_script

from matches.errors import ServiceError
from matches.models import LONGEST_LOOK, NAME_LENGTH, name_key, name_look

RESERVED = frozenset(
    {"admin", "administrator", "moderator", "operator", "staff", "support", "system", "listik", "guest"}
)
"""Names with which the service itself would seem to speak."""
BETWEEN = " .'-_"
_FORM = re.compile(r"[LD]M{0,2}(?:B*[LD]M{0,2})*")


def clean_name(name: str) -> str:
    """The name as it is kept. Raises ServiceError `name_invalid`, which says what would be right."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 2 <= len(name) <= NAME_LENGTH or not _is_made_of_letters(name):
        raise ServiceError(
            "name_invalid",
            f"a name has 2 to {NAME_LENGTH} letters, digits, spaces and . ' - _ between them, and a letter among them",
        )
    if is_mixed_script(name):
        raise ServiceError("name_invalid", "all letters of a name belong to one script, for others look like them")
    if not 2 <= len(name_look(name)) <= LONGEST_LOOK:
        raise ServiceError("name_invalid", "a name can be seen, and has no letters that stand for whole words")
    if not RESERVED.isdisjoint({name_key(name), name_look(name)}):
        raise ServiceError("name_invalid", "this name is kept for the service itself; choose another one")
    return name


def guest_name() -> str:
    """A name for somebody who hasn't chosen one yet."""
    return f"Guest {secrets.randbelow(9 * 10**8) + 10**8}"


def _is_made_of_letters(name: str) -> bool:
    kinds = "".join(_kind(sign) for sign in name)
    return _FORM.fullmatch(kinds) is not None and "L" in kinds


def _kind(sign: str) -> str:
    """L a letter, D a digit, M a mark on a letter, B what may stand between, X anything else."""
    if sign in BETWEEN:
        return "B"
    category = unicodedata.category(sign)
    return {"L": "L", "M": "M"}.get(category[0], "D" if category == "Nd" else "X")
