"""The commitment and the seed; the digests were computed with sha256sum over files put together by hand."""

import re
from pathlib import Path

import pytest

from engine.core.fairness import chosen_secret, commitment, derive_seed
from engine.core.rng import Rng, Seed

CHECKOUT = Path(__file__).resolve().parents[3]
SECRET = bytes(32)


def test_the_commitment_binds_the_secret_to_the_match() -> None:
    assert commitment(SECRET, "match-1") == "37e8c9475a93929b9e2d624d8a9de0ccf1f95f9c2a3a96210ac78082c035b331"
    assert commitment(SECRET, "match-2") != commitment(SECRET, "match-1")
    assert commitment(bytes(31) + b"\1", "match-1") != commitment(SECRET, "match-1")


def test_the_seed_follows_from_secret_match_and_salts() -> None:
    seed = derive_seed(SECRET, "match-1", [b"ab", b""])
    assert seed.reveal().hex() == "2389c8c712ad70d484423ec3c3bf6c2471be0cc94c773c726d1b708ead69698b"


def test_salts_count_by_seat_and_can_not_run_together() -> None:
    seeds = {
        derive_seed(SECRET, "m", salts).reveal()
        for salts in ([b"ab", b""], [b"", b"ab"], [b"a", b"b"], [b"ab"], [b"ab", b"", b""], [])
    }
    assert len(seeds) == 6


def test_a_secret_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 2"):
        commitment(b"ab", "m")


def test_a_chosen_deal_is_the_same_in_every_match() -> None:
    secret = chosen_secret("pepper")
    assert len(secret) == 32
    seed = "3ed1f0e28b7f305bc3141f65ff20354f08de3e6f411e4081020bee35f1720b6c"
    assert derive_seed(secret, "match-1", [b"ab", b""]).reveal().hex() == seed
    assert derive_seed(secret, "match-2", []).reveal().hex() == seed
    assert chosen_secret("salt") != secret


def test_the_vectors_in_the_documentation_hold() -> None:
    text = (CHECKOUT / "docs" / "fair-deals.md").read_text()
    table = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", text, re.MULTILINE))
    rng = Rng(Seed.from_number(1))
    match, secret = "0190f5fe-0000-7000-8000-000000000001", bytes(range(32))
    assert table["seed 00…01, draws 0, 1, 2"] == ", ".join(str(rng.below(1 << 64)) for _ in range(3))
    rng = Rng(Seed.from_number(1))
    assert table["the same: below 52, then below 6"] == f"{rng.below(52)}, {rng.below(6)}"
    shuffled = Rng(Seed.from_number(1)).shuffle("abcdefgh")
    assert table["the same, from the start: shuffle of a b c d e f g h"] == " ".join(shuffled)
    assert table[f"commitment of the bytes 00 01 … 1f and match {match}"] == commitment(secret, match)
    seed = derive_seed(secret, match, [b"", b"pepper"])
    assert table['seed of these with two seats, salts "" and "pepper"'] == seed.reveal().hex()
