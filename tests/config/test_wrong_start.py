"""What can't start says so in one line, without a traceback and without a password."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.local.places import CHECKOUT
from config.local.services import masked


def run(*arguments: str, **variables: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=CHECKOUT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stderr.splitlines()


def test_a_wrong_setting_stops_a_command() -> None:
    assert run("manage.py", "check", DEBUG="maybe") == (1, ["error: DEBUG is 'maybe': expected true or false"])


def test_a_wrong_setting_stops_serve_before_anything_is_made(tmp_path: Path) -> None:
    status, lines = run("-m", "config.local", "serve", LOG_FORMAT="xml", LISTIK_DATA=str(tmp_path / "data"))
    assert (status, lines) == (2, ["error: LOG_FORMAT is 'xml': expected one of json, console"])
    assert not (tmp_path / "data").exists()


def test_a_database_that_does_not_answer_stops_serve(data: Path) -> None:
    url = "postgresql://ann:secret@127.0.0.1:1/listik"
    status, lines = run("-m", "config.local", "serve", DATABASE_URL=url, LISTIK_DATA=str(data))
    assert status == 2
    assert len(lines) == 1
    assert lines[0].startswith("error: DATABASE_URL postgresql://ann:***@127.0.0.1:1/listik can't be used: ")
    assert "Connection refused" in lines[0]
    assert "secret" not in lines[0]


def test_a_broker_that_does_not_answer_stops_serve(data: Path) -> None:
    url = "redis://:secret@127.0.0.1:1/0"
    status, lines = run("-m", "config.local", "serve", BROKER_URL=url, LISTIK_DATA=str(data))
    assert status == 2
    assert len(lines) == 1
    assert lines[0].startswith("error: BROKER_URL redis://:***@127.0.0.1:1/0 can't be used: ")
    assert "secret" not in lines[0]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:a:b@host/x", "postgresql://ann:***@host/x"),
        ("postgresql://ann@host/x", "postgresql://ann@host/x"),
        (
            "postgresql://host/x?user=ann&password=pw&sslmode=require",
            "postgresql://host/x?user=ann&password=***&sslmode=require",
        ),
    ],
)
def test_a_password_is_shown_as_stars(url: str, shown: str) -> None:
    assert masked(url) == shown
