"""A match that is over as one JSON document, with which anybody can verify it offline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from engine import registry
from engine.core.codec import codec_for, encode
from engine.core.errors import EngineError, NewerFormat, ReplayMismatch
from engine.core.fairness import SALT_BYTES, commitment, derive_seed
from engine.core.referee import Referee
from engine.core.table import Ending, Entry, Opening, Table

EXPORT_FORMAT = 1


class BadExport(EngineError):
    """The document isn't what it claims to be; the message says where."""


class Export(Struct, frozen=True, forbid_unknown_fields=True):
    """The document. `secret` and `salts` are hex; `entries` are the whole log, `ending` how the match ended."""

    match: str
    commitment: str
    secret: str
    salts: tuple[str, ...]
    opening: Raw
    entries: tuple[Raw, ...]
    ending: Ending
    format: int = EXPORT_FORMAT


class _Game(Struct):
    game: str
    ruleset: int


def export(
    match: str, secret: bytes, salts: Sequence[bytes], opening: Opening[Any], entries: Sequence[bytes], ending: Ending
) -> bytes:
    """Write the document; `entries` are encoded already, as they are stored."""
    return encode(
        Export(
            match=match,
            commitment=commitment(secret, match),
            secret=secret.hex(),
            salts=tuple(salt.hex() for salt in salts),
            opening=Raw(encode(opening)),
            entries=tuple(Raw(entry) for entry in entries),
            ending=ending,
        )
    )


def verify(document: bytes) -> Table[Any, Any]:
    """Recompute all of it: the commitment, the seed, every deal, every move, the outcome. Returns the final table.

    Raises BadExport for a document that is malformed or was tampered with, ReplayMismatch naming the first entry that
    comes out otherwise, UnknownGame or NewerFormat for one that this engine is too old for.
    """
    try:
        data = msgspec.json.decode(document, type=Export)
        if data.format > EXPORT_FORMAT:
            raise NewerFormat(f"the export has format {data.format}, the newest known here is {EXPORT_FORMAT}")
        head = msgspec.json.decode(data.opening, type=_Game, strict=False)
        game = registry.find(head.game, head.ruleset)
        codec = codec_for(game)
        opening: Opening[Any] = codec.opening(data.opening)
        entries: list[Entry[Any, Any]] = [codec.entry(entry) for entry in data.entries]
        secret, salts = bytes.fromhex(data.secret), [bytes.fromhex(salt) for salt in data.salts]
        promised = commitment(secret, data.match)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadExport(f"not an export of a match: {error}") from None
    if promised != data.commitment:
        raise BadExport("the secret doesn't fit the commitment: the deal was changed after it was promised")
    if len(salts) != opening.seats:
        raise BadExport(f"{opening.seats} seats but {len(salts)} salts")
    if any(len(salt) > SALT_BYTES for salt in salts):
        raise BadExport(f"a salt has at most {SALT_BYTES} bytes")
    table = Referee(game, derive_seed(secret, data.match, salts)).replay(opening, entries)
    if table.number != len(entries):
        raise ReplayMismatch(f"the log has {len(entries)} entries, the replay {table.number}")
    if table.ending != data.ending:
        raise ReplayMismatch(f"the export says it ended as {data.ending!r}, the replay {table.ending!r}")
    return table
