"""Commands that need the service's processes: `serve`, and `run` for a command with the services beside it."""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.local.errors import LocalError
from config.local.places import CHECKOUT
from config.local.serve import Options, serve
from config.local.services import running_services


def main(arguments: Sequence[str]) -> int:
    """Runs one command; what stops a start is one line on standard error, and exit status 2."""
    chosen = _parser().parse_args(arguments)
    try:
        # Reads every setting, so that a wrong one is told before anything starts.
        _ = settings.DEBUG
        if chosen.command == "run":
            return _run(chosen.program)
        serve(Options(host=chosen.host, port=chosen.port, demo=chosen.demo), os.environ)
    except (LocalError, ImproperlyConfigured) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py", description="Listik on this machine.")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="run the whole service until Ctrl-C")
    serving.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    serving.add_argument("--port", type=_port, help="port to listen on (default the first free one from 8000 on)")
    serving.add_argument(
        "--demo",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="make players to try it with (default only in the embedded database)",
    )
    running = commands.add_parser("run", help="run a program of Python with database and broker beside it")
    running.add_argument("program", nargs=argparse.REMAINDER, help="what follows `python` on a command line")
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: expected a number from 1 to 65535")
    return int(text)


def _run(program: Sequence[str]) -> int:
    # Both get Ctrl-C; the program decides what it means, and the services stop after it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with running_services(os.environ) as services:
        child = subprocess.Popen(
            [sys.executable, *program],
            cwd=CHECKOUT,
            env=services.environment(os.environ),
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
        )
        signal.signal(signal.SIGTERM, lambda number, frame: child.terminate())
        return child.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
