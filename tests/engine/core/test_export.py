"""One document with which anybody can verify a match; any change of it is found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine import verify as command
from engine.core.codec import codec_for, encode
from engine.core.errors import EngineError, NewerFormat, ReplayMismatch, UnknownGame
from engine.core.fairness import derive_seed
from engine.core.referee import Referee
from engine.core.table import Ending, Opening
from engine.export import BadExport, export, verify
from tests.engine.core.tables import BEGAN
from tests.engine.core.toy import TOY, Draw, Options

SECRET = bytes(range(32))
SALTS = [b"pepper", b""]
Document = dict[str, Any]


@pytest.fixture(autouse=True)
def toy_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.find
    monkeypatch.setattr(registry, "find", lambda key, ruleset=None: TOY if key == "toy" else found(key, ruleset))


def exported() -> bytes:
    """A match of two moves in which seat 1 then resigns."""
    opening = Opening("toy", 1, 2, Options(), BEGAN)
    referee = Referee(TOY, derive_seed(SECRET, "match-1", SALTS))
    step = referee.open(opening)
    entries = list(step.entries)
    for seat, at in ((0, BEGAN + 1), (1, BEGAN + 2)):
        step = referee.submit(step.table, seat=seat, serial=1, move=Draw(), received=at, now=at)
        entries += step.entries
    step = referee.leave(step.table, (1,), received=BEGAN + 3, now=BEGAN + 3)
    entries += step.entries
    ending = step.table.ending
    assert isinstance(ending, Ending)
    return export("match-1", SECRET, SALTS, opening, [encode(entry) for entry in entries], ending)


def test_what_was_exported_verifies() -> None:
    table = verify(exported())
    assert table.number == 4
    assert table.ending is not None
    assert table.ending.outcome is not None
    assert (table.ending.outcome.reason, table.ending.outcome.places) == ("last", (1, 2))


def test_the_document_holds_the_secret_and_what_was_promised_of_it() -> None:
    document = json.loads(exported())
    assert document["secret"] == SECRET.hex()
    assert document["salts"] == ["706570706572", ""]
    assert [entry["cause"] for entry in document["entries"]] == ["open", "move", "move", "leave"]


def put(value: Any, *path: str | int) -> Callable[[Document], None]:
    """Change the value at this path."""

    def change(document: Document) -> None:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        pytest.param(put("match-2", "match"), BadExport, "doesn't fit the commitment", id="another match"),
        pytest.param(put("00" * 32, "secret"), BadExport, "doesn't fit the commitment", id="another secret"),
        pytest.param(put("00" * 32, "commitment"), BadExport, "doesn't fit the commitment", id="another promise"),
        pytest.param(put("zz", "secret"), BadExport, "not an export", id="no hex"),
        pytest.param(put("00", "secret"), BadExport, "the secret has 32 bytes, not 1", id="a short secret"),
        pytest.param(put("", "salts", 0), ReplayMismatch, "entry 1", id="another salt"),
        pytest.param(put([""], "salts"), BadExport, "2 seats but 1 salts", id="a salt less"),
        pytest.param(put("00" * 70_000, "salts", 0), BadExport, "a salt has at most 64 bytes", id="an endless salt"),
        pytest.param(put(3, "opening", "seats"), BadExport, "3 seats but 2 salts", id="more seats"),
        pytest.param(put(21, "opening", "options", "target"), None, "", id="a target nobody came near"),
        pytest.param(put(BEGAN + 1, "opening", "at"), ReplayMismatch, "entry 1", id="another beginning"),
        pytest.param(put("chess", "opening", "game"), UnknownGame, "no game 'chess'", id="a game unknown"),
        pytest.param(put("x", "opening", "seats"), BadExport, "seats", id="seats that are no number"),
        pytest.param(put(1, "opening", "extra"), BadExport, "extra", id="an unknown field"),
        pytest.param(put(3, "opening", "format"), NewerFormat, "format 3", id="a newer match"),
        pytest.param(put(2, "format"), NewerFormat, "format 2", id="a newer export"),
        pytest.param(put({"type": "skip"}, "entries", 1, "move"), ReplayMismatch, "entry 2", id="another move"),
        pytest.param(put({"type": "fly"}, "entries", 1, "move"), BadExport, "fly", id="a move unknown"),
        pytest.param(put(BEGAN, "entries", 2, "at"), ReplayMismatch, "entry 3", id="another time"),
        pytest.param(lambda document: document["entries"].pop(1), ReplayMismatch, "entry 3", id="an entry less"),
        pytest.param(lambda document: document["entries"].pop(), ReplayMismatch, "ended as", id="the end left out"),
        pytest.param(put("void", "ending", "status"), ReplayMismatch, "ended as", id="another end"),
        pytest.param(put([2, 1], "ending", "outcome", "places"), ReplayMismatch, "ended as", id="another winner"),
    ],
)
def test_any_change_is_found(change: Callable[[Document], None], error: type[EngineError] | None, says: str) -> None:
    document = json.loads(exported())
    change(document)
    if error is None:
        assert verify(json.dumps(document).encode()).number == 4
        return
    with pytest.raises(error, match=says):
        verify(json.dumps(document).encode())


@pytest.mark.parametrize("document", [b"", b"{", b"[]", b"{}", b"null", b"\xff"])
def test_what_is_no_export_is_said_to_be_none(document: bytes) -> None:
    with pytest.raises(BadExport, match="not an export of a match"):
        verify(document)


def test_the_command_says_which_files_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, missing = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "missing.json"
    good.write_bytes(exported())
    bad.write_bytes(exported().replace(b'"match-1"', b'"match-2"'))
    assert command.main([str(good)]) == 0
    assert capsys.readouterr().out == f"{good}: holds; toy, 4 entries, places (1, 2) (last)\n"
    assert command.main([str(good), str(bad), str(missing)]) == 1
    errors = capsys.readouterr().err
    assert f"{bad}: does not hold: the secret doesn't fit the commitment" in errors
    assert f"{missing}: does not hold:" in errors
    assert command.main([]) == 2


def test_an_entry_reads_back_as_it_was_written() -> None:
    codec = codec_for(TOY)
    table = verify(exported())
    assert codec.table(encode(table)) == table
