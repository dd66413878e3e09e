"""Golden playthroughs: what a whole match shows to everybody stays the same, for every reason with which it may end."""

from pathlib import Path

import pytest

from engine.core.errors import ReplayMismatch
from tests.engine.cases import GAMES
from tests.engine.playthroughs import GOLDEN, read, rendered

FILES = sorted(GOLDEN.glob("*/*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_match_shows_what_it_has_always_shown(file: Path) -> None:
    text = file.read_text()
    game, opening, seed, entries = read(text)
    assert rendered(game, opening, seed, entries).splitlines() == text.splitlines()


@pytest.mark.parametrize("key", GAMES)
def test_there_is_a_playthrough_for_every_reason_of_a_game(key: str) -> None:
    assert {file.stem for file in FILES if file.parent.name == key} == set(GAMES[key].reasons)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_playthrough_ends_for_the_reason_it_is_named_after(file: Path) -> None:
    assert f'"reason":"{file.stem}"' in file.read_text().splitlines()[-1]


def test_a_move_that_is_not_possible_is_not_played() -> None:
    file = next(file for file in FILES if '"cause":"move"' in file.read_text())
    game, opening, seed, entries = read(file.read_text())
    with pytest.raises(ReplayMismatch, match="isn't possible any more"):
        rendered(game, opening, seed, [entries[0], *entries[-1:]])
