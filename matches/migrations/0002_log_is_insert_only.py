"""What happened is never changed: the database itself refuses it, whoever asks."""

from django.db import migrations

GUARD = """
CREATE FUNCTION matches_log_is_insert_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a match is never changed: % refused on entry % of match %', TG_OP, OLD.number, OLD.match_id
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER log_is_insert_only BEFORE UPDATE OR DELETE ON matches_moverecord
    FOR EACH ROW EXECUTE FUNCTION matches_log_is_insert_only();
"""
UNGUARD = """
DROP TRIGGER log_is_insert_only ON matches_moverecord;
DROP FUNCTION matches_log_is_insert_only();
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_first")]
    operations = [migrations.RunSQL(GUARD, UNGUARD)]
