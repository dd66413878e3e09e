"""`python3 run.py examples`: record the examples of the schema anew, and write `docs/openapi.json` with them."""

from __future__ import annotations

import os
import subprocess
import sys

from config.local.places import CHECKOUT
from tests.contract import WRITE_EXAMPLES

DOCUMENT = CHECKOUT / "docs" / "openapi.json"


def main() -> int:
    """Exit status of whatever failed, 0 when both files are written."""
    environ = {"SECRET_KEY": "for recording alone", **os.environ, WRITE_EXAMPLES: "yes"}
    tests = [sys.executable, "-m", "pytest", "--quiet", "-n", "0", "tests/api"]
    failed = subprocess.run(tests, cwd=CHECKOUT, env=environ, check=False).returncode
    return failed or write_document(environ)


def write_document(environ: dict[str, str]) -> int:
    """Write the document; exit status of the command that makes it."""
    program = ["manage.py", "spectacular", "--format", "openapi-json", "--validate", "--fail-on-warn"]
    made = subprocess.run([sys.executable, *program], cwd=CHECKOUT, env=environ, check=False, stdout=subprocess.PIPE)
    if made.returncode == 0:
        DOCUMENT.write_bytes(made.stdout.strip() + b"\n")
        print(f"{DOCUMENT.relative_to(CHECKOUT)} is written")
    return made.returncode


if __name__ == "__main__":
    sys.exit(main())
