"""What the staff does is written down, and the database itself refuses to change it."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE FUNCTION matches_audit_is_insert_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is never changed: % refused on entry %', TG_OP, OLD.id
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_is_insert_only BEFORE UPDATE OR DELETE ON matches_auditentry
    FOR EACH ROW EXECUTE FUNCTION matches_audit_is_insert_only();
"""
UNGUARD = """
DROP TRIGGER audit_is_insert_only ON matches_auditentry;
DROP FUNCTION matches_audit_is_insert_only();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0008_looks_paces_and_waits"),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("what", models.CharField(max_length=40)),
                ("target_kind", models.CharField(max_length=20)),
                ("target_id", models.CharField(max_length=40)),
                ("reason", models.CharField(max_length=500)),
                ("data", models.JSONField(blank=True, default=dict)),
                (
                    "actor",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "audit entry",
                "verbose_name_plural": "audit log",
                "permissions": (
                    ("see_dashboard", "May see the dashboard"),
                    ("see_secrets", "May see hidden cards and seeds of running matches; every look is written down"),
                    ("see_addresses", "May see players' addresses of mail"),
                    ("handle_report", "May handle reports"),
                    ("pause_match", "May pause and resume matches"),
                    ("give_time", "May give time back and extend deadlines"),
                    ("settle_match", "May settle a match now"),
                    ("verify_match", "May have a match replayed and compared"),
                    ("export_match", "May download the export of a match"),
                    ("seat_bot", "May put a bot on a seat"),
                    ("remove_player", "May remove a player from a match"),
                    ("void_match", "May end a match without a result"),
                    ("void_timeout", "May take back that a clock ran out"),
                    ("revoke_tokens", "May log devices of players out"),
                    ("suspend_player", "May suspend and ban players"),
                    ("merge_player", "May merge a guest into a player"),
                    ("note_player", "May write notes about players"),
                    ("export_player", "May download all data of a player"),
                    ("close_player", "May delete an account"),
                    ("manage_webhooks", "May resend and stop webhooks"),
                    ("manage_staff", "May give and take roles, and reset lost devices; in no role"),
                ),
                "default_permissions": ("view",),
                "indexes": [
                    models.Index(fields=["target_kind", "target_id", "-id"], name="audit_of_a_target"),
                    models.Index(fields=["actor", "-id"], name="audit_of_an_actor"),
                    models.Index(fields=["what", "-id"], name="audit_of_a_kind"),
                ],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
