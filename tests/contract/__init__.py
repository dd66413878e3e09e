"""What clients can rely on: every operation against its schema, who may call it, and what it tells nobody."""
