import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def rate_no_sandbox(apps, schema_editor):
    apps.get_model("matches", "Match").objects.filter(sandbox=True).update(rated=False)


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0010_outbox"),
    ]

    operations = [
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("ordinal", models.FloatField()),
                ("matches", models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("ended_at", models.DateTimeField()),
                ("place", models.SmallIntegerField()),
                ("people", models.SmallIntegerField()),
                ("mu_before", models.FloatField()),
                ("sigma_before", models.FloatField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
            ],
        ),
        migrations.AddField(
            model_name="match",
            name="rated",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name="match",
            name="rates_bots",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="match",
            name="tallied",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("started_at__isnull", False), ("ended_at__isnull", False), ("tallied", False)),
                fields=["ended_at", "id"],
                name="match_to_tally",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("rated", True), ("status", "finished")),
                fields=["game", "ended_at", "id"],
                name="match_counts",
            ),
        ),
        migrations.RunPython(rate_no_sandbox, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("sandbox", False), ("rated", False), _connector="OR"),
                name="match_sandbox_is_not_rated",
            ),
        ),
        migrations.AddField(
            model_name="rating",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ratings",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rating_changes",
                to="matches.match",
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rating_changes",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                condition=models.Q(("matches__gte", 10)), fields=["game", "-ordinal", "player"], name="rating_leaders"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(fields=("player", "game"), name="rating_once_a_game"),
        ),
        migrations.AddIndex(
            model_name="ratingchange",
            index=models.Index(fields=["player", "game", "-ended_at", "-match"], name="rating_history"),
        ),
        migrations.AddIndex(
            model_name="ratingchange",
            index=models.Index(fields=["game", "ended_at", "match"], name="rating_order"),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(fields=("match", "player"), name="rating_changes_once_a_match"),
        ),
    ]
