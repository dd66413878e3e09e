"""Where mails go: to the server that is named, else to a folder, never to the console, where logs go."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from config.local.places import CHECKOUT

SMTP = "django.core.mail.backends.smtp.EmailBackend"
FILES = "django.core.mail.backends.filebased.EmailBackend"
DUMMY = "django.core.mail.backends.dummy.EmailBackend"
NAMES = ["EMAIL_BACKEND", "EMAIL_PORT", "EMAIL_USE_TLS", "EMAIL_USE_SSL", "EMAIL_FILE_PATH"]
READ = f"import json; from config import settings as s; print(json.dumps([getattr(s, name) for name in {NAMES}]))"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, [DUMMY, 587, True, False, None]),
        ({"LISTIK_DATA": "data"}, [FILES, 587, True, False, "data/mail"]),
        ({"EMAIL_HOST": "mail.example"}, [SMTP, 587, True, False, None]),
        (
            {"EMAIL_HOST": "mail.example", "EMAIL_SECURITY": "tls", "EMAIL_PORT": "465"},
            [SMTP, 465, False, True, None],
        ),
        ({"EMAIL_HOST": "mail.example", "EMAIL_SECURITY": "none"}, [SMTP, 587, False, False, None]),
    ],
)
def test_mails_go_where_the_environment_says(variables: dict[str, str], expected: list[object]) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("EMAIL_", "LISTIK_"))}
    read = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=CHECKOUT,
        env={**kept, "SECRET_KEY": "x", **variables},
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(read.stdout) == expected
