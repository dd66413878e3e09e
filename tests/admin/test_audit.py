"""What the staff does is written down with the change, and stays as it is."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from matches.models import AuditEntry, Player, Report
from matches.services import conduct
from matches.services.audit import audit_write
from tests.matches.factories import make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Player:
    return Player.objects.create_superuser("of the staff")


def write(staff: Player, reason: str = "because of a test") -> None:
    audit_write(actor_id=staff.pk, what="test_made", target_kind="player", target_id=staff.pk, reason=reason)


def test_an_entry_says_who_did_what_to_what_when_and_why(staff: Player) -> None:
    write(staff, reason="  because\nof   a test ")
    entry = AuditEntry.objects.get()
    assert (entry.actor_id, entry.what, entry.target_kind, entry.target_id) == (
        staff.pk,
        "test_made",
        "player",
        str(staff.pk),
    )
    assert (entry.reason, entry.data) == ("because of a test", {})
    assert entry.at is not None


@pytest.mark.parametrize("statement", ["UPDATE matches_auditentry SET reason = ''", "DELETE FROM matches_auditentry"])
def test_the_audit_log_is_insert_only(staff: Player, statement: str) -> None:
    write(staff)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert AuditEntry.objects.get().reason == "because of a test"


@pytest.mark.parametrize("reason", ["", "  a ", "x" * 501])
def test_a_reason_says_something(staff: Player, reason: str) -> None:
    with pytest.raises(ValueError, match="a reason has 3 to 500 characters"):
        write(staff, reason)
    assert not AuditEntry.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_written_down_outside_the_transaction_of_the_change(staff: Player) -> None:
    with pytest.raises(RuntimeError, match="one transaction"):
        write(staff)
    assert not AuditEntry.objects.exists()


def test_without_a_reason_nothing_is_done_either(staff: Player) -> None:
    anna, ben = make_players(2)
    conduct.report_file(reporter_id=anna.pk, player_id=ben.pk, reason="name")
    report = Report.objects.get()
    with pytest.raises(ValueError, match="a reason has"):
        conduct.report_handle(report_id=report.pk, actor_id=staff.pk, reason=" ")
    report.refresh_from_db()
    assert report.handled_at is None
    assert not AuditEntry.objects.exists()
