from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0005_time_and_notices")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="mailed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
