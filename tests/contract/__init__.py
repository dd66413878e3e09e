"""What clients can rely on: every operation against its schema, who may call it, and what it tells nobody."""

WRITE_EXAMPLES = "LISTIK_WRITE_EXAMPLES"
"""A variable that is set where the tests of the interface are run to record examples."""
