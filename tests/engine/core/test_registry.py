"""Games are found by being there, the newest ruleset first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.games
from engine import registry
from engine.core.errors import BadOptions, UnknownGame
from tests.engine.core.toy import TOY, Options


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game `cards` in its rulesets 1 and 2, besides a folder without a game."""
    for folder, ruleset in (("cards", 2), ("cards/v1", 1)):
        (tmp_path / folder).mkdir()
        text = f"class Cards:\n    key = 'cards'\n    ruleset = {ruleset}\n\n\nGAME = Cards()\n"
        (tmp_path / folder / "__init__.py").write_text(text)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/__init__.py").write_text("")
    monkeypatch.setattr(engine.games, "__path__", [str(tmp_path)])
    forget()
    yield
    forget()


def forget() -> None:
    registry.games.cache_clear()
    registry._rulebooks.cache_clear()


@pytest.mark.usefixtures("cards")
def test_the_newest_ruleset_is_the_one_that_is_meant() -> None:
    assert {key: game.ruleset for key, game in registry.games().items()} == {"cards": 2}
    assert registry.find("cards").ruleset == 2
    assert registry.find("cards", 1).ruleset == 1


@pytest.mark.usefixtures("cards")
def test_an_unknown_game_or_ruleset_is_named_with_those_that_are_there() -> None:
    with pytest.raises(UnknownGame, match="no game 'chess'; there are cards"):
        registry.find("chess")
    with pytest.raises(UnknownGame, match="no game 'cards' with ruleset 3; there are cards"):
        registry.find("cards", 3)


def test_options_are_a_preset_with_changes() -> None:
    assert TOY.options() == Options()
    assert TOY.options({"target": 5}, "sealed") == Options(target=5, is_sealed=True)


@pytest.mark.parametrize(
    ("values", "preset", "says"),
    [
        ({}, "fancy", "Toy has no preset 'fancy'; it has sealed, standard"),
        ({"target": "x"}, "standard", r"options of Toy: .*\$.target"),
        ({"tarjet": 3}, "standard", "tarjet"),
    ],
)
def test_faulty_options_are_named(values: dict[str, object], preset: str, says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        TOY.options(values, preset)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_a_seat_count_that_the_game_has_not_is_refused(seats: int) -> None:
    with pytest.raises(BadOptions, match=f"Toy is for 2 to 4 seats with these options, not {seats}"):
        TOY.check(seats, Options())
