"""Those who may enter the admin, as a list of their own."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0014_webhooks"),
    ]

    operations = [
        migrations.CreateModel(
            name="Staff",
            fields=[],
            options={
                "verbose_name_plural": "staff",
                "proxy": True,
                "default_permissions": ("view",),
                "indexes": [],
                "constraints": [],
            },
            bases=("matches.player",),
        ),
    ]
