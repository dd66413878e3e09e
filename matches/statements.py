"""The statements of `matches.locking`: the locking reads, and the one write of a move."""

from __future__ import annotations

from engine.core.waits import LAG
from matches.models import PASSING, NoticeKind

# The clock is read outside of the first part, that is after the lock was got. The write that follows looks nothing up
# but by its match, so one plan is right for all; PostgreSQL would now and then think that another one for each saves
# something, and planning takes as long as writing.
_READ = """
WITH locked AS MATERIALIZED ({lock})
SELECT l.match_id, l.snapshot, l.due_at, l.retry_at, l.seat, m.game, m.ruleset, m.secret,
    ARRAY(SELECT s.salt FROM matches_seat s WHERE s.match_id = m.id ORDER BY s.number),
    COALESCE(%(now)s::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint),
    (SELECT h.beaten_at FROM matches_heartbeat h),
    ARRAY(SELECT ARRAY[o.begins, o.ends] FROM matches_outage o WHERE o.ends > l.credited ORDER BY o.ends),
    l.calendar_at
FROM locked l JOIN matches_match m ON m.id = l.match_id
WHERE set_config('plan_cache_mode', 'force_generic_plan', true) <> ''
"""
_COLUMNS = "p.match_id, p.snapshot, p.due_at, p.retry_at, p.calendar_at, p.credited"
_SEAT = """
    SELECT {columns}, s.number AS seat
    FROM matches_position p
    JOIN matches_seat s ON s.match_id = p.match_id AND s.player_id = %(player)s
    JOIN matches_player a ON a.id = s.player_id AND a.epoch = %(epoch)s AND a.is_active
    WHERE p.match_id = %(match)s AND set_config('lock_timeout', %(patience)s, true) <> ''
    FOR NO KEY UPDATE OF p
"""
_MATCH = """
    SELECT {columns}, NULL::int AS seat
    FROM matches_position p
    WHERE p.match_id = %(match)s AND set_config('lock_timeout', %(patience)s, true) <> ''
    FOR NO KEY UPDATE OF p
"""
# The statement's own time, unlike the clock's, stays the same while it runs: so the index finds what is due.
_NOW = "COALESCE(%(now)s::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)"
# Nobody waits for the disk: what a crash of the database takes back comes out the same when it is settled again, and
# any move that was made upon it is written behind it.
_NEXT = """
    SELECT {columns}, NULL::int AS seat
    FROM matches_position p
    WHERE {wanted} AND COALESCE(p.retry_at, 0) <= {now} AND p.match_id <> ALL(%(skip)s::uuid[])
        AND set_config('synchronous_commit', 'off', true) <> ''
    ORDER BY {order} LIMIT 1
    FOR NO KEY UPDATE OF p SKIP LOCKED
"""
# While nobody can play nobody's time passes: what is due after the last heartbeat waits for the next one.
_IS_DUE = "p.due_at <= LEAST({now}, (SELECT h.beaten_at + {lag} FROM matches_heartbeat h))"
_IS_OWED = "p.due_at IS NOT NULL AND p.credited < (SELECT max(o.ends) FROM matches_outage o)"


def _next(wanted: str, order: str) -> str:
    return _READ.format(
        lock=_NEXT.format(columns=_COLUMNS, wanted=wanted.format(now=_NOW, lag=LAG), now=_NOW, order=order)
    )


OF_A_SEAT = _READ.format(lock=_SEAT.format(columns=_COLUMNS))
OF_A_MATCH = _READ.format(lock=_MATCH.format(columns=_COLUMNS))
OF_WHAT_IS_DUE = _next(_IS_DUE, "p.due_at")
OF_WHAT_IS_OWED = _next(_IS_OWED, "p.credited")
OF_THE_CALENDAR = _next("p.calendar_at <= {now}", "p.calendar_at")

_WRITE = """
WITH logged AS (
    INSERT INTO matches_moverecord (match_id, number, seat, serial, at, received, cause, entry)
    SELECT %(match)s, (e->>'number')::int, (e->>'seat')::int, (e->>'serial')::int, (e->>'at')::bigint,
        (e->>'received')::bigint, e->>'cause', e::text
    FROM json_array_elements(%(entries)s::json) AS e
), seated AS (
    UPDATE matches_seat s SET has_left = n.has_left, bot_level = n.bot, deadline = n.deadline,
        place = n.place, score = n.score,
        awaited_since = CASE WHEN n.awaited AND NOT n.is_new THEN COALESCE(s.awaited_since, %(at)s)
                             WHEN n.awaited THEN %(at)s END
    FROM json_to_recordset(%(seats)s::json)
        AS n (number int, has_left bool, bot text, awaited bool, is_new bool, deadline timestamptz, place int,
            score int)
    WHERE s.match_id = %(match)s AND s.number = n.number
), dropped AS (
    DELETE FROM matches_notice o WHERE o.match_id = %(match)s AND o.seat = ANY(%(told)s::int[])
        AND o.kind NOT IN ({other_kinds}) AND NOT EXISTS (
        SELECT FROM json_to_recordset(%(notices)s::json) AS n (seat int, kind text, occasion text)
        WHERE n.seat = o.seat AND n.kind = o.kind AND n.occasion = o.occasion)
), told AS (
    INSERT INTO matches_notice AS o (match_id, player_id, seat, kind, occasion, serial, about, not_before)
    SELECT %(match)s, s.player_id, n.* FROM json_to_recordset(%(notices)s::json)
        AS n (seat int, kind text, occasion text, serial int, about int, not_before bigint)
    JOIN matches_seat s ON s.match_id = %(match)s AND s.number = n.seat AND s.player_id IS NOT NULL
    ON CONFLICT (match_id, player_id, kind, occasion) DO UPDATE SET serial = EXCLUDED.serial, not_before = CASE
        WHEN o.not_before <= %(now)s THEN o.not_before ELSE EXCLUDED.not_before END
){ended}
UPDATE matches_position SET snapshot = %(snapshot)s, number = %(number)s, due_at = %(due_at)s,
    calendar_at = %(calendar_at)s, bots_at = %(bots_at)s, credited = GREATEST(credited, %(credited)s),
    retry_at = NULL, fails = 0, last_error = '' WHERE match_id = %(match)s
"""
# Which are meant is said by the others: else PostgreSQL 18 would go through an index by all players that there are, and
# since that seems to take long, read the whole table.
_OTHER_KINDS = ", ".join(f"'{kind.value}'" for kind in NoticeKind if kind not in PASSING)
GO_ON = _WRITE.format(other_kinds=_OTHER_KINDS, ended="")
END = _WRITE.format(
    other_kinds=_OTHER_KINDS,
    ended=""", ended AS (
    UPDATE matches_match SET status = %(status)s, outcome = %(outcome)s::jsonb, ended_at = %(at)s, tallied = false
    WHERE id = %(match)s
)""",
)
FAIL = """
UPDATE matches_position SET fails = least(fails + 1, 1000), last_error = %(error)s,
    retry_at = %(now)s + least(%(most)s, %(first)s * power(2, least(fails, 20)))::bigint WHERE match_id = %(match)s
"""
OF_THE_BOTS = """
WITH missed AS MATERIALIZED (
    SELECT p.match_id, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now FROM matches_position p
    WHERE p.bots_at <= floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AND p.retry_at IS NULL
    ORDER BY p.bots_at LIMIT %(most)s FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE matches_position p SET bots_at = missed.now + %(later)s FROM missed WHERE p.match_id = missed.match_id
RETURNING p.match_id
"""
