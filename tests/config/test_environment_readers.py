"""Settings are read strictly: a wrong value is refused with a line that names the variable and what would be right."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import Env


def env(value: str) -> Env:
    return Env({"IT": value})


@pytest.mark.parametrize(
    ("value", "expected"),
    [("true", True), ("1", True), ("YES", True), ("off", False), (" 0 ", False), ("", True)],
)
def test_a_boolean_is_one_of_the_usual_words_or_its_default(value: str, expected: bool) -> None:  # noqa: FBT001
    assert env(value).boolean("IT", default=True) is expected


def test_an_integer_is_within_its_bounds() -> None:
    assert env("7").integer("IT", default=3, least=1, most=7) == 7
    assert env("").integer("IT", default=3, least=1, most=7) == 3


def test_a_list_is_separated_by_commas() -> None:
    assert env("a, b,,c ").listed("IT") == ["a", "b", "c"]
    assert env("").listed("IT", default=("x",)) == ["x"]


def test_a_database_url_becomes_djangos_keywords() -> None:
    found = env("postgresql://ann:p%40ss@db.example:5433/listik?sslmode=require").database("IT", default="")
    assert found == {
        "NAME": "listik",
        "USER": "ann",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require", "server_side_binding": True, "prepare_threshold": 5},
    }


def test_a_database_behind_a_socket_is_named_by_its_folder() -> None:
    found = env("postgresql://ann:x@/listik?host=%2Frun%2Fpg").database("IT", default="")
    assert (found["HOST"], found["NAME"], "host" in found["OPTIONS"]) == ("/run/pg", "listik", False)


def test_statements_are_not_prepared_where_a_pooler_cant_have_it() -> None:
    found = Env({"IT": "postgresql:///listik?host=/run/pg", "DATABASE_PREPARES": "off"}).database("IT", default="")
    assert found["OPTIONS"] == {"server_side_binding": False, "prepare_threshold": None}


@pytest.mark.parametrize(
    "url", ["redis://localhost:6379/0", "redis+socket:///run/valkey", "amqp://ann:x@mq.example:5672//"]
)
def test_brokers_that_lose_no_task_are_taken(url: str) -> None:
    assert env(url).broker("IT", default="") == url


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (lambda e: e.boolean("IT", default=True), "maybe", "IT is 'maybe': expected true or false"),
        (
            lambda e: e.integer("IT", default=1, least=1, most=9),
            "10",
            "IT is '10': expected a whole number from 1 to 9",
        ),
        (
            lambda e: e.integer("IT", default=1, least=1, most=9),
            "-1",
            "IT is '-1': expected a whole number from 1 to 9",
        ),
        (lambda e: e.choice("IT", default="a", choices=("a", "b")), "c", "IT is 'c': expected one of a, b"),
        (
            lambda e: e.origins("IT"),
            "listik.example",
            "IT holds 'listik.example': expected origins like https://listik.example",
        ),
        (lambda e: e.networks("IT"), "10.1.0.0/99", "IT holds '10.1.0.0/99': expected networks like 10.1.0.0/16"),
    ],
)
def test_a_wrong_value_is_told_with_what_would_be_right(
    read: Callable[[Env], object], value: str, message: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        read(env(value))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "url", ["mysql://ann:secret@host/x", "postgresql://ann:secret@host:port/x", "postgresql://ann:secret@host"]
)
def test_a_wrong_database_url_is_refused_without_repeating_the_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="IT is not a PostgreSQL address") as caught:
        env(url).database("IT", default="")
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["filesystem://", "redis://:secret@host:port/0", "redis://", "sqla+postgresql://x/y"])
def test_a_broker_that_loses_tasks_or_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="BROKER_URL is not a broker's address") as caught:
        env(url).broker("IT", default="")
    assert "secret" not in str(caught.value)


def test_a_rate_is_a_number_within_a_time() -> None:
    assert env("30/m").rate("IT", default="1/s") == (30, 60)
    assert env("").rate("IT", default="100/h") == (100, 3600)
    assert env("none").rate("IT", default="1/s") is None


@pytest.mark.parametrize("value", ["30", "0/m", "30/w", "-1/m", "30/m/m"])
def test_a_wrong_rate_stops_the_start(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="expected a rate like 30/m"):
        env(value).rate("IT", default="1/s")


def test_the_cache_is_the_brokers_valkey_unless_it_has_an_address_of_its_own() -> None:
    assert (
        env("").cache("IT", broker="redis+socket:///run/valkey?virtual_host=3")["LOCATION"] == "unix:///run/valkey?db=3"
    )
    assert env("valkey://cache:6379/1").cache("IT", broker="amqp://mq")["LOCATION"] == "redis://cache:6379/1"
    assert env("").cache("IT", broker="amqp://mq")["BACKEND"] == "config.cache.OfOneProcess"
    with pytest.raises(ImproperlyConfigured, match="expected redis://"):
        env("memcached://cache").cache("IT", broker="amqp://mq")
