"""The embedded database keeps what it acknowledged, however it and its neighbours die."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from config.local import places
from config.local.errors import LocalError
from config.local.places import CHECKOUT
from config.local.postgres import Postgres
from config.local.processes import is_alive, wait_until

ENSURE = """
import sys
from pathlib import Path
from config.local import places
from config.local.postgres import Postgres

postgres = Postgres(Path(sys.argv[1]), places.service_account())
postgres.ensure()
print(postgres.pid)
"""


@pytest.fixture(scope="module")
def postgres(data: Path) -> Postgres:
    account = places.service_account()
    # What a first start leaves that was killed half way.
    draft = places.subfolder(data / "postgres", account) / "draft"
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n")
    found = Postgres(data, account)
    found.ensure()
    execute(found, "CREATE TABLE kept (number int)")
    return found


def execute(postgres: Postgres, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def kill(postgres: Postgres) -> int:
    pid = postgres.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not is_alive(pid), 10)
    return pid


def test_a_running_server_is_used_as_it_is(postgres: Postgres) -> None:
    postgres.ensure()
    before = postgres.pid
    postgres.ensure()
    assert postgres.pid == before


def test_it_is_durable_and_listens_on_a_socket_alone(postgres: Postgres) -> None:
    postgres.ensure()
    assert execute(postgres, "SHOW fsync") == [("on",)]
    assert execute(postgres, "SHOW listen_addresses") == [("",)]
    assert execute(postgres, "SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'listik'") == [
        ("b", "C.UTF-8")
    ]


def test_nobody_gets_in_without_the_password(postgres: Postgres) -> None:
    postgres.ensure()
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(postgres.url.replace(":", ":x", 2).replace("postgresql:x//", "postgresql://"))
    assert (postgres.data / "postgres.password").stat().st_mode & 0o777 == 0o600


def test_rows_outlive_a_killed_server_though_many_start_it_at_once(postgres: Postgres) -> None:
    postgres.ensure()
    execute(postgres, "TRUNCATE kept")
    execute(postgres, "INSERT INTO kept SELECT generate_series(1, 100)")
    killed = kill(postgres)
    starts = [
        subprocess.Popen([sys.executable, "-c", ENSURE, postgres.data], cwd=CHECKOUT, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    pids = {int(start.communicate(timeout=60)[0]) for start in starts}
    assert [start.returncode for start in starts] == [0, 0, 0]
    assert pids == {postgres.pid}
    assert killed not in pids
    assert execute(postgres, "SELECT count(*), sum(number) FROM kept") == [(100, 5050)]


def test_the_number_of_another_process_in_the_pid_file_is_no_running_server(postgres: Postgres) -> None:
    postgres.stop()
    (postgres.cluster / "postmaster.pid").write_text(f"{os.getpid()}\n")
    assert postgres.pid is None
    postgres.ensure()
    assert execute(postgres, "SELECT 1") == [(1,)]


def test_stopped_and_started_it_has_the_same_rows(postgres: Postgres) -> None:
    postgres.ensure()
    execute(postgres, "TRUNCATE kept")
    execute(postgres, "INSERT INTO kept VALUES (7)")
    postgres.stop()
    assert postgres.pid is None
    postgres.ensure()
    assert execute(postgres, "SELECT number FROM kept") == [(7,)]


def test_a_lost_password_is_told_by_its_file(postgres: Postgres) -> None:
    postgres.ensure()
    path = postgres.data / "postgres.password"
    kept = path.rename(postgres.data / "elsewhere")
    with pytest.raises(LocalError, match=r"postgres\.password is missing"):
        _ = postgres.url
    kept.rename(path)
    assert execute(postgres, "SELECT 1") == [(1,)]
