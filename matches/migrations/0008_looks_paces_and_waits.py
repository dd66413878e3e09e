"""What rows from before these columns would have got: a look, a pace, an end of their waiting."""

from datetime import timedelta

from django.db import migrations
from django.db.models.functions import Now

from matches.models import name_look
from matches.paces import USUAL_WAIT_S, pace_of


def fill(apps, schema_editor):
    players, matches = apps.get_model("matches", "Player"), apps.get_model("matches", "Match")
    taken = set(players.objects.exclude(name_look=None).values_list("name_look", flat=True))
    for player in players.objects.filter(name_look=None, deleted_at=None).order_by("pk").iterator():
        look = name_look(player.name)
        if look not in taken:
            taken.add(look)
            players.objects.filter(pk=player.pk).update(name_look=look)
    for match in matches.objects.filter(pace="other").only("control").iterator():
        matches.objects.filter(pk=match.pk).update(pace=pace_of(match.control))
    waiting = matches.objects.filter(status="lobby", expires_at=None)
    waiting.update(expires_at=Now() + timedelta(seconds=USUAL_WAIT_S))


class Migration(migrations.Migration):
    dependencies = [("matches", "0007_a_code_leads_to_one_match")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
