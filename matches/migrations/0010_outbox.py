"""Notices get a receiver, ids that stay, and a way out; those of matches that run are kept."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# RFC 9562: 48 bits of UTC milliseconds, then the version, and random bits; bit 0 is the lowest of its byte.
FRESH_ID = """
CREATE FUNCTION matches_uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT encode(set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid()) PLACING
            substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
        52, 1), 53, 1), 'hex')::uuid
$$;
"""
SET_ASIDE = "CREATE TABLE matches_notice_before AS SELECT * FROM matches_notice;"
TAKE_UP = """
INSERT INTO matches_notice (match_id, player_id, seat, kind, occasion, serial, not_before)
SELECT o.match_id, s.player_id, o.seat, o.kind, o.occasion, o.serial, o.not_before
FROM matches_notice_before o JOIN matches_seat s ON s.match_id = o.match_id AND s.number = o.seat
WHERE s.player_id IS NOT NULL;
DROP TABLE matches_notice_before;
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0009_audit")]

    operations = [
        migrations.RunSQL(FRESH_ID, "DROP FUNCTION matches_uuid7();"),
        migrations.RunSQL(SET_ASIDE, migrations.RunSQL.noop),
        migrations.DeleteModel("Notice"),
        migrations.CreateModel(
            name="DeliveryTally",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "channel", "state", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("channel", models.CharField(max_length=10)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sent", "sent"),
                            ("dropped", "dropped"),
                            ("failed", "failed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("number", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Receiver",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="receiver",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("told", models.BigIntegerField(db_default=0, default=0)),
                ("wanted", models.JSONField(db_default={}, default=dict)),
                ("quiet_begins", models.TimeField(blank=True, null=True)),
                ("quiet_ends", models.TimeField(blank=True, null=True)),
                ("mailed_at", models.BigIntegerField(db_default=0, default=0)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("quiet_begins", None), ("quiet_ends", None)),
                            models.Q(("quiet_begins__isnull", False), ("quiet_ends__isnull", False)),
                            _connector="OR",
                        ),
                        name="quiet_hours_have_both_ends",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        db_default=models.Func(function="matches_uuid7", output_field=models.UUIDField()),
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("notice_id", models.UUIDField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "turn"),
                            ("warning", "warning"),
                            ("offer", "offer"),
                            ("invited", "invited"),
                            ("started", "started"),
                            ("over", "over"),
                            ("left", "left"),
                        ],
                        max_length=10,
                    ),
                ),
                ("sequence", models.BigIntegerField()),
                ("channel", models.CharField(max_length=10)),
                ("target", models.CharField(blank=True, default="", max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sent", "sent"),
                            ("dropped", "dropped"),
                            ("failed", "failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("due_at", models.BigIntegerField()),
                ("attempts", models.SmallIntegerField(default=0)),
                ("error", models.CharField(blank=True, default="", max_length=200)),
                ("done_at", models.BigIntegerField(blank=True, null=True)),
                (
                    "match",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="matches.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")), fields=["channel", "due_at"], name="delivery_due"
                    ),
                    models.Index(fields=["player", "channel"], name="delivery_of_a_player"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("notice_id", "channel", "target"), name="delivered_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        db_default=models.Func(function="matches_uuid7", output_field=models.UUIDField()),
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("seat", models.SmallIntegerField(blank=True, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "turn"),
                            ("warning", "warning"),
                            ("offer", "offer"),
                            ("invited", "invited"),
                            ("started", "started"),
                            ("over", "over"),
                            ("left", "left"),
                        ],
                        max_length=10,
                    ),
                ),
                ("occasion", models.CharField(max_length=40)),
                ("serial", models.IntegerField()),
                ("about", models.SmallIntegerField(blank=True, null=True)),
                ("not_before", models.BigIntegerField(null=True)),
                ("sequence", models.BigIntegerField(blank=True, null=True)),
                ("read_at", models.BigIntegerField(blank=True, null=True)),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="matches.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["player", "-not_before", "-id"], name="notice_of_a_player"),
                    models.Index(condition=models.Q(("sequence", None)), fields=["not_before"], name="notice_ripe"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("match", "player", "kind", "occasion"), name="notice_once_an_occasion"
                    )
                ],
            },
        ),
        migrations.RunSQL(TAKE_UP, migrations.RunSQL.noop),
    ]
